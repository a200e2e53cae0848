import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { readFileTime } from '@bowerbird/contract';
import type { FastifyRequest } from 'fastify';
import { requestBytes } from '../upload/index.ts';
import type { Body } from './dav-change-service.ts';
import { malformed } from './dav-refusal.ts';

interface Checksum {
  readonly algorithm: string;
  readonly value: string;
}

const HASHES: Readonly<Record<string, string>> = { SHA1: 'sha1', MD5: 'md5', SHA256: 'sha256' };

/** What a client says of its content (`SHA1:…`, or the MD5 of RFC 1864); undefined where it is nothing that we know. */
function statedChecksum(request: FastifyRequest): Checksum | undefined {
  const { 'oc-checksum': stated, 'content-md5': md5 } = request.headers;
  for (const word of typeof stated === 'string' ? stated.trim().split(/\s+/) : []) {
    const [algorithm = '', value = ''] = word.split(':');
    if (Object.hasOwn(HASHES, algorithm.toUpperCase()) && /^[0-9a-f]+$/i.test(value))
      return { algorithm: algorithm.toUpperCase(), value: value.toLowerCase() };
  }
  return typeof md5 === 'string'
    ? { algorithm: 'MD5', value: Buffer.from(md5, 'base64').toString('hex') }
    : undefined;
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
  const checksum = statedChecksum(request);
  const bytes = requestBytes(raw);
  return {
    source: checksum ? held(bytes, checksum) : bytes,
    size: announcedSize(headers),
    checksum,
    modifiedAt: statedTime(request),
  };
}

async function* held(
  source: AsyncIterable<Uint8Array>,
  { algorithm, value }: Checksum,
): AsyncGenerator<Uint8Array, void, undefined> {
  const hash = createHash(HASHES[algorithm]!);
  for await (const chunk of source) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest('hex') !== value) throw malformed('The content is not what the request says it is.');
}
