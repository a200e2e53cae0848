import {
  ApiFailure,
  EMPTY_GCID,
  fileTime,
  LIMITS,
  nameProblem,
  parseSize,
  readFileTime,
  readTime,
  type ErrorId,
} from '@bowerbird/contract';
import type { Checksums, Content } from '@bowerbird/ingest';
import type { Conflict } from '../drive/index.ts';

/**
 * First segment of the objects' paths, or first label of their host. DNS-safe and without dots, so that
 * certificates for one label fit.
 */
export const BUCKET = 'bowerbird-upload';

/** Limit of S3's own protocol for a part. */
const LARGEST_PART = 5 * 2 ** 30;
const LARGEST_FILE = LIMITS.partsMax * LARGEST_PART;

/**
 *   open ──▶ completing ──▶ done
 *     │  ◀──      │
 *     └───────────┴──▶ failed | cancelled | expired
 *
 * A completing upload has a claim in its row: its parts, and the key under which they are kept. Any process can
 * complete it, and one does if the process that made the claim has died. An upload returns from completing to open if
 * a selected part was replaced. Each arrow is one conditional UPDATE: of two parallel transitions one succeeds.
 */
export type UploadState = 'open' | 'completing' | 'done' | 'failed' | 'cancelled' | 'expired';
/** States in which bytes and quota are reserved. */
export const UNFINISHED = ['open', 'completing'] as const satisfies readonly UploadState[];

/** Idle time after which a claim is free: its process has died. */
export const CLAIM_IDLE_MS = 30_000;

/** Unfinished upload of a file. Its id is the file's, the object's key and the dialect's UploadId in one. */
export interface UploadRow {
  readonly id: string;
  readonly account: string;
  readonly parent: string;
  readonly name: string;
  /** Announced size, which the received bytes must match. */
  readonly size: number;
  /** Bytes that are reserved for it: fewer than its size if it replaces a file in a nearly full drive. */
  readonly reserved: number;
  readonly announcedHash: string;
  readonly conflict: Conflict;
  readonly task: string;
  readonly state: UploadState;
  /** Set while completing and when done: the key of the bytes. */
  readonly storeKey: string | undefined;
  /** Set while completing: the parts of the file. */
  readonly chosen: readonly ChosenPart[] | undefined;
  /** Hash of the content, when done. */
  readonly hash: string | undefined;
  /** Reason of the failure. */
  readonly failure: ErrorId | undefined;
  /** Date of the content, if the client sent one. */
  readonly modifiedAt: number | undefined;
  readonly createdAt: number;
  readonly activeAt: number;
}

/** Durable write of a part. */
export interface PartRow {
  readonly number: number;
  readonly version: string;
  readonly size: number;
  /** Assumed position when it was hashed. */
  readonly position: number | undefined;
  readonly digests: Uint8Array;
  readonly landedAt: number;
}

export type ChosenPart = Pick<PartRow, 'number' | 'version' | 'size'>;

/** Durable bytes with their hashes, which may have no row yet. */
export interface KeptContent extends Content {
  readonly size: number;
  readonly cid: string;
  readonly storeKey: string;
  readonly checksums?: Checksums | undefined;
}

/** Completed upload, for the response to its sender. */
export interface Completed {
  readonly hash: string;
  readonly size: number;
}

/** Response to a body that arrived after the file was complete: only a sender of the same content gets it. */
export function sameAs(whole: Completed, came: Completed | undefined): Completed {
  if (!came) throw new ApiFailure('unavailable'); // The body is unknown: it has to be sent again.
  if (came.size !== whole.size || came.hash !== whole.hash) throw new ApiFailure('already_exists');
  return whole;
}

/** Thrown if the parts of a completion do not match the held ones, or are out of order. */
export class PartsRefused extends Error {
  readonly wrong: 'part' | 'order';

  constructor(wrong: 'part' | 'order', number: number) {
    super(wrong === 'part' ? `Part ${number} is not held as named.` : `Part ${number} is out of order.`);
    this.name = 'PartsRefused';
    this.wrong = wrong;
  }
}

/** Validates a ticket request; throws `invalid_argument`, `unsupported` and the errors of names. */
export function readAsk(ask: {
  name?: string | undefined;
  size?: number | string | undefined;
  hash?: string | undefined;
  upload_type?: string | undefined;
  user_modified_time?: string | undefined;
}): { name: string; size: number; hash: string; modifiedAt: number | undefined } {
  const name = ask.name ?? '';
  const problem = nameProblem(name);
  if (problem) throw new ApiFailure(problem);
  const hash = (ask.hash ?? '').toUpperCase();
  // A size is required except for empty files: some programs omit a zero and send the hash only.
  const isEmpty = hash === EMPTY_GCID && (ask.size === undefined || ask.size === '');
  const size = isEmpty ? 0 : parseSize(ask.size);
  if (size === undefined || size > LARGEST_FILE) throw new ApiFailure('invalid_argument', { field: 'size' });
  if (size === 0 && hash !== '' && hash !== EMPTY_GCID)
    throw new ApiFailure('invalid_argument', { field: 'hash' });
  const time = readTime(ask.user_modified_time ?? '');
  if (ask.user_modified_time && time === undefined)
    throw new ApiFailure('invalid_argument', { field: 'user_modified_time' });
  return { name, size, hash, modifiedAt: fileTime(time) };
}

/** Metadata in which clients of object storage store the date of a file. */
const DATES = [
  'x-amz-meta-mtime',
  'x-oss-meta-mtime',
  'x-amz-meta-last-modified',
  'x-oss-meta-last-modified',
];

/** Date of the content in the fields of a request; undefined if none is in range for a file. */
export function statedTime(field: (name: string) => unknown): number | undefined {
  for (const name of DATES) {
    const value = field(name);
    const time = typeof value === 'string' ? readFileTime(value) : undefined;
    if (time !== undefined) return time;
  }
  return undefined;
}

/**
 * Probable position of a part: clients split files into parts of one size, except for the last. `largest` is
 * the largest known part of this upload; a wrong assumption costs a second read of the part, nothing else.
 */
export function assumedPosition(
  number: number,
  size: number | undefined,
  largest: number,
): number | undefined {
  if (number === 1) return 0;
  const each = Math.max(size ?? 0, largest);
  return each > 0 ? (number - 1) * each : undefined;
}

/** Checks that numbers ascend. */
export function checkOrder(parts: readonly { readonly number: number }[]): void {
  let before = 0;
  for (const { number } of parts) {
    if (number <= before) throw new PartsRefused('order', number);
    before = number;
  }
}

/**
 * Key of an upload's bytes: new for every attempt, since kept bytes never change. Uploads of the same second share a
 * folder, whose entries are then flushed once for all of them; there are 1024 folders.
 */
export function storeKeyOf(upload: string, version: string): string {
  const id = upload.toLowerCase();
  return `blob/${id.slice(6, 8)}/${id}-${version}`;
}

export function stagingIdOf(upload: string): string {
  return `up-${upload}`;
}

/** Upload whose bytes a staging area contains; undefined for areas of others. */
export function uploadOfStaging(stagingId: string): string | undefined {
  return stagingId.startsWith('up-') ? stagingId.slice(3) : undefined;
}
