import type { File } from '@bowerbird/contract';

/** Subfolders of a folder, as far as they are loaded. */
export interface Level {
  readonly folders: readonly File[];
  /** True if more can be loaded. */
  readonly hasMore: boolean;
}

/** Line of the tree: a folder, or what loads more folders of `parent`. */
export type TreeRow =
  | {
      readonly what: 'folder';
      readonly folder: File;
      readonly parent: string;
      readonly level: number;
      readonly place: number;
      readonly isOpen: boolean;
    }
  | { readonly what: 'more'; readonly parent: string; readonly level: number };

export const rowId = (row: TreeRow): string => (row.what === 'folder' ? row.folder.id : `more:${row.parent}`);

/** Lists the lines of a tree from the top down: the subfolders of `root`, and of all open folders below it. */
export function treeRows(
  levels: ReadonlyMap<string, Level>,
  open: ReadonlySet<string>,
  root = '',
  level = 1,
): TreeRow[] {
  const known = levels.get(root);
  if (!known) return [];
  const rows = known.folders.flatMap((folder, at): TreeRow[] => {
    const isOpen = open.has(folder.id) && hasFolders(folder);
    const row = { what: 'folder', folder, parent: root, level, place: at + 1, isOpen } as const;
    return isOpen ? [row, ...treeRows(levels, open, folder.id, level + 1)] : [row];
  });
  return known.hasMore ? [...rows, { what: 'more', parent: root, level }] : rows;
}

export const hasFolders = ({ folder_count: count }: Pick<File, 'folder_count'>): boolean => (count ?? 0) > 0;

/** Meaning of a key in the tree: the row to go to, or the folder to open or close. */
export type TreeMove = { readonly to: number } | { readonly toggle: string } | undefined;

/** Returns what an arrow key, Home, End or a letter does, as the ARIA pattern of trees defines it. */
export function treeMove(key: string, rows: readonly TreeRow[], at: number): TreeMove {
  const row = rows[at];
  if (!row) return undefined;
  const to = (index: number): TreeMove => (index >= 0 && index < rows.length ? { to: index } : undefined);
  switch (key) {
    case 'ArrowDown':
      return to(at + 1);
    case 'ArrowUp':
      return to(at - 1);
    case 'Home':
      return to(0);
    case 'End':
      return to(rows.length - 1);
    case 'ArrowRight':
      if (row.what === 'more' || !hasFolders(row.folder)) return undefined;
      if (!row.isOpen) return { toggle: row.folder.id };
      return rows[at + 1]?.level === row.level + 1 ? { to: at + 1 } : undefined;
    case 'ArrowLeft':
      if (row.what === 'folder' && row.isOpen) return { toggle: row.folder.id };
      return to(rows.findIndex((one) => one.what === 'folder' && one.folder.id === row.parent));
    default:
      return [...key].length === 1 && key !== ' ' ? to(startingWith(key, rows, at)) : undefined;
  }
}

/** Returns the next folder whose name begins with a letter, after the current one. */
function startingWith(letter: string, rows: readonly TreeRow[], at: number): number {
  const begins = (row: TreeRow): boolean =>
    row.what === 'folder' && row.folder.name.toLocaleLowerCase().startsWith(letter.toLocaleLowerCase());
  const after = rows.findIndex((row, index) => index > at && begins(row));
  return after === -1 ? rows.findIndex(begins) : after;
}
