import type { ErrorId } from '../errors.ts';

// The messages between the server and its fetcher process: commands to the fetcher, events from it. The server owns the
// database rows and decides; the fetcher talks to strangers, stages bytes and keeps them. Everything here is JSON.

/** A source that can be fetched. */
export type FetchSpec = WebSpec | TorrentSpec;

export interface WebSpec {
  readonly kind: 'web';
  /** An http or https address, as `URL` writes it. */
  readonly url: string;
  /** Request headers chosen by the member (Cookie, Referer, User-Agent, Authorization …); names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TorrentSpec {
  readonly kind: 'torrent';
  /** Info-hash of version 1, 40 lower-case hexadecimal digits; "" where only the file is known, for `inspect`. */
  readonly infoHash: string;
  /** A magnet link with this info-hash, reduced to name, trackers and web seeds; "" as above. */
  readonly magnet: string;
  /** The whole .torrent file in base64, once it is known. */
  readonly torrent?: string;
}

/** The result of inspecting a source. */
export interface SourceFacts {
  /** May differ from the kind of the spec: an address may lead to a .torrent file. */
  readonly kind: 'web' | 'torrent';
  /** Suggested by the source, not cleaned. */
  readonly name: string;
  /**
   * In the source's own order; all later messages refer to a file by its index here. Padding files (BEP 47) are left
   * out. A single file with a path of one segment is a file, anything else is a folder called `name`.
   */
  readonly files: readonly SourceFile[];
  /**
   * Changes when the content does (from ETag or Last-Modified and the length); absent where the origin sends neither.
   */
  readonly validator?: string;
  /** The date of its files, in milliseconds since 1970: Last-Modified of a web file, the creation date of a torrent. */
  readonly modifiedAt?: number;
  /** Only of a torrent; `file` is "" and `files` is empty where an address led to a magnet link. */
  readonly torrent?: { readonly infoHash: string; readonly magnet: string; readonly file: string };
}

export interface SourceFile {
  readonly index: number;
  /** Path segments as the source has them, not cleaned, at least one. */
  readonly path: readonly string[];
  /** Bytes; null where the size is unknown until the end. */
  readonly size: number | null;
}

/** A text that was read from an address. */
export interface ReadText {
  /** The final URL, after redirects. */
  readonly url: string;
  /** Decoded; "" where it has not changed since `validator`. */
  readonly text: string;
  /** Opaque, for the next `read`; absent where the origin sends neither ETag nor Last-Modified. */
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

/** A message from the server. The commands of one id are in sequence: `fetch`, any `want`, then at most one `stop`. */
export type FetchCommand =
  | {
      /** Inspects a source without fetching it. Answered by one `facts` or one `failed`. */
      readonly type: 'inspect';
      readonly id: string;
      readonly spec: FetchSpec;
      /** Gives up after so long, with `source_timed_out`. */
      readonly timeoutMs: number;
    }
  | {
      /** Reads a small text, such as a feed, without keeping it. Answered by one `text` or one `failed`. */
      readonly type: 'read';
      readonly id: string;
      readonly url: string;
      /** As in {@link WebSpec}. */
      readonly headers?: Readonly<Record<string, string>>;
      /** From an earlier `text` of the same address: an unchanged text is not sent again. */
      readonly validator?: string;
      /** A longer text is refused with `source_too_large`. */
      readonly maxBytes: number;
      /** Gives up after so long, with `source_timed_out`. */
      readonly timeoutMs: number;
    }
  | {
      readonly type: 'fetch';
      readonly id: string;
      readonly spec: FetchSpec;
      /**
       * Distinguishes one fetch of a source from the next. Bytes that were staged or kept under the same id and
       * generation belong to this fetch, even if another process started it; keys of other generations are members'
       * files.
       */
      readonly generation: number;
      /** Indexes of the files to fetch; null for all. */
      readonly wanted: readonly number[] | null;
      /** Indexes of files that are kept already, by this or an earlier run. */
      readonly kept: readonly number[];
      /** The state of the last `resume` event; null at first. */
      readonly resume: unknown;
      /** If all wanted files together are larger, the fetch fails with `source_too_large`. */
      readonly maxBytes: number;
    }
  | {
      /** Replaces the set of wanted files, since other members request the same source. */
      readonly type: 'want';
      readonly id: string;
      readonly wanted: readonly number[] | null;
    }
  | {
      /** Stops a running fetch within two seconds; its staged bytes remain. */
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

/** A message from the fetcher. The first is `ready`, once. `settled`, `failed` or `stopped` is the last of an id. */
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
      /** Bytes of the wanted files received so far, including kept files. */
      readonly received: number;
      /** Bytes a second. */
      readonly speed: number;
      /** Number of connected peers; only of a torrent. */
      readonly peers?: number;
      /** Bytes of each file that changed since the last event: [index, received]. */
      readonly files: readonly (readonly [number, number])[];
    }
  /** State for the next `fetch` of this generation, however this one ends. */
  | { readonly type: 'resume'; readonly id: string; readonly state: unknown }
  /** A file is durable under its key, and verified as far as the source allows. */
  | { readonly type: 'kept'; readonly id: string; readonly index: number; readonly file: KeptFile }
  | {
      readonly type: 'file-failed';
      readonly id: string;
      readonly index: number;
      readonly failure: FetchFailure;
    }
  /** Every wanted file is kept or has failed. */
  | { readonly type: 'settled'; readonly id: string }
  /** The fetch ended early; its staged bytes remain for the next attempt. */
  | { readonly type: 'failed'; readonly id: string; readonly failure: FetchFailure }
  | { readonly type: 'stopped'; readonly id: string };

export type FetchStep = 'resolving' | 'fetching' | 'storing' | 'seeding';

/**
 * Node flags of the fetcher process. Its data passes through memory outside of V8's heap, which makes V8 collect
 * garbage every 64 MiB: in a heap this small, helper threads cost ten times what they save, a third of the throughput.
 */
export const FETCHER_FLAGS: readonly string[] = ['--max-old-space-size=512', '--single-threaded-gc'];

/** Settings of the fetcher process, passed by the server as JSON in the environment variable `FETCHER`. */
export interface FetcherSettings {
  /** Address of the storage, which both processes open. */
  readonly storage: string;
  /** Folder for unfinished downloads; used by the fetcher alone. */
  readonly scratch: string;
  /** Private networks (CIDR) that the fetcher may connect to. */
  readonly allow: readonly string[];
  /** Bytes that must stay free on the storage's disk. */
  readonly diskReserve: number;
  /** Bytes per second over all fetches; null for no limit. */
  readonly rate: number | null;
  /** A complete torrent is seeded until either limit is reached. 0 means no seeding. */
  readonly seed: { readonly ratio: number; readonly minutes: number };
  /** JSON-RPC address of an aria2 that fetches instead, with access to the same scratch folder. */
  readonly aria2: string | null;
}
