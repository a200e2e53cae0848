import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { requestBytes } from '../upload/index.ts';
import type { Body } from './dav-change-service.ts';
import { malformed } from './dav-refusal.ts';
import { readOcTime } from './dav.ts';

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

/** The content of a PUT, held to what the request says of it. */
export function bodyOf(request: FastifyRequest): Body {
  const { headers, raw } = request;
  if (headers['content-range'] !== undefined) throw malformed('A file is written as a whole.');
  const checksum = statedChecksum(request);
  const bytes = requestBytes(raw);
  const length = headers['content-length'];
  const isChunked = headers['transfer-encoding'] !== undefined;
  return {
    source: checksum ? held(bytes, checksum) : bytes,
    size: isChunked ? undefined : Number(length ?? 0),
    checksum,
    userModifiedAt: readOcTime(headers['x-oc-mtime'] as string | undefined),
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
