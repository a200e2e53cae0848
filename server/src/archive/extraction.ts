import { cleanName, splitName } from '@bowerbird/contract';
import type { ArchiveItem } from './archive-items.ts';

/** State that an extraction needs to resume after its process was killed. */
export interface ExtractionState {
  /** Content of the archive, which stays the same if its file changes or is deleted. */
  readonly blob: string;
  readonly size: number;
  /** Selected paths; empty for all. */
  readonly chosen: readonly string[];
  /** Encrypted; "" if none is needed. */
  readonly password: string;
  readonly parent: string;
  /** Name of the folder. */
  readonly name: string;
  /** Created folder; undefined before that. */
  readonly root: string | undefined;
  /** Index of the next entry. */
  readonly next: number;
  /** Remaining reserved bytes. */
  readonly reserved: number;
  /** Extracted bytes. */
  readonly done: number;
  readonly total: number;
}

/** Maximum depth; deeper folders are joined into one. */
const DEEPEST = 64;

export const pathOf = ({ path }: Pick<ArchiveItem, 'path'>): string => path.join('/');

/** Selects entries by paths of files or folders: files and folders only, each with a name. */
export function choose(items: readonly ArchiveItem[], chosen: readonly string[]): ArchiveItem[] {
  const wanted = chosen.map((path) => path.replace(/^[/\\]+|[/\\]+$/g, '')).filter((path) => path !== '');
  return items.filter((item) => {
    if (item.kind === 'other' || item.path.length === 0) return false;
    const path = pathOf(item);
    return wanted.length === 0 || wanted.some((one) => path === one || path.startsWith(`${one}/`));
  });
}

/** Path of an entry below the archive's folder, with valid names and a limited depth. */
export function placeOf({ path, kind }: ArchiveItem): string[] {
  const shallow =
    path.length <= DEEPEST
      ? path
      : [...path.slice(0, DEEPEST - 2), path.slice(DEEPEST - 2, -1).join(' - '), path.at(-1)!];
  return shallow.map((segment, at) =>
    cleanName(segment, kind === 'file' && at === shallow.length - 1 ? 'file' : 'folder'),
  );
}

/** Name of the extracted folder: that of the archive without its extension. */
export function folderNameOf(archive: string): string {
  return cleanName(splitName(archive).stem, 'archive');
}
