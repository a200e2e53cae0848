import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { crc32 } from 'node:zlib';
import { decodeChunks } from './aws-chunked.ts';
import { ObjectRefusal } from './object-refusals.ts';
import type { ChunkSigner } from './object-signature.ts';
import { UNSIGNED_PAYLOAD } from './v4-signature.ts';

export interface ObjectBody {
  /** A chunk is valid until the next one is requested. */
  readonly source: AsyncIterable<Uint8Array>;
  /** Size of the content without framing; undefined if the request does not state it. */
  readonly size: number | undefined;
}

/** Digest that the request states for its content. */
interface Expectation {
  readonly refusal: 'XAmzContentSHA256Mismatch' | 'BadDigest';
  readonly expected: () => string | undefined;
  readonly update: (chunk: Uint8Array) => void;
  readonly found: () => string;
}

const CHECKSUM = 'x-amz-checksum-';
const HASHES = ['sha1', 'sha256'] as const;

/**
 * Content of a request without its framing, verified against every digest that the request states. The
 * connection stays usable for the response if the content is rejected.
 */
export function bodyOf(
  request: IncomingMessage,
  { payload, chunks }: { payload: string; chunks?: ChunkSigner | undefined },
): ObjectBody {
  const { headers } = request;
  const header = (name: string): string | undefined => {
    const value = headers[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const trailers = new Map<string, string>();
  const raw = requestBytes(request);
  const framed =
    payload.startsWith('STREAMING-') || /(^|,)\s*aws-chunked\s*(,|$)/.test(header('content-encoding') ?? '');
  const source = framed ? decodeChunks(raw, (name, value) => trailers.set(name, value), chunks) : raw;
  const lengths = [
    ...(framed ? [] : [header('content-length')]),
    header('x-amz-decoded-content-length'),
  ].filter((length) => length !== undefined);
  if (!lengths.every((length) => /^\d{1,15}$/.test(length)) || new Set(lengths.map(Number)).size > 1)
    throw new ObjectRefusal('InvalidArgument', 'The length of the content is not valid.');

  const expectations: Expectation[] = [];
  const expectHash = (
    algorithm: string,
    encoding: 'hex' | 'base64',
    refusal: Expectation['refusal'],
    expected: Expectation['expected'],
  ): void => {
    const hash = createHash(algorithm);
    expectations.push({
      refusal,
      expected,
      update: (chunk) => void hash.update(chunk),
      found: () => hash.digest(encoding),
    });
  };
  if (/^[0-9a-f]{64}$/.test(payload)) expectHash('sha256', 'hex', 'XAmzContentSHA256Mismatch', () => payload);
  else if (payload !== UNSIGNED_PAYLOAD && !payload.startsWith('STREAMING-'))
    throw new ObjectRefusal('InvalidArgument', 'x-amz-content-sha256 is not valid.');
  if (header('content-md5')) expectHash('md5', 'base64', 'BadDigest', () => header('content-md5'));
  const announced = new Set(
    (header('x-amz-trailer') ?? '').split(',').map((name) => name.trim().toLowerCase()),
  );
  const stated = (name: string): boolean => header(name) !== undefined || announced.has(name);
  const checksum = (name: string) => () => header(name) ?? trailers.get(name);
  for (const algorithm of HASHES)
    if (stated(CHECKSUM + algorithm))
      expectHash(algorithm, 'base64', 'BadDigest', checksum(CHECKSUM + algorithm));
  if (stated(`${CHECKSUM}crc32`)) expectations.push(expectCrc(checksum(`${CHECKSUM}crc32`)));

  return {
    source: expectations.length > 0 ? held(source, expectations) : source,
    size: lengths.length === 0 ? undefined : Number(lengths[0]),
  };
}

/**
 * Body of a request as it arrives. A chunk is valid until the next one is requested; the connection stays
 * usable.
 */
export function requestBytes(request: IncomingMessage): AsyncIterable<Uint8Array> {
  return lent(request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>);
}

/**
 * Releases a chunk's memory when the next one is requested. Garbage collection would do so too, but scans the
 * heap after every few dozen megabytes.
 */
async function* lent(source: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of source) {
    yield chunk;
    const { buffer } = chunk;
    if (buffer instanceof ArrayBuffer && buffer.byteLength === chunk.byteLength && !buffer.detached)
      buffer.transfer(0);
  }
}

function expectCrc(expected: Expectation['expected']): Expectation {
  let sum = 0;
  const found = (): string => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(sum);
    return bytes.toString('base64');
  };
  return { refusal: 'BadDigest', expected, found, update: (chunk) => void (sum = crc32(chunk, sum)) };
}

async function* held(
  source: AsyncIterable<Uint8Array>,
  expectations: readonly Expectation[],
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of source) {
    for (const { update } of expectations) update(chunk);
    yield chunk;
  }
  for (const { refusal, expected, found } of expectations) {
    if (expected() !== found())
      throw new ObjectRefusal(refusal, 'The content is not what the request says it is.');
  }
}

/** Small body as text; `EntityTooLarge` beyond `most` bytes. */
export async function textOf({ source }: ObjectBody, most: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    size += chunk.byteLength;
    if (size > most) throw new ObjectRefusal('EntityTooLarge', 'The request is too large.');
    chunks.push(Buffer.from(chunk));
  }
  return Buffer.concat(chunks).toString('utf8');
}
