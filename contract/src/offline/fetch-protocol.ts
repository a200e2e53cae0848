import type { ErrorId } from '../errors.ts';

// The messages between the server and its fetcher process: commands to the fetcher, events from it. The server owns the
// database rows and makes the decisions; the fetcher connects to external sites and peers, stages bytes and keeps them.
// Everything here is JSON.

/** A source that can be fetched. */
export type FetchSpec = WebSpec | TorrentSpec;

export interface WebSpec {
  readonly kind: 'web';
  /** An http or https address, as serialized by `URL`. */
  readonly url: string;
  /** Request headers chosen by the member (Cookie, Referer, User-Agent, Authorization …); names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TorrentSpec {
  readonly kind: 'torrent';
  /** Info-hash of version 1, 40 lower-case hexadecimal digits; "" if only the torrent file is known, for `inspect`. */
  readonly infoHash: string;
  /**
   * A magnet link with this info-hash, reduced to name, trackers and web seeds; "" if only the torrent file is known.
   */
  readonly magnet: string;
  /** The whole .torrent file in base64, once it is known. */
  readonly torrent?: string;
}

/** The result of inspecting a source. */
export interface SourceFacts {
  /** May differ from the kind of the spec: an address may turn out to be a .torrent file. */
  readonly kind: 'web' | 'torrent';
  /** Name suggested by the source, not cleaned. */
  readonly name: string;
  /**
   * In the source's own order; all later messages refer to a file by its index here. Padding files (BEP 47) are left
   * out. If there is only one file and its path has one segment, it is a file; otherwise it is a folder called `name`.
   */
  readonly files: readonly SourceFile[];
  /**
   * Changes when the content changes (derived from ETag or Last-Modified and the length); absent if the origin sends
   * neither.
   */
  readonly validator?: string;
  /**
   * The date of its files, in milliseconds since 1970: Last-Modified for a web file, the creation date for a torrent.
   */
  readonly modifiedAt?: number;
  /** Only for torrents; `file` is "" and `files` is empty if an address led to a magnet link. */
  readonly torrent?: { readonly infoHash: string; readonly magnet: string; readonly file: string };
}

export interface SourceFile {
  readonly index: number;
  /** Path segments as given by the source, not cleaned; at least one. */
  readonly path: readonly string[];
  /** Bytes; null if the size is unknown until the end. */
  readonly size: number | null;
}

/** A text read from an address. */
export interface ReadText {
  /** The final URL, after redirects. */
  readonly url: string;
  /** Decoded; "" if it hasn't changed since `validator`. */
  readonly text: string;
  /** Opaque; pass it to the next `read`. Absent if the origin sends neither ETag nor Last-Modified. */
  readonly validator?: string;
  readonly notModified?: true;
}

/** Key, size and hashes of a file that was kept in the storage; see docs/formats.md. */
export interface KeptFile {
  readonly storeKey: string;
  readonly size: number;
  readonly hash: string;
  readonly gcid: string;
  readonly cid: string;
}

export interface FetchFailure {
  /** A key of the error catalogue. */
  readonly error: ErrorId;
  readonly facts?: Readonly<Record<string, string>>;
  /** True if an automatic retry is pointless. */
  readonly final: boolean;
}

/**
 * A message from the server. Commands with the same id come in this order: `fetch`, any number of `want`, then at most
 * one `stop`.
 */
export type FetchCommand =
  | {
      /** Inspects a source without fetching it. Answered by one `facts` or one `failed`. */
      readonly type: 'inspect';
      readonly id: string;
      readonly spec: FetchSpec;
      /** Timeout, after which it fails with `source_timed_out`. */
      readonly timeoutMs: number;
    }
  | {
      /** Reads a small text, such as a feed, without keeping it. Answered by one `text` or one `failed`. */
      readonly type: 'read';
      readonly id: string;
      readonly url: string;
      /** As in {@link WebSpec}. */
      readonly headers?: Readonly<Record<string, string>>;
      /** From an earlier `text` of the same address: if the text is unchanged, it isn't sent again. */
      readonly validator?: string;
      /** Longer texts are refused with `source_too_large`. */
      readonly maxBytes: number;
      /** Timeout, after which it fails with `source_timed_out`. */
      readonly timeoutMs: number;
    }
  | {
      readonly type: 'fetch';
      readonly id: string;
      readonly spec: FetchSpec;
      /**
       * Distinguishes one fetch of a source from the next. Bytes that were staged or kept under the same id and
       * generation belong to this fetch, even if another process started it; keys of other generations belong to
       * members' files.
       */
      readonly generation: number;
      /** Indexes of the files to fetch; null means all. */
      readonly wanted: readonly number[] | null;
      /** Indexes of files that were already kept, by this or an earlier run. */
      readonly kept: readonly number[];
      /** The state from the last `resume` event; null at first. */
      readonly resume: unknown;
      /** If the wanted files exceed this in total, the fetch fails with `source_too_large`. */
      readonly maxBytes: number;
    }
  | {
      /** Replaces the set of wanted files, because other members may request the same source. */
      readonly type: 'want';
      readonly id: string;
      readonly wanted: readonly number[] | null;
    }
  | {
      /** Stops a running fetch within two seconds; its staged bytes are kept for the next attempt. */
      readonly type: 'stop';
      readonly id: string;
    }
  | {
      /** Stops a fetch if it is running, and deletes everything that was staged for it. */
      readonly type: 'forget';
      readonly id: string;
      readonly generation: number;
    }
  /** Checks that the process is alive. Answered by one `pong`. */
  | { readonly type: 'ping' };

/**
 * A message from the fetcher. The first one is always `ready`. `settled`, `failed` or `stopped` is the last one for an
 * id.
 */
export type FetchEvent =
  | { readonly type: 'ready' }
  | { readonly type: 'pong' }
  | { readonly type: 'facts'; readonly id: string; readonly facts: SourceFacts }
  | ({ readonly type: 'text'; readonly id: string } & ReadText)
  | {
      /** Sent once a second while bytes arrive. */
      readonly type: 'progress';
      readonly id: string;
      readonly step: FetchStep;
      /** Bytes of the wanted files received so far, including files already kept. */
      readonly received: number;
      /** Bytes a second. */
      readonly speed: number;
      /** Number of connected peers; only for torrents. */
      readonly peers?: number;
      /** Bytes received of each file that changed since the last event: [index, received]. */
      readonly files: readonly (readonly [number, number])[];
    }
  /** State to pass to the next `fetch` of this generation, however this one ends. */
  | { readonly type: 'resume'; readonly id: string; readonly state: unknown }
  /** A file has been stored durably under its key, and verified as far as the source allows. */
  | { readonly type: 'kept'; readonly id: string; readonly index: number; readonly file: KeptFile }
  | {
      readonly type: 'file-failed';
      readonly id: string;
      readonly index: number;
      readonly failure: FetchFailure;
    }
  /** Every wanted file has been kept or has failed. */
  | { readonly type: 'settled'; readonly id: string }
  /** The fetch ended early; its staged bytes are kept for the next attempt. */
  | { readonly type: 'failed'; readonly id: string; readonly failure: FetchFailure }
  | { readonly type: 'stopped'; readonly id: string };

export type FetchStep = 'resolving' | 'fetching' | 'storing' | 'seeding';

/**
 * Node flags for the fetcher process. Its data passes through memory outside V8's heap, which makes V8 collect garbage
 * every 64 MiB: with a heap this small, helper threads cost ten times what they save, and a third of the throughput.
 */
export const FETCHER_FLAGS: readonly string[] = ['--max-old-space-size=512', '--single-threaded-gc'];

/** Settings of the fetcher process, passed by the server as JSON in the environment variable `FETCHER`. */
export interface FetcherSettings {
  /** Address of the storage, which both processes have open. */
  readonly storage: string;
  /** Folder for unfinished downloads; used only by the fetcher. */
  readonly scratch: string;
  /** Private networks (CIDR) that the fetcher may connect to. */
  readonly allow: readonly string[];
  /** Bytes that must stay free on the storage's disk. */
  readonly diskReserve: number;
  /** Bytes per second across all fetches; null for no limit. */
  readonly rate: number | null;
  /** A complete torrent is seeded until either limit is reached. 0 disables seeding. */
  readonly seed: { readonly ratio: number; readonly minutes: number };
  /** JSON-RPC address of an aria2 that does the fetching instead; it must have access to the same scratch folder. */
  readonly aria2: string | null;
}
