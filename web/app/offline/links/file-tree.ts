import { categoryOf, type FileCategory } from '@bowerbird/contract';

/** Input of the tree for one file of a torrent. */
export interface TreeFile {
  /** Number that identifies the file when only some are downloaded. */
  readonly index: number;
  readonly name: string;
  /** Folders above it, joined by slashes; "" at the top. */
  readonly path: string;
  readonly size: number;
  /** True if the drive already has these bytes. */
  readonly isOwned: boolean;
}

/** Kinds to choose by, in the order of the menu. */
export const FILE_KINDS = ['video', 'audio', 'image', 'document', 'archive', 'other'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

const KIND_OF: Partial<Record<FileCategory, FileKind>> = {
  video: 'video',
  audio: 'audio',
  image: 'image',
  document: 'document',
  sheet: 'document',
  slides: 'document',
  pdf: 'document',
  text: 'document',
  book: 'document',
  archive: 'archive',
};

export const kindOf = (file: TreeFile): FileKind => KIND_OF[categoryOf(file.name)] ?? 'other';

interface Sums {
  count: number;
  bytes: number;
  chosen: number;
  chosenBytes: number;
}

interface Folder extends Sums {
  readonly path: string;
  readonly name: string;
  readonly parent: Folder | undefined;
  readonly folders: Map<string, Folder>;
  /** Indexes in the list of all files. */
  readonly files: number[];
  /** Children in display order; created on first use. */
  sorted: { readonly folders: readonly Folder[]; readonly files: readonly number[] } | undefined;
}

export type TreeRow =
  | ({
      readonly kind: 'folder';
      readonly path: string;
      readonly name: string;
      readonly depth: number;
    } & Readonly<Sums>)
  | {
      readonly kind: 'file';
      readonly place: number;
      readonly file: TreeFile;
      readonly depth: number;
      readonly isChosen: boolean;
    };

const newFolder = (path: string, name: string, parent: Folder | undefined): Folder => ({
  path,
  name,
  parent,
  folders: new Map(),
  files: [],
  sorted: undefined,
  count: 0,
  bytes: 0,
  chosen: 0,
  chosenBytes: 0,
});

/**
 * Files of a torrent as a tree, each chosen or not. Accepts twenty thousand files page by page: a change touches
 * one file and the folders above it, and the visible rows are computed from the open folders only. Everything is
 * chosen at first.
 */
export function createFileTree() {
  const files: TreeFile[] = [];
  const chosen: boolean[] = [];
  const homes: Folder[] = [];
  const root = newFolder('', '', undefined);
  const folders = new Map<string, Folder>([['', root]]);
  const listeners = new Set<() => void>();
  let version = 0;

  const changed = (): void => {
    version += 1;
    for (const listener of listeners) listener();
  };

  function folderAt(path: string): Folder {
    const known = folders.get(path);
    if (known) return known;
    const slash = path.lastIndexOf('/');
    const parent = folderAt(slash < 0 ? '' : path.slice(0, slash));
    const folder = newFolder(path, path.slice(slash + 1), parent);
    parent.folders.set(folder.name, folder);
    parent.sorted = undefined;
    folders.set(path, folder);
    return folder;
  }

  function count(from: Folder, sums: Sums): void {
    for (let folder: Folder | undefined = from; folder; folder = folder.parent) {
      folder.count += sums.count;
      folder.bytes += sums.bytes;
      folder.chosen += sums.chosen;
      folder.chosenBytes += sums.chosenBytes;
    }
  }

  function choose(place: number, isChosen: boolean): void {
    if (chosen[place] === isChosen) return;
    chosen[place] = isChosen;
    const by = isChosen ? 1 : -1;
    count(homes[place]!, { count: 0, bytes: 0, chosen: by, chosenBytes: by * files[place]!.size });
  }

  function chooseIn(folder: Folder, isChosen: boolean): void {
    for (const place of folder.files) choose(place, isChosen);
    for (const below of folder.folders.values()) chooseIn(below, isChosen);
  }

  function childrenOf(folder: Folder) {
    const byName = (a: string, b: string): number => a.localeCompare(b, undefined, { numeric: true });
    folder.sorted ??= {
      folders: [...folder.folders.values()].toSorted((a, b) => byName(a.name, b.name)),
      files: folder.files.toSorted((a, b) => byName(files[a]!.name, files[b]!.name)),
    };
    return folder.sorted;
  }

  const fileRow = (place: number, depth: number): TreeRow => ({
    kind: 'file',
    place,
    file: files[place]!,
    depth,
    isChosen: chosen[place]!,
  });

  function* rowsIn(folder: Folder, open: ReadonlySet<string>, depth: number): Generator<TreeRow> {
    const children = childrenOf(folder);
    for (const below of children.folders) {
      const { path, name, count, bytes, chosen, chosenBytes } = below;
      yield { kind: 'folder', path, name, depth, count, bytes, chosen, chosenBytes };
      if (open.has(path)) yield* rowsIn(below, open, depth + 1);
    }
    for (const place of children.files) yield fileRow(place, depth);
  }

  return {
    add(more: readonly TreeFile[]): void {
      for (const file of more) {
        const home = folderAt(file.path);
        home.files.push(files.length);
        home.sorted = undefined;
        homes.push(home);
        files.push(file);
        chosen.push(true);
        count(home, { count: 1, bytes: file.size, chosen: 1, chosenBytes: file.size });
      }
      changed();
    },
    /** Returns the visible rows: the open folders, or all files with `filter` in their names. */
    rows(open: ReadonlySet<string>, filter: string): TreeRow[] {
      const sought = filter.trim().toLowerCase();
      if (sought === '') return [...rowsIn(root, open, 0)];
      return files.flatMap((file, place) =>
        file.name.toLowerCase().includes(sought) ? [fileRow(place, 0)] : [],
      );
    },
    chooseFile(place: number, isChosen: boolean): void {
      choose(place, isChosen);
      changed();
    },
    chooseFolder(path: string, isChosen: boolean): void {
      const folder = folders.get(path);
      if (folder) chooseIn(folder, isChosen);
      changed();
    },
    /** Chooses exactly the files that `wanted` accepts; with `isChosen` it changes only those. */
    chooseWhere(wanted: (file: TreeFile) => boolean, isChosen?: boolean): void {
      for (const [place, file] of files.entries()) {
        const isWanted = wanted(file);
        if (isChosen === undefined) choose(place, isWanted);
        else if (isWanted) choose(place, isChosen);
      }
      changed();
    },
    /** Counts the files of each kind, for the menu. */
    kinds(): ReadonlyMap<FileKind, { readonly count: number; readonly chosen: number }> {
      const found = new Map<FileKind, { count: number; chosen: number }>();
      for (const [place, file] of files.entries()) {
        const kind = kindOf(file);
        const sums = found.get(kind) ?? { count: 0, chosen: 0 };
        sums.count += 1;
        if (chosen[place]) sums.chosen += 1;
        found.set(kind, sums);
      }
      return found;
    },
    /** Returns the indexes of the chosen files; `undefined` if all are chosen. */
    chosenIndexes(): number[] | undefined {
      if (root.chosen === root.count) return undefined;
      return files.flatMap((file, place) => (chosen[place] ? [file.index] : []));
    },
    totals: (): Readonly<Sums> => ({
      count: root.count,
      bytes: root.bytes,
      chosen: root.chosen,
      chosenBytes: root.chosenBytes,
    }),
    /** Returns the only folder at the top, which is opened at once. */
    onlyFolder: (): string | undefined =>
      root.files.length === 0 && root.folders.size === 1 ? [...root.folders.values()][0]!.path : undefined,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    version: (): number => version,
  };
}

export type FileTree = ReturnType<typeof createFileTree>;
