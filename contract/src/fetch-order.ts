import type { ErrorId } from './errors.ts';

// What the server and its fetching process say to each other over the channel between them. The server keeps the rows and
// decides; the fetcher talks to strangers, stages bytes and keeps them. Everything here is JSON.

/** Something that can be fetched. */
export type FetchSpec = WebSpec | TorrentSpec;

export interface WebSpec {
  readonly kind: 'web';
  /** An http or https address, as `URL` writes it. */
  readonly url: string;
  /** What the member wants to be sent along (Cookie, Referer, User-Agent, Authorization …); names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TorrentSpec {
  readonly kind: 'torrent';
  /** Of version 1, 40 lower-case hexadecimal digits; "" where only the file is at hand, to be looked at. */
  readonly infoHash: string;
  /** A magnet link with this info-hash, cleaned: name, trackers and web seeds only; "" as above. */
  readonly magnet: string;
  /** The whole .torrent file in base64, as soon as anybody had it. */
  readonly torrent?: string;
}

/** What a source turned out to be. */
export interface SourceFacts {
  /** May differ from what was asked for: an address may lead to a .torrent file. */
  readonly kind: 'web' | 'torrent';
  /** Suggested by the source, not cleaned. */
  readonly name: string;
  /**
   * In the source's own order; a file's index here is its name in all that follows. Files that only fill gaps (BEP 47
   * padding) are not among them. One file with a path of one segment is a file, anything else a folder called `name`.
   */
  readonly files: readonly SourceFile[];
  /** Changes when the content does (from ETag or Last-Modified and the length); absent where nothing tells. */
  readonly validator?: string;
  /** The date of its files, in milliseconds since 1970: when a site's was last changed, when a torrent was made. */
  readonly modifiedAt?: number;
  /** Of a torrent; `file` is "", and there are no files, where an address led to a magnet link. */
  readonly torrent?: { readonly infoHash: string; readonly magnet: string; readonly file: string };
}

export interface SourceFile {
  readonly index: number;
  /** Segments as the source gives them, not cleaned, at least one. */
  readonly path: readonly string[];
  /** Bytes; null where the source doesn't tell before the end. */
  readonly size: number | null;
}

/** A text as it was read from an address. */
export interface ReadText {
  /** Where it came from in the end. */
  readonly url: string;
  /** Decoded; "" where it has not changed. */
  readonly text: string;
  /** Opaque, for the next `read`; absent where the origin gives nothing to go by. */
  readonly validator?: string;
  readonly notModified?: true;
}

/** What bytes that were kept are known by; see docs/formats.md. */
export interface KeptFile {
  readonly storeKey: string;
  readonly size: number;
  readonly hash: string;
  readonly gcid: string;
  readonly cid: string;
}

export interface FetchFailure {
  /** A key of the catalogue. */
  readonly error: ErrorId;
  readonly facts?: Readonly<Record<string, string>>;
  /** True where trying again by itself would be in vain. */
  readonly final: boolean;
}

/** From the server. Orders of one id come one after the other: `fetch`, then any `want`, then at most one `stop`. */
export type FetchOrder =
  | {
      /** Finds out what a source is, without fetching it. Answered by one `facts` or one `failed`. */
      readonly order: 'inspect';
      readonly id: string;
      readonly spec: FetchSpec;
      /** Gives up after so long, with `source_timed_out`. */
      readonly patienceMs: number;
    }
  | {
      /** Reads a small text, such as a feed, without keeping it. Answered by one `text` or one `failed`. */
      readonly order: 'read';
      readonly id: string;
      readonly url: string;
      /** As of {@link WebSpec}. */
      readonly headers?: Readonly<Record<string, string>>;
      /** Of an earlier `text` from the same address: what has not changed since doesn't come again. */
      readonly validator?: string;
      /** A longer text is refused with `source_too_large`. */
      readonly maxBytes: number;
      /** Gives up after so long, with `source_timed_out`. */
      readonly patienceMs: number;
    }
  | {
      readonly order: 'fetch';
      readonly id: string;
      readonly spec: FetchSpec;
      /**
       * Distinguishes one fetch of a source from the next. What was staged or kept under the same id and generation
       * belongs to this fetch, whoever began it; keys of other generations are somebody's files.
       */
      readonly generation: number;
      /** Indexes of files; null for all. */
      readonly wanted: readonly number[] | null;
      /** Files that are kept already, in this or an earlier run. */
      readonly kept: readonly number[];
      /** What the last `resume` said; null at first. */
      readonly resume: unknown;
      /** More bytes than this, all wanted files together, are refused with `source_too_large`. */
      readonly maxBytes: number;
    }
  | {
      /** Others want the same source: the wanted files are these from now on. */
      readonly order: 'want';
      readonly id: string;
      readonly wanted: readonly number[] | null;
    }
  | {
      /** Ends an order within two seconds; what was staged for it stays. */
      readonly order: 'stop';
      readonly id: string;
    }
  | {
      /** Ends an order where it runs, and gives back all that was staged for it. */
      readonly order: 'forget';
      readonly id: string;
      readonly generation: number;
    }
  /** Asks whether the process still works at all. Answered by one `pong`. */
  | { readonly order: 'ping' };

/** From the fetcher. `ready` comes first, once. After `settled`, `failed` or `stopped` an id is silent. */
export type FetchWord =
  | { readonly word: 'ready' }
  | { readonly word: 'pong' }
  | { readonly word: 'facts'; readonly id: string; readonly facts: SourceFacts }
  | ({ readonly word: 'text'; readonly id: string } & ReadText)
  | {
      /** Once a second while something moves. */
      readonly word: 'progress';
      readonly id: string;
      readonly step: FetchStep;
      /** Bytes of the wanted files that are here, kept ones included. */
      readonly received: number;
      /** Bytes a second. */
      readonly speed: number;
      /** Connected peers, of a torrent. */
      readonly peers?: number;
      /** Bytes of single files, where they changed since the last word: [index, received]. */
      readonly files: readonly (readonly [number, number])[];
    }
  /** To be handed back with the next `fetch` of this generation, after whatever end of this one. */
  | { readonly word: 'resume'; readonly id: string; readonly state: unknown }
  /** Durable under its key, and verified as far as the source allows. */
  | { readonly word: 'kept'; readonly id: string; readonly index: number; readonly file: KeptFile }
  | {
      readonly word: 'file-failed';
      readonly id: string;
      readonly index: number;
      readonly failure: FetchFailure;
    }
  /** Every wanted file was kept or has failed. */
  | { readonly word: 'settled'; readonly id: string }
  /** It ended before; what is staged stays for the next try. */
  | { readonly word: 'failed'; readonly id: string; readonly failure: FetchFailure }
  | { readonly word: 'stopped'; readonly id: string };

export type FetchStep = 'resolving' | 'fetching' | 'storing' | 'seeding';

/**
 * How Node runs the fetching process. What passes through it is memory outside of V8's heap, and has V8 look for garbage
 * every 64 MiB: in a heap as small as this one helpers cost ten times of what they save, a third of the speed.
 */
export const FETCHER_FLAGS: readonly string[] = ['--max-old-space-size=512', '--single-threaded-gc'];

/** What the server gives the fetching process on its way, as JSON in the environment variable `FETCHER`. */
export interface FetcherSettings {
  /** Address of the storage, which both have open. */
  readonly storage: string;
  /** Folder for bytes that are not whole yet; the fetcher's own. */
  readonly scratch: string;
  /** Networks (CIDR) that may be reached although they are private. */
  readonly allow: readonly string[];
  /** Free bytes that are left on the storage's disk. */
  readonly diskReserve: number;
  /** Bytes a second over all orders; null without limit. */
  readonly rate: number | null;
  /** When a torrent stops being given to others after it is whole: whichever comes first. 0 stops at once. */
  readonly seed: { readonly ratio: number; readonly minutes: number };
  /** JSON-RPC address of an aria2 that does the fetching instead, which sees the same scratch folder. */
  readonly aria2: string | null;
}
