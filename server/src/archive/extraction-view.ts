import { mimeOf, type ArchivedFile } from '@bowerbird/contract';
import type { ArchiveItem } from './archive-items.ts';
import { choose, pathOf } from './extraction.ts';

/** Limit of listed entries; the others are extracted too. */
const MOST_LISTED = 10_000;

/** Direct contents of a folder in an archive: listed entries, and folders that occur only in paths. */
export function archivedFiles(items: readonly ArchiveItem[], folder: readonly string[]): ArchivedFile[] {
  const children = new Map<string, ArchivedFile>();
  const depth = folder.length;
  for (const item of choose(items, depth === 0 ? [] : [folder.join('/')])) {
    if (item.path.length <= depth || children.size >= MOST_LISTED) continue;
    const path = item.path.slice(0, depth + 1);
    const isItself = item.path.length === depth + 1;
    const isFolder = !isItself || item.kind === 'folder';
    const key = `${isFolder ? 'd' : 'f'}${path.join('/')}${isFolder ? '' : ` ${item.index}`}`;
    const known = children.get(key);
    if (known && (known.index >= 0 || !isItself)) continue;
    const name = path.at(-1)!;
    children.set(key, {
      index: isItself ? item.index : -1,
      filename: name,
      filesize: String(isFolder ? 0 : item.size),
      mime_type: isFolder ? '' : mimeOf(name),
      gcid: '',
      kind: isFolder ? 'drive#folder' : 'drive#file',
      icon_link: '',
      path: pathOf({ path }),
    });
  }
  return [...children.values()];
}
