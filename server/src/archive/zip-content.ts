import { Readable, type Transform } from 'node:stream';
import { createInflateRaw, createZstdDecompress, crc32 } from 'node:zlib';
import { BadArchive, UnknownMethod, WrongPassword, type RandomAccess } from './archive-items.ts';
import { openAes, openClassic } from './zip-cipher.ts';
import type { ZipItem } from './zip-directory.ts';

type Bytes = AsyncIterable<Uint8Array>;

const LOCAL = 0x04034b50;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
const ZSTD = 93;

/**
 * Contents of an entry while it is unpacked, with the size and the checksum of the directory. Throws
 * {@link BadArchive} if they differ, {@link WrongPassword}, {@link UnknownMethod}.
 */
export async function openZipItem(bytes: RandomAccess, item: ZipItem, password: Buffer): Promise<Bytes> {
  const start = await startOfContent(bytes, item);
  const packed = item.packedSize > 0 ? await bytes.stream(start, item.packedSize) : nothing();
  const plain = await unlock(packed, item, password);
  return judged(unpack(plain, item), item);
}

/** Returns whether an entry uses a method that needs no engine. */
export const isUnpackedHere = ({ method, lock }: ZipItem): boolean =>
  lock !== 'unknown' && (method === STORED || method === DEFLATED || method === ZSTD);

/** Offset of an entry's packed bytes, after its local header. Throws {@link BadArchive}. */
export async function startOfContent(bytes: RandomAccess, item: ZipItem): Promise<number> {
  const head = await bytes.read(item.offset, LOCAL_BYTES);
  if (head.length < LOCAL_BYTES || head.readUInt32LE(0) !== LOCAL)
    throw new BadArchive('an entry is not at its stated position');
  const start = item.offset + LOCAL_BYTES + head.readUInt16LE(26) + head.readUInt16LE(28);
  if (start + item.packedSize > bytes.size) throw new BadArchive('an entry extends beyond the file');
  return start;
}

async function* nothing(): AsyncGenerator<Uint8Array, void, undefined> {}

async function unlock(source: Bytes, item: ZipItem, password: Buffer): Promise<Bytes> {
  if (item.lock === 'none') return source;
  if (item.lock === 'unknown') throw new UnknownMethod();
  if (password.length === 0) throw new WrongPassword();
  return item.lock === 'aes' ? openAes(source, password, item) : openClassic(source, password, item);
}

function unpack(source: Bytes, { method }: ZipItem): Bytes {
  if (method === STORED) return source;
  if (method !== DEFLATED && method !== ZSTD) throw new UnknownMethod();
  const through = method === DEFLATED ? createInflateRaw() : createZstdDecompress();
  // A wrong password of the traditional cipher may be detected only here.
  return piped(source, through);
}

async function* piped(source: Bytes, through: Transform): AsyncGenerator<Uint8Array, void, undefined> {
  const from = Readable.from(source, { objectMode: false });
  let failure: Error | undefined;
  from.on('error', (error) => {
    failure = error;
    through.destroy(error);
  });
  from.pipe(through);
  try {
    for await (const chunk of through) yield chunk as Uint8Array;
  } catch (error) {
    if (failure) throw failure;
    throw new BadArchive('an entry cannot be unpacked', { cause: error });
  } finally {
    from.destroy();
    through.destroy();
  }
}

async function* judged(
  source: Bytes,
  { size, checksum, lock, aes }: ZipItem,
): AsyncGenerator<Uint8Array, void, undefined> {
  let passed = 0;
  let sum = 0;
  for await (const chunk of source) {
    passed += chunk.byteLength;
    if (passed > size) throw new BadArchive('an entry is larger than its declared size');
    sum = crc32(chunk, sum);
    yield chunk;
  }
  if (passed !== size) throw new BadArchive('an entry is smaller than its declared size');
  // The second version of AES omits the checksum, which would reveal the content.
  const isSummed = aes === undefined || aes.version === 1;
  if (isSummed && sum !== checksum) {
    if (lock === 'classic') throw new WrongPassword();
    throw new BadArchive('the checksum of an entry is wrong');
  }
}
