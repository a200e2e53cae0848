import { sql, type RawBuilder } from 'kysely';
import { ApiFailure } from '@bowerbird/contract';
import type { Keys } from '../keys.ts';

/** Position in an ordered list: the values of the sort columns of the last row shown. */
export type KeysetPosition = readonly (string | number)[];

/** `(a, b) > (x, y)` as row values, which both databases answer from an index (the OR form scans). */
export function beyond(
  columns: readonly string[],
  place: KeysetPosition,
  descending: boolean,
): RawBuilder<boolean> {
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const values = sql.join([...place]);
  return descending ? sql<boolean>`(${names}) < (${values})` : sql<boolean>`(${names}) > (${values})`;
}

export interface Cursors {
  /** An opaque, signed token for a place in the list that `list` names (its filters and order included). */
  token(list: string, place: KeysetPosition): string;
  /** Position in a token; undefined for "", `invalid_argument` for a token of another list or signature. */
  place(list: string, token: string | undefined): KeysetPosition | undefined;
}

/** The one implementation of paging. A token fits only the list that it was created for. */
export function createCursors(keys: Keys): Cursors {
  return {
    token: (list, place) => keys.seal('cursor', [keys.sign('cursor-list', list).slice(0, 12), ...place]),
    place(list, token) {
      if (!token) return undefined;
      const opened = keys.open('cursor', token);
      if (!Array.isArray(opened) || opened[0] !== keys.sign('cursor-list', list).slice(0, 12))
        throw new ApiFailure('invalid_argument', { field: 'page_token' });
      return opened.slice(1) as (string | number)[];
    },
  };
}

/**
 * Splits rows, of which one more than the page was read, into the page and the position of its last row if
 * more follow.
 */
export function cutPage<Row>(
  rows: readonly Row[],
  size: number,
  placeOf: (row: Row) => KeysetPosition,
): { page: Row[]; next: KeysetPosition | undefined } {
  const page = rows.slice(0, size);
  const last = page.at(-1);
  return { page, next: rows.length > size && last !== undefined ? placeOf(last) : undefined };
}
