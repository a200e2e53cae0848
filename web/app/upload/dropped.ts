/** A file on its way in, with the folders that it came in ("" where it was picked alone). */
export interface Incoming {
  readonly file: File;
  /** `['Trip', 'Day 1']`: folders below the target, outermost first. */
  readonly folders: readonly string[];
}

/** What a person handed over: files, and folders that hold none and would be lost otherwise. */
export interface Batch {
  readonly files: Incoming[];
  readonly emptyFolders: (readonly string[])[];
}

/** Files picked by button; folders come as relative paths. */
export function pickedFiles(list: Iterable<File>): Batch {
  const files = Array.from(list, (file): Incoming => ({
    file,
    folders: file.webkitRelativePath
      .split('/')
      .slice(0, -1)
      .filter((name) => name !== ''),
  }));
  return { files, emptyFolders: [] };
}

/**
 * Files and whole folders that were dropped. Must be called within the drop event (the browser forgets the items after
 * it); directory readers answer a hundred entries at a time until they answer none.
 */
export function droppedItems(transfer: DataTransfer): Promise<Batch> {
  const entries = [...transfer.items]
    .filter((item) => item.kind === 'file')
    .map((item) => item.webkitGetAsEntry() ?? item.getAsFile());
  const batch: Batch = { files: [], emptyFolders: [] };
  return entries
    .reduce<Promise<void>>((before, entry) => before.then(() => walk(entry, [], batch)), Promise.resolve())
    .then(() => batch);
}

async function walk(
  entry: FileSystemEntry | File | null,
  folders: readonly string[],
  batch: Batch,
): Promise<void> {
  if (entry === null) return;
  if (entry instanceof File) {
    batch.files.push({ file: entry, folders });
  } else if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    batch.files.push({ file, folders });
  } else {
    const inside = [...folders, entry.name];
    const children = await allEntries((entry as FileSystemDirectoryEntry).createReader());
    if (children.length === 0) batch.emptyFolders.push(inside);
    for (const child of children) await walk(child, inside, batch);
  }
}

async function allEntries(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const found: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return found;
    found.push(...some);
  }
}
