import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { readFileTime } from '@bowerbird/contract';
import type { FastifyRequest } from 'fastify';
import { requestBytes } from '../upload/index.ts';
import type { Body } from './dav-change-service.ts';
import { malformed } from './dav-refusal.ts';

/** Expected hash of the content, in lower-case hex. */
interface Checksum {
  readonly hash: string;
  readonly value: string;
}

const HASHES: Readonly<Record<string, string>> = { SHA1: 'sha1', MD5: 'md5', SHA256: 'sha256' };

/**
 * Checksums that a client states for its content, `SHA1:…` or the MD5 of RFC 1864, one by one or in one line;
 * unknown ones are skipped.
 */
function statedChecksums({ headers }: FastifyRequest): Checksum[] {
  const { 'oc-checksum': line, 'content-md5': md5 } = headers;
  const stated = (typeof line === 'string' ? line.split(/[\s,]+/) : []).flatMap((word) => {
    const [algorithm = '', value = ''] = word.split(':');
    const hash = HASHES[algorithm.toUpperCase()];
    return hash === undefined ? [] : [{ hash, value: value.toLowerCase() }];
  });
  if (typeof md5 === 'string')
    stated.push({ hash: 'md5', value: Buffer.from(md5, 'base64').toString('hex') });
  return stated;
}

/** Finder sends the length in addition to chunked encoding; ownCloud's clients always send it. */
const LENGTHS = ['x-expected-entity-length', 'oc-total-length'] as const;

/** Announced length from any header that states it; undefined if none does. */
function announcedSize(headers: IncomingHttpHeaders): number | undefined {
  const isChunked = headers['transfer-encoding'] !== undefined;
  const stated = LENGTHS.flatMap((name) => headers[name] ?? []);
  if (!isChunked) stated.push(headers['content-length'] ?? '0');
  if (!stated.every((text) => /^\s*\d{1,15}\s*$/.test(text))) throw malformed('A length is no number.');
  const sizes = new Set(stated.map(Number));
  if (sizes.size > 1) throw malformed('The lengths that the request announces are not the same.');
  return [...sizes][0];
}

/**
 * Date of the content, as clients with the vendor `owncloud` send it; undefined if it is out of range for a
 * file.
 */
export function statedTime({ headers }: FastifyRequest): number | undefined {
  const { 'x-oc-mtime': stated } = headers;
  return typeof stated === 'string' ? readFileTime(stated) : undefined;
}

/** Content of a PUT, verified against the request's headers. */
export function bodyOf(request: FastifyRequest): Body {
  const { headers, raw } = request;
  if (headers['content-range'] !== undefined) throw malformed('A file is written as a whole.');
  const checksums = statedChecksums(request);
  const bytes = requestBytes(raw);
  return {
    source: checksums.length > 0 ? held(bytes, checksums) : bytes,
    size: announcedSize(headers),
    modifiedAt: statedTime(request),
  };
}

async function* held(
  source: AsyncIterable<Uint8Array>,
  checksums: readonly Checksum[],
): AsyncGenerator<Uint8Array, void, undefined> {
  const hashes = checksums.map(({ hash, value }) => ({ hash: createHash(hash), value }));
  for await (const chunk of source) {
    for (const { hash } of hashes) hash.update(chunk);
    yield chunk;
  }
  if (hashes.some(({ hash, value }) => hash.digest('hex') !== value))
    throw malformed('The content is not what the request says it is.');
}
