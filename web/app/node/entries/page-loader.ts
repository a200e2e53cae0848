import {
  before,
  bookOf,
  type EntryBook,
  type EntryPage,
  isComplete,
  lettingGo,
  missingToken,
  reachedRows,
  type Stretch,
  withPage,
} from './entry-book.ts';

/** Loads the page that a token names; `""` is the first. */
export type LoadPage = (pageToken: string, signal: AbortSignal) => Promise<EntryPage>;

/** Rows from the beginning up to which a refresh loads everything anew; further down it begins where one looks. */
const REFRESHED_FROM_TOP = 5000;

export interface PageLoader {
  /** Makes a stretch whole, page after page; the latest wish counts. */
  want(stretch: Stretch): void;
  /** Resolves when every row of the stretch has been reached or the folder has ended; rejects where loading fails. */
  reach(stretch: Stretch): Promise<void>;
  /** What failed last, until something works again. */
  failure(): unknown;
  stop(): void;
}

/**
 * Loads the pages of a book one at a time and in order, because a page's token is known only from the page before. So a
 * jump far down costs one request for every page in between, the first time.
 */
export function createPageLoader(deps: {
  readonly load: LoadPage;
  readonly read: () => EntryBook | undefined;
  readonly write: (book: EntryBook) => void;
  readonly settled: () => void;
}): PageLoader {
  const stopped = new AbortController();
  let wish: Stretch = { from: 0, to: 0 };
  let running: Promise<void> | undefined;
  let failure: unknown;

  const step = async (stretch: Stretch): Promise<boolean> => {
    const book = deps.read();
    const token = book && missingToken(book, stretch);
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
    want(stretch) {
      wish = stretch;
      const book = deps.read();
      if (!running && book && missingToken(book, stretch) !== undefined) running = run();
    },
    async reach(stretch) {
      const isReached = () => {
        const book = deps.read();
        return !book || isComplete(book) || reachedRows(book) >= stretch.to;
      };
      while (!isReached() && !stopped.signal.aborted) {
        await running;
        if (isReached()) return;
        await step({ from: reachedRows(deps.read()!), to: stretch.to });
      }
    },
    failure: () => failure,
    stop: () => stopped.abort(),
  };
}

/**
 * The book anew: from its beginning through the seen stretch, or, far down a long folder, from the page that is looked
 * at, so that a change elsewhere costs no hundred requests. What lies above is then as old as it was.
 */
export async function refreshed(
  old: EntryBook | undefined,
  seen: Stretch,
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
