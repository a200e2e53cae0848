import type { File } from '@bowerbird/contract';
import type { Selectable } from './selection.ts';

/** One page of a listing as the wire gives it; `total` where the caller asked for it. */
export interface EntryPage {
  readonly files: readonly File[];
  readonly next_page_token: string;
  readonly total?: string;
}

/** A half-open stretch of rows: `from` is in it, `to` is not. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * A folder's listing as far as it is known: pages in their order, each found by the token that its predecessor gave.
 * Pages far from what is looked at give their files up and keep only what selecting and finding again need.
 */
export interface EntryBook {
  readonly pages: readonly BookPage[];
  /** Entries of the whole folder as the server counted them; undefined where it did not. */
  readonly total: number | undefined;
}

/** What is kept of every row that a page has reached. */
interface Trace extends Selectable {
  /** Where it lies: a listing may be of many folders. */
  readonly parent_id: string;
}

interface BookPage {
  readonly token: string;
  readonly next: string;
  readonly start: number;
  readonly rows: readonly Trace[];
  /** Undefined where the page has been let go. */
  readonly files: readonly File[] | undefined;
}

/** Rows on either side of the looked-at stretch whose pages stay whole. */
const KEPT_AROUND = 4000;
/** Placeholders after the last known row of a folder that nobody has counted. */
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

/** Rows that pages have reached so far. */
export function reachedRows(book: EntryBook): number {
  return endOf(lastOf(book));
}

export function isComplete(book: EntryBook): boolean {
  return lastOf(book).next === '';
}

/** Entries of the folder, or undefined as long as nobody knows. */
export function totalOf(book: EntryBook): number | undefined {
  if (isComplete(book)) return reachedRows(book);
  return book.total === undefined ? undefined : Math.max(book.total, reachedRows(book) + 1);
}

/** Rows to lay out: the whole folder where it is counted, else a few placeholders beyond what is known. */
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

/** The file in a row, or undefined where its page is not here. */
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

/** The row of an entry, where a page that reached it has been seen. */
export function indexOf(book: EntryBook, id: string): number | undefined {
  for (const page of book.pages) {
    const place = placeIn(page, id);
    if (place !== undefined) return page.start + place;
  }
  return undefined;
}

/** The folder that an entry lies in, where a page that reached it has been seen. */
export function parentOf(book: EntryBook, id: string): string | undefined {
  for (const page of book.pages) {
    const place = placeIn(page, id);
    if (place !== undefined) return page.rows[place]!.parent_id;
  }
  return undefined;
}

/** What is known of the rows of a stretch, without those that no page has reached. */
export function rowsIn(book: EntryBook, { from, to }: Stretch): Selectable[] {
  return book.pages.flatMap((page) =>
    page.start < to && endOf(page) > from
      ? page.rows.slice(Math.max(0, from - page.start), Math.max(0, to - page.start))
      : [],
  );
}

/** The token of the page to load next so that the stretch becomes whole, or undefined where it is. */
export function missingToken(book: EntryBook, { from, to }: Stretch): string | undefined {
  const gone = book.pages.find((page) => page.files === undefined && page.start < to && endOf(page) > from);
  if (gone) return gone.token;
  return !isComplete(book) && to > reachedRows(book) ? lastOf(book).next : undefined;
}

/**
 * The book with a page loaded by `token`. A page that ends elsewhere than it did breaks the chain, and all behind it is
 * forgotten rather than shown twice or skipped; so is a page whose token nobody gave.
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

/** The book with only the first page and those around `seen` whole. */
export function lettingGo(book: EntryBook, seen: Stretch): EntryBook {
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

/** The book with every loaded file changed; a file for which `change` says undefined leaves the folder. */
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

/** The beginning of the book that ends before the page with `index`; undefined where that is its very beginning. */
export function before(book: EntryBook, index: number): { book: EntryBook; token: string } | undefined {
  const at = book.pages.findIndex((page) => endOf(page) > index);
  const page = book.pages[at];
  return page && at > 0
    ? { book: { ...book, pages: book.pages.slice(0, at) }, token: page.token }
    : undefined;
}
