/** How long strangers are waited for, and how much of theirs is borne. Milliseconds unless said otherwise. */
export interface Patience {
  readonly connectMs: number;
  /** From the request to the end of the answer's head. */
  readonly openMs: number;
  /** Without a byte of the body, or with fewer than {@link idleBytes}. */
  readonly idleMs: number;
  readonly idleBytes: number;
  /** For one source as a whole. */
  readonly totalMs: number;
  /** Tries, one after the other, that bring nothing. */
  readonly tries: number;
  /** Before the second try; twice as long before each that follows. */
  readonly pauseMs: number;
  /** A source that wants to be left alone for longer is left to the next order. */
  readonly longestPauseMs: number;
}

const SECOND = 1000;

export const PATIENCE: Patience = {
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
/** Of a .torrent file that is looked for behind an address. */
export const MOST_TORRENT_BYTES = 10 * 2 ** 20;
