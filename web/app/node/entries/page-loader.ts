import {
  before,
  bookOf,
  type EntryBook,
  type EntryPage,
  isComplete,
  lettingGo,
  missingToken,
  reachedRows,
  type RowRange,
  withPage,
} from './entry-book.ts';

/** Loads the page of a token; `""` is the first page. */
export type LoadPage = (pageToken: string, signal: AbortSignal) => Promise<EntryPage>;

/**
 * Number of rows from the top within which a refresh reloads everything; further down it starts at the visible
 * rows.
 */
const REFRESHED_FROM_TOP = 5000;

export interface PageLoader {
  /** Loads a range, page after page; the latest call wins. */
  want(range: RowRange): void;
  /** Resolves once every row of the range is loaded or the folder has ended; rejects if loading fails. */
  reach(range: RowRange): Promise<void>;
  /** Returns the last error, until a load succeeds. */
  failure(): unknown;
  stop(): void;
}

/**
 * Loads the pages of a book one at a time and in order, because only a page contains the token of the next. A
 * jump far down therefore costs one request for every page in between, the first time.
 */
export function createPageLoader(deps: {
  readonly load: LoadPage;
  readonly read: () => EntryBook | undefined;
  readonly write: (book: EntryBook) => void;
  readonly settled: () => void;
}): PageLoader {
  const stopped = new AbortController();
  let wish: RowRange = { from: 0, to: 0 };
  let running: Promise<void> | undefined;
  let failure: unknown;

  const step = async (range: RowRange): Promise<boolean> => {
    const book = deps.read();
    const token = book && missingToken(book, range);
    if (token === undefined) return false;
    const page = await deps.load(token, stopped.signal);
    const now = deps.read();
    if (now && !stopped.signal.aborted) deps.write(lettingGo(withPage(now, token, page), wish));
    return !stopped.signal.aborted;
  };

  const run = async (): Promise<void> => {
    try {
      while (await step(wish));
      failure = undefined;
    } catch (error) {
      if (!stopped.signal.aborted) failure = error;
    } finally {
      running = undefined;
      if (!stopped.signal.aborted) deps.settled();
    }
  };

  return {
    want(range) {
      wish = range;
      const book = deps.read();
      if (!running && book && missingToken(book, range) !== undefined) running = run();
    },
    async reach(range) {
      const isReached = () => {
        const book = deps.read();
        return !book || isComplete(book) || reachedRows(book) >= range.to;
      };
      while (!isReached() && !stopped.signal.aborted) {
        await running;
        if (isReached()) return;
        await step({ from: reachedRows(deps.read()!), to: range.to });
      }
    },
    failure: () => failure,
    stop: () => stopped.abort(),
  };
}

/**
 * Reloads the book: from its start through the visible range, or, far down a long folder, from the visible page,
 * so that a change elsewhere doesn't cost hundreds of requests. Rows above then keep their old state.
 */
export async function refreshed(
  old: EntryBook | undefined,
  seen: RowRange,
  load: LoadPage,
  signal: AbortSignal,
): Promise<EntryBook> {
  const kept = old && seen.from > REFRESHED_FROM_TOP ? before(old, seen.from) : undefined;
  let book = kept
    ? withPage({ ...kept.book, total: undefined }, kept.token, await load(kept.token, signal))
    : bookOf(await load('', signal));
  while (!isComplete(book) && reachedRows(book) < seen.to) {
    const token = missingToken(book, { from: reachedRows(book), to: seen.to })!;
    book = withPage(book, token, await load(token, signal));
  }
  return book.total === undefined && old ? { ...book, total: old.total } : book;
}
