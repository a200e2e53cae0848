import type { Entries } from '../entries/entries.ts';
import { isFolder } from '../file-facts.ts';

export interface Place {
  /** Position among the listing's files, starting at 1. */
  readonly position: number;
  /** `undefined` while unknown. */
  readonly total: number | undefined;
}

/** Position of a file among the listing's files; folders don't count. */
export function placeAmongFiles(entries: Entries, id: string): Place | undefined {
  const row = entries.indexOf(id);
  if (row === undefined) return undefined;
  const known = entries.known({ from: 0, to: entries.count });
  const foldersBefore = known.slice(0, row).filter(isFolder).length;
  const folders = foldersBefore + known.slice(row).filter(isFolder).length;
  return {
    position: row - foldersBefore + 1,
    total: entries.total === undefined ? undefined : entries.total - folders,
  };
}

/** Returns the id of the next file in a direction and loads pages on the way; `undefined` if there is none. */
export async function neighbour(entries: Entries, id: string, step: 1 | -1): Promise<string | undefined> {
  const from = entries.indexOf(id);
  if (from === undefined) return undefined;
  for (let row = from + step; row >= 0 && row < (entries.total ?? Number.POSITIVE_INFINITY); row += step) {
    const range = { from: row, to: row + 1 };
    const entry = entries.known(range)[0] ?? (await entries.between(range))[0];
    if (!entry) return undefined;
    if (!isFolder(entry)) return entry.id;
  }
  return undefined;
}

/** Returns true if a neighbor exists in a direction, as far as known. */
export function mayTurn(entries: Entries, id: string, step: 1 | -1): boolean {
  const from = entries.indexOf(id);
  if (from === undefined) return false;
  if (step === 1 && entries.total === undefined) return true;
  const known = entries.known(step === 1 ? { from: from + 1, to: entries.count } : { from: 0, to: from });
  const ahead = step === 1 ? (entries.total ?? 0) - from - 1 : from;
  return known.length < ahead || known.some((entry) => !isFolder(entry));
}
