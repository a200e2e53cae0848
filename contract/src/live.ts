/**
 * Parts of an account that its pages can be told to look at again: files and folders, tags and pinned folders, recent files, tasks (downloads, archives, copies, restores),
 * used storage, plans and limits, traffic, shares, subscriptions, orders and renewals, exports, or the account and its sessions.
 */
export const LIVE_TOPICS = [
  'files',
  'tags',
  'recent',
  'tasks',
  'storage',
  'plan',
  'traffic',
  'shares',
  'subscriptions',
  'orders',
  'takeouts',
  'account',
] as const;
export type LiveTopic = (typeof LIVE_TOPICS)[number];

/**
 * Address of the stream of events (`text/event-stream`), for members with a cookie or a bearer token. Its parameter
 * `away` is the number of milliseconds for which the client may have missed something: what changed meanwhile is sent
 * first. `Last-Event-ID` does the same.
 */
export const LIVE_PATH = '/drive/v1/live';

/** Events of the stream, by name. Their data is JSON. */
export interface LiveEvents {
  /** Something was changed. */
  readonly change: { readonly topics: readonly LiveTopic[] };
  /** The server doesn't know what the client missed: anything may have changed. */
  readonly resync: {
    /** Clients wait for a random part of this time, because all of them are told at once. */
    readonly within_ms?: number;
  };
  /** Nothing has happened. A client that gets none for a while has lost its connection. */
  readonly beat: Record<string, never>;
  /** The session has ended, and the stream with it. */
  readonly end: Record<string, never>;
}

/** Longest time between two events. */
export const LIVE_BEAT_MS = 20_000;
