/** File to upload, with the path of its folders ("" if it was selected alone). */
export interface Incoming {
  readonly file: File;
  /** `['Trip', 'Day 1']`: folders below the target, outermost first. */
  readonly folders: readonly string[];
}

/** Files and folders that a user selected or dropped; empty folders are listed because no file implies them. */
export interface Batch {
  readonly files: Incoming[];
  readonly emptyFolders: (readonly string[])[];
}

/** Batch of files selected by button; folders appear as relative paths. */
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
 * Reads dropped files and whole folders. Must be called within the drop event (the browser drops the items after
 * it); directory readers return a hundred entries at a time until they return none.
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
