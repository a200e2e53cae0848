import { createHash } from 'node:crypto';
import {
  copiedLink,
  isInfoHash,
  readMagnet,
  writeMagnet,
  type ErrorId,
  type FetchSpec,
} from '@bowerbird/contract';

/** A parsed link. */
export type Link =
  | { readonly kind: 'source'; readonly spec: FetchSpec }
  | {
      readonly kind: 'share';
      readonly shareId: string;
      readonly passcode: string | undefined;
      readonly url: string;
    }
  | { readonly kind: 'unreadable'; readonly error: ErrorId };

const MOST_TRACKERS = 50;
/** Headers that a member may set; others could control the connection itself. */
const SENDABLE = new Set([
  'cookie',
  'referer',
  'user-agent',
  'authorization',
  'accept',
  'accept-language',
  'origin',
]);

const unreadable = (error: ErrorId): Link => ({ kind: 'unreadable', error });

/** Parses a pasted line. `origins` are the origins of this site. */
export function readLink(
  line: string,
  origins: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Link {
  const text = copiedLink(line);
  if (isInfoHash(text) || /^magnet:/i.test(text)) return magnetLink(text);
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') return unreadable('link_unsupported');
  url.hash = '';
  if (origins.includes(url.origin)) {
    const [, shareId] =
      /^(?:\/[a-z]{2}(?:-[A-Za-z]{2})?)?\/s\/([\w-]{1,64})(?:\/|$)/.exec(url.pathname) ?? [];
    if (shareId) {
      const passcode = url.searchParams.get('s_code') ?? url.searchParams.get('pwd') ?? undefined;
      return { kind: 'share', shareId, passcode, url: text };
    }
  }
  const sent = cleanHeaders(headers);
  return {
    kind: 'source',
    spec: { kind: 'web', url: url.href, ...(Object.keys(sent).length > 0 ? { headers: sent } : {}) },
  };
}

function magnetLink(text: string): Link {
  const magnet = readMagnet(text);
  if (!magnet) return unreadable('link_unsupported');
  const url = writeMagnet(magnet, MOST_TRACKERS);
  return { kind: 'source', spec: { kind: 'torrent', infoHash: magnet.infoHash, magnet: url } };
}

/** Keeps only the headers that a member may set, with names in lower case and values on one line. */
export function cleanHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      SENDABLE.has(name.toLowerCase()) && /^[\t\x20-\x7e\x80-\xff]{1,8192}$/.test(value.trim())
        ? [[name.toLowerCase(), value.trim()]]
        : [],
    ),
  );
}

/**
 * Returns the key of a source; requests with the same key share it. Headers are secrets of their member, so an address
 * with headers is shared with nobody.
 */
export function keyOf(spec: FetchSpec, account: string): string {
  if (spec.kind === 'torrent') return `btih:${spec.infoHash}`;
  const { url, headers } = spec;
  const own = headers ? [account, Object.entries(headers).toSorted(([a], [b]) => (a < b ? -1 : 1))] : [];
  return `web:${createHash('sha256')
    .update(JSON.stringify([url, ...own]))
    .digest('base64url')}`;
}

/** Returns a link for display, without the password that it may contain. */
export function shownLink(spec: FetchSpec): string {
  if (spec.kind === 'torrent') return spec.magnet;
  const url = new URL(spec.url);
  url.username = '';
  url.password = '';
  return url.href;
}

/** Returns the name of a source that was not inspected yet. */
export function provisionalName(spec: FetchSpec): string {
  if (spec.kind === 'torrent') return readMagnet(spec.magnet)?.name || spec.infoHash;
  const url = new URL(spec.url);
  const last = url.pathname.split('/').findLast((segment) => segment !== '');
  if (last === undefined) return url.hostname;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
