/** Timeouts and retry limits for requests to strangers, in milliseconds unless noted. */
export interface Timeouts {
  readonly connectMs: number;
  /** From the request to the end of the response headers. */
  readonly openMs: number;
  /** Maximum time without a byte of the body, or with fewer than {@link idleBytes}. */
  readonly idleMs: number;
  readonly idleBytes: number;
  /** Total time for one source. */
  readonly totalMs: number;
  /** Maximum of consecutive attempts without progress. */
  readonly tries: number;
  /** Delay before the second attempt; doubled for each later one. */
  readonly pauseMs: number;
  /** A source that asks for a longer delay fails, and is retried by the server. */
  readonly longestPauseMs: number;
}

const SECOND = 1000;

export const DEFAULT_TIMEOUTS: Timeouts = {
  connectMs: 15 * SECOND,
  openMs: 30 * SECOND,
  idleMs: 60 * SECOND,
  idleBytes: 1024,
  totalMs: 7 * 24 * 3600 * SECOND,
  tries: 5,
  pauseMs: SECOND,
  longestPauseMs: 120 * SECOND,
};

export const MOST_REDIRECTS = 10;
export const MOST_HEADER_BYTES = 64 * 1024;
/** Maximum size of a .torrent file at a web address. */
export const MOST_TORRENT_BYTES = 10 * 2 ** 20;
