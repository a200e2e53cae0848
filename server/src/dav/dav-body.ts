import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { readFileTime } from '@bowerbird/contract';
import type { FastifyRequest } from 'fastify';
import { requestBytes } from '../upload/index.ts';
import type { Body } from './dav-change-service.ts';
import { malformed } from './dav-refusal.ts';

/** What content must hash to, in lower-case hex. */
interface Checksum {
  readonly hash: string;
  readonly value: string;
}

const HASHES: Readonly<Record<string, string>> = { SHA1: 'sha1', MD5: 'md5', SHA256: 'sha256' };

/**
 * All that a client says of its content, `SHA1:…` or the MD5 of RFC 1864, one by one or in one line; what we don't know
 * of is passed over.
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

/** Finder says beside its chunks how many bytes come, ownCloud's clients beside everything. */
const LENGTHS = ['x-expected-entity-length', 'oc-total-length'] as const;

/** How many bytes come, by every header that announces it; undefined where none does. */
function announcedSize(headers: IncomingHttpHeaders): number | undefined {
  const isChunked = headers['transfer-encoding'] !== undefined;
  const stated = LENGTHS.flatMap((name) => headers[name] ?? []);
  if (!isChunked) stated.push(headers['content-length'] ?? '0');
  if (!stated.every((text) => /^\s*\d{1,15}\s*$/.test(text))) throw malformed('A length is no number.');
  const sizes = new Set(stated.map(Number));
  if (sizes.size > 1) throw malformed('The lengths that the request announces are not the same.');
  return [...sizes][0];
}

/** The date of the content, as clients with the vendor `owncloud` send it; undefined where it is none that a file can bear. */
export function statedTime({ headers }: FastifyRequest): number | undefined {
  const { 'x-oc-mtime': stated } = headers;
  return typeof stated === 'string' ? readFileTime(stated) : undefined;
}

/** The content of a PUT, held to what the request says of it. */
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
