import { Readable } from 'node:stream';
import { createBrotliDecompress, createUnzip, createZstdDecompress } from 'node:zlib';
import { FetchFailed } from '../fetch/engine.ts';
import { setbackOf } from './setback.ts';

export type Encoding = 'gzip' | 'br' | 'zstd';

const ENCODINGS: Readonly<Record<string, Encoding>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'gzip',
  br: 'br',
  zstd: 'zstd',
};
const DECODERS = { gzip: createUnzip, br: createBrotliDecompress, zstd: createZstdDecompress };
/** Files that are compressed themselves, which some origins declare to be an encoding of something else. */
const ENCODED_FILES = { gzip: /\.(gz|tgz|svgz|Z)$/i, br: /\.br$/i, zstd: /\.(zst|tzst)$/i };

const INNOCENT_BYTES = 64 * 2 ** 20;
const MOST_RATIO = 200;

/** How bytes must be decoded that were encoded although nobody asked for it. */
export function encodingOf(header: string | undefined, name: string): Encoding | undefined {
  const names = (header ?? '').split(',').map((one) => one.trim().toLowerCase());
  const [encoding, another] = names.flatMap((one) => ENCODINGS[one] ?? []);
  if (another) throw new FetchFailed('source_failed', { final: true, facts: { reason: 'encoding' } });
  return encoding && !ENCODED_FILES[encoding].test(name) ? encoding : undefined;
}

/** Decodes while the ratio is one that honest files have. */
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
  const encoded = Readable.from(counted(), { objectMode: false });
  const decoder = DECODERS[encoding]();
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
    throw setbackOf(error, 'source_incomplete');
  } finally {
    encoded.destroy();
    decoder.destroy();
  }
}
