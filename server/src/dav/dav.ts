import { LIMITS } from '@bowerbird/contract';
import type { NodeRow } from '../drive/index.ts';
import type { ConditionList } from './if-header.ts';

/**
 * Path of the drive on an origin that serves other things too; it is at the root on the host whose first
 * label is DAV_HOST.
 */
export const DAV_PATH = '/dav';
export const DAV_HOST = 'api-dav';

export const DAV_METHODS = [
  'OPTIONS',
  'GET',
  'HEAD',
  'PUT',
  'DELETE',
  'MKCOL',
  'COPY',
  'MOVE',
  'PROPFIND',
  'PROPPATCH',
  'LOCK',
  'UNLOCK',
] as const;
export type DavMethod = (typeof DAV_METHODS)[number];

export const DAV_CLASSES = '1, 2, 3';

/** Path that leads to a live resource: the root, or the last node of a chain that begins below the root. */
export interface Resource {
  readonly account: string;
  readonly chain: readonly NodeRow[];
  /** Undefined for the root. */
  readonly node: NodeRow | undefined;
  /** Node's id, or the account's for the root: the key of locks and properties. */
  readonly id: string;
  readonly isFolder: boolean;
}

/** Current result of a path: a resource, an unused name in a folder, or neither. */
export type Found =
  | { readonly resource: Resource; readonly parent: Resource | undefined }
  | { readonly resource: undefined; readonly parent: Resource | undefined };

/** Ids of the root, the folders above a resource and the resource itself, outermost first. */
export function idsOf({ account, chain }: Resource): string[] {
  return [account, ...chain.map(({ id }) => id)];
}

/** Names from the root down to a resource. */
export function namesOf({ chain }: Resource): string[] {
  return chain.map(({ name }) => name);
}

const ETAG_CHARACTERS = 32;

/**
 * Strong, because it comes from the content's hash; cut to 192 bits, because some clients truncate long ETags.
 * Folders have none.
 */
export function etagOf(node: NodeRow | undefined): string | undefined {
  return node?.blob
    ? `"${Buffer.from(node.blob, 'hex').toString('base64url').slice(0, ETAG_CHARACTERS)}"`
    : undefined;
}

/** Caller, resource and conditions of a request. */
export interface DavRequest {
  readonly account: string;
  readonly names: readonly string[];
  /** The `If` field, and every token in it. */
  readonly lists: readonly ConditionList[];
  readonly tokens: ReadonlySet<string>;
  /** Host names of this server. */
  readonly hosts: readonly string[];
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  readonly ifUnmodifiedSince?: string | undefined;
}

export interface LockRow {
  readonly token: string;
  readonly account: string;
  /** Locked node: its id, or the account's for the root. */
  readonly node: string;
  readonly exclusive: boolean;
  /** True if the lock covers everything below. */
  readonly deep: boolean;
  /** XML of the client's `owner` element, or "". */
  readonly owner: string;
  readonly seconds: number;
  readonly expiresAt: number;
}

/** Property that a client set: the whole element as received. */
export interface DeadProperty {
  readonly namespace: string;
  readonly name: string;
  readonly xml: string;
}

/** Seconds that a `Timeout` field requests, within the allowed range. */
export function lockSeconds(header: string | undefined): number {
  for (const part of (header ?? '').split(',')) {
    const seconds = /^\s*Second-(\d+)\s*$/i.exec(part)?.[1];
    if (seconds !== undefined) return Math.min(Math.max(Number(seconds), 1), LIMITS.lockSeconds);
  }
  return LIMITS.lockSeconds;
}

/** Parses `0`, `1` or `infinity`; undefined for anything else. */
export function readDepth(
  header: string | undefined,
  absent: 'infinity' | '0' | '1',
): 'infinity' | '0' | '1' | undefined {
  const text = header?.trim().toLowerCase() ?? absent;
  return text === '0' || text === '1' || text === 'infinity' ? text : undefined;
}
