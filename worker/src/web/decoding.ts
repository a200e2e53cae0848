import { Readable, type Transform } from 'node:stream';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { encodingLabelled } from '@bowerbird/contract';
import { FetchFailed } from '../fetch/engine.ts';
import { TransientError, classifyError } from './fetch-errors.ts';

export type Encoding = 'gzip' | 'deflate' | 'br' | 'zstd';

const ENCODINGS: Readonly<Record<string, Encoding>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  br: 'br',
  zstd: 'zstd',
};
/** Values of Content-Encoding that some servers send, but that are not content encodings. */
const PLAIN = new Set(['', 'identity', 'none', 'binary', '7bit', '8bit', 'chunked', 'aws-chunked']);
const isPlain = (name: string): boolean => PLAIN.has(name) || encodingLabelled(name) !== undefined;
/** Decoders by encoding. Servers confuse gzip, zlib and raw deflate, so the first bytes decide. */
const DECODERS = {
  gzip: decoderByHead,
  deflate: decoderByHead,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};
/** Names of compressed files, for which some origins wrongly set Content-Encoding. */
const ENCODED_FILES = {
  gzip: /\.(gz|tgz|svgz|Z)$/i,
  deflate: /\.(zz|deflate)$/i,
  br: /\.br$/i,
  zstd: /\.(zst|tzst)$/i,
};

const INNOCENT_BYTES = 64 * 2 ** 20;
const MOST_RATIO = 200;

/** Returns how to decode a body that was encoded although our Accept-Encoding refused that. */
export function encodingOf(header: string | undefined, name: string): Encoding | undefined {
  const names = (header ?? '').split(',').map((one) => one.trim().toLowerCase());
  const unknown = names.find((one) => !isPlain(one) && ENCODINGS[one] === undefined);
  const [encoding, another] = names.flatMap((one) => ENCODINGS[one] ?? []);
  if (another || unknown !== undefined)
    throw new FetchFailed('source_encoding_unknown', {
      final: true,
      facts: { encoding: unknown ?? names.join(', ') },
    });
  return encoding && !ENCODED_FILES[encoding].test(name) ? encoding : undefined;
}

const GZIP_MAGIC = 0x1f8b;
const ZLIB_METHOD = 8;

/** Creates a decoder for gzip, zlib or raw deflate, chosen by the first two bytes. */
function decoderByHead(head: Buffer): Transform {
  if (head.length >= 2 && head.readUInt16BE(0) === GZIP_MAGIC) return createGunzip();
  const isZlib = head.length >= 2 && (head[0]! & 15) === ZLIB_METHOD && head.readUInt16BE(0) % 31 === 0;
  return isZlib ? createInflate() : createInflateRaw();
}

/** Decodes a body. Fails if the compression ratio is implausibly high. */
export async function* decoded(
  source: AsyncIterable<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<Uint8Array, void, undefined> {
  let eaten = 0;
  let given = 0;
  async function* counted(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of source) {
      eaten += chunk.byteLength;
      yield chunk;
    }
  }
  const { head, rest } = await headOf(counted());
  if (head.length === 0) return;
  const encoded = Readable.from(rest, { objectMode: false });
  const decoder: Transform = DECODERS[encoding](head as never);
  encoded.on('error', (error) => decoder.destroy(error));
  encoded.pipe(decoder);
  try {
    for await (const chunk of decoder as AsyncIterable<Uint8Array>) {
      given += chunk.byteLength;
      if (given > INNOCENT_BYTES && given > eaten * MOST_RATIO)
        throw new FetchFailed('source_too_large', { final: true });
      yield chunk;
    }
  } catch (error) {
    throw misreadOf(error);
  } finally {
    encoded.destroy();
    decoder.destroy();
  }
}

const HEAD_BYTES = 2;

/** Reads the first bytes. Returns them and a stream that starts with them again. */
async function headOf(
  source: AsyncGenerator<Uint8Array, void, undefined>,
): Promise<{ head: Buffer; rest: AsyncIterable<Uint8Array> }> {
  let head = Buffer.alloc(0);
  while (head.length < HEAD_BYTES) {
    const { done, value } = await source.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  async function* rest(): AsyncGenerator<Uint8Array, void, undefined> {
    yield head;
    yield* source;
  }
  return { head, rest: rest() };
}

/** Maps decoder errors: corrupt data may be a transmission error the first time, and is permanent the second time. */
function misreadOf(error: unknown): unknown {
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string' || !/^(?:Z_|ERR_BROTLI|ERR__|ZSTD_|ERR_ZSTD)/.test(code))
    return classifyError(error, 'source_incomplete');
  const isCut = code === 'Z_BUF_ERROR';
  const failure = isCut
    ? new FetchFailed('source_incomplete', { cause: error })
    : new FetchFailed('source_failed', { facts: { reason: 'encoding' }, cause: error });
  return new TransientError(failure, undefined, `encoding ${code}`);
}
