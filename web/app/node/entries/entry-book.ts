import type { File } from '@bowerbird/contract';
import type { Selectable } from './selection.ts';

/** One page of a listing as the server sends it; `total` only if requested. */
export interface EntryPage {
  readonly files: readonly File[];
  readonly next_page_token: string;
  readonly total?: string;
}

/** Half-open range of rows: includes `from`, excludes `to`. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Loaded part of a folder's listing: pages in order, each found by the token in its predecessor. Pages far from
 * the visible rows drop their files and keep only the data needed to select them and load them again.
 */
export interface EntryBook {
  readonly pages: readonly BookPage[];
  /** Number of entries in the whole folder as counted by the server; `undefined` if it was not counted. */
  readonly total: number | undefined;
}

/** Data kept of every row that was ever loaded. */
interface Trace extends Selectable {
  /** Folder of the entry: a listing may span several folders. */
  readonly parent_id: string;
}

interface BookPage {
  readonly token: string;
  readonly next: string;
  readonly start: number;
  readonly rows: readonly Trace[];
  /** `undefined` if the page was unloaded. */
  readonly files: readonly File[] | undefined;
}

/** Rows on either side of the visible range whose pages stay loaded. */
const KEPT_AROUND = 4000;
/** Placeholders after the last known row of a folder that was not counted. */
const UNCOUNTED_AHEAD = 6;

const pageOf = (token: string, page: EntryPage, start: number): BookPage => ({
  token,
  next: page.next_page_token,
  start,
  rows: page.files,
  files: page.files,
});

const countedBy = (page: EntryPage): number | undefined => {
  const total = page.total === undefined ? -1 : Number(page.total);
  return Number.isSafeInteger(total) && total >= 0 ? total : undefined;
};

export function bookOf(first: EntryPage): EntryBook {
  return { pages: [pageOf('', first, 0)], total: countedBy(first) };
}

const endOf = (page: BookPage): number => page.start + page.rows.length;
const lastOf = (book: EntryBook): BookPage => book.pages.at(-1)!;

/** Number of rows loaded so far. */
export function reachedRows(book: EntryBook): number {
  return endOf(lastOf(book));
}

export function isComplete(book: EntryBook): boolean {
  return lastOf(book).next === '';
}

/** Number of entries in the folder, or `undefined` while unknown. */
export function totalOf(book: EntryBook): number | undefined {
  if (isComplete(book)) return reachedRows(book);
  return book.total === undefined ? undefined : Math.max(book.total, reachedRows(book) + 1);
}

/**
 * Number of rows to lay out: the whole folder if it was counted, otherwise the known rows and a few placeholders.
 */
export function rowCount(book: EntryBook): number {
  return totalOf(book) ?? reachedRows(book) + UNCOUNTED_AHEAD;
}

function pageAt(book: EntryBook, index: number): BookPage | undefined {
  let low = 0;
  let high = book.pages.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const page = book.pages[middle]!;
    if (index < page.start) high = middle - 1;
    else if (index >= endOf(page)) low = middle + 1;
    else return page;
  }
  return undefined;
}

/** Returns the file of a row, or `undefined` if its page is not loaded. */
export function fileAt(book: EntryBook, index: number): File | undefined {
  const page = pageAt(book, index);
  return page?.files?.[index - page.start];
}

const placesByRows = new WeakMap<readonly Selectable[], ReadonlyMap<string, number>>();

function placeIn(page: BookPage, id: string): number | undefined {
  let places = placesByRows.get(page.rows);
  if (!places) {
    places = new Map(page.rows.map((row, at) => [row.id, at]));
    placesByRows.set(page.rows, places);
  }
  return places.get(id);
}

/** Returns the row of an entry, if its page was ever loaded. */
export function indexOf(book: EntryBook, id: string): number | undefined {
  for (const page of book.pages) {
    const place = placeIn(page, id);
    if (place !== undefined) return page.start + place;
  }
  return undefined;
}

/** Returns the folder of an entry, if its page was ever loaded. */
export function parentOf(book: EntryBook, id: string): string | undefined {
  for (const page of book.pages) {
    const place = placeIn(page, id);
    if (place !== undefined) return page.rows[place]!.parent_id;
  }
  return undefined;
}

/** Returns the known rows of a range; rows that were never loaded are left out. */
export function rowsIn(book: EntryBook, { from, to }: RowRange): Selectable[] {
  return book.pages.flatMap((page) =>
    page.start < to && endOf(page) > from
      ? page.rows.slice(Math.max(0, from - page.start), Math.max(0, to - page.start))
      : [],
  );
}

/** Returns the token of the next page needed to complete the range, or `undefined` if it is complete. */
export function missingToken(book: EntryBook, { from, to }: RowRange): string | undefined {
  const gone = book.pages.find((page) => page.files === undefined && page.start < to && endOf(page) > from);
  if (gone) return gone.token;
  return !isComplete(book) && to > reachedRows(book) ? lastOf(book).next : undefined;
}

/**
 * Adds the page loaded by `token`. If a page ends at another entry than before, the chain is broken, and all
 * later pages are dropped rather than shown twice or skipped. A page with an unknown token is dropped, too.
 */
export function withPage(book: EntryBook, token: string, page: EntryPage): EntryBook {
  const total = countedBy(page) ?? book.total;
  if (token === lastOf(book).next && token !== '') {
    return { pages: [...book.pages, pageOf(token, page, reachedRows(book))], total };
  }
  const at = book.pages.findIndex((known) => known.token === token);
  const old = book.pages[at];
  if (!old) return book;
  const renewed = pageOf(token, page, old.start);
  const unbroken = renewed.next === old.next && renewed.rows.length === old.rows.length;
  const rest = unbroken ? book.pages.slice(at + 1) : [];
  return { pages: [...book.pages.slice(0, at), renewed, ...rest], total };
}

const traceOf = ({ id, kind, size, parent_id }: Trace): Trace => ({ id, kind, size, parent_id });

/** Unloads all pages except the first and those around `seen`. */
export function lettingGo(book: EntryBook, seen: RowRange): EntryBook {
  const isFar = (page: BookPage) =>
    page.start > seen.to + KEPT_AROUND || endOf(page) < seen.from - KEPT_AROUND;
  if (!book.pages.some((page, at) => at > 0 && page.files && isFar(page))) return book;
  return {
    ...book,
    pages: book.pages.map((page, at) =>
      at > 0 && page.files && isFar(page)
        ? { ...page, rows: page.rows.map(traceOf), files: undefined }
        : page,
    ),
  };
}

/** Changes every loaded file; a file for which `change` returns `undefined` is removed from the folder. */
export function changed(book: EntryBook, change: (file: File) => File | undefined): EntryBook {
  let start = 0;
  let left = 0;
  const pages = book.pages.map((page): BookPage => {
    const files = page.files?.flatMap((file) => change(file) ?? []);
    const isSame =
      files?.length === page.files?.length && (files?.every((file, at) => file === page.files?.[at]) ?? true);
    const next = isSame ? { ...page, start } : { ...page, start, rows: files ?? page.rows, files };
    left += page.rows.length - next.rows.length;
    start = endOf(next);
    return next;
  });
  return { pages, total: book.total === undefined ? undefined : Math.max(0, book.total - left) };
}

/** Returns the part of the book before the page with `index`; `undefined` if that page is the first. */
export function before(book: EntryBook, index: number): { book: EntryBook; token: string } | undefined {
  const at = book.pages.findIndex((page) => endOf(page) > index);
  const page = book.pages[at];
  return page && at > 0
    ? { book: { ...book, pages: book.pages.slice(0, at) }, token: page.token }
    : undefined;
}
