import { crc32 } from 'node:zlib';

/** An entry as it is written; correct unless fields override it. */
export interface SevenZipEntry {
  readonly name: string;
  readonly content?: string | Buffer;
  readonly isFolder?: boolean;
  /** Unix mode: 0o120777 is a link. */
  readonly mode?: number;
  /** Overrides the true value in the header. */
  readonly size?: number;
  readonly checksum?: number;
}

/** A number in 7z's format: the first byte determines how many follow. */
function number(value: number): Buffer {
  if (value < 0x80) return Buffer.from([value]);
  const bytes = Buffer.alloc(9);
  bytes[0] = 0xff;
  bytes.writeBigUInt64LE(BigInt(value), 1);
  return bytes;
}

const word = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};

const long = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};

/** Bits, the highest first. */
function bits(flags: readonly boolean[]): Buffer {
  const bytes = Buffer.alloc(Math.ceil(flags.length / 8));
  for (const [at, flag] of flags.entries()) if (flag) bytes[at >> 3]! |= 0x80 >> (at & 7);
  return bytes;
}

const property = (id: number, ...fields: Buffer[]): Buffer => {
  const body = Buffer.concat(fields);
  return Buffer.concat([Buffer.from([id]), number(body.length), body]);
};

/**
 * Builds a 7z with uncompressed entries, each in a block of its own. It can be one that no program would
 * write.
 */
export function rawSevenZip(entries: readonly SevenZipEntry[], { count }: { count?: number } = {}): Buffer {
  const contentOf = (entry: SevenZipEntry): Buffer => Buffer.from((entry.content ?? '') as string);
  const full = entries.filter((entry) => contentOf(entry).length > 0);
  const contents = full.map(contentOf);
  const streams =
    full.length === 0
      ? Buffer.alloc(0)
      : Buffer.concat([
          Buffer.from([0x04, 0x06]),
          number(0),
          number(full.length),
          Buffer.from([0x09]),
          ...contents.map(({ length }) => number(length)),
          Buffer.from([0x00, 0x07, 0x0b]),
          number(full.length),
          Buffer.from([0x00]),
          // One coder without properties: the method "copy".
          ...full.map(() => Buffer.from([0x01, 0x01, 0x00])),
          Buffer.from([0x0c]),
          ...full.map(({ size }, at) => number(size ?? contents[at]!.length)),
          Buffer.from([0x0a, 0x01]),
          ...full.map(({ checksum }, at) => word(checksum ?? crc32(contents[at]!))),
          // One file per block, with the checksum of the block.
          Buffer.from([0x00, 0x08, 0x00, 0x00]),
        ]);
  const names = Buffer.from(`${entries.map(({ name }) => name).join('\0')}\0`, 'utf16le');
  const empty = entries.map((entry) => contentOf(entry).length === 0);
  const attributes = entries.map(({ mode, isFolder }) =>
    word(((mode ?? (isFolder ? 0o40755 : 0o100644)) << 16) | 0x8000 | (isFolder ? 0x10 : 0x20)),
  );
  const header = Buffer.concat([
    Buffer.from([0x01]),
    streams,
    Buffer.from([0x05]),
    number(count ?? entries.length),
    ...(empty.includes(true)
      ? [
          property(0x0e, bits(empty)),
          property(0x0f, bits(entries.filter((_, at) => empty[at]).map(({ isFolder }) => !isFolder))),
        ]
      : []),
    property(0x11, Buffer.from([0]), names),
    property(0x15, Buffer.from([1, 0]), ...attributes),
    Buffer.from([0x00, 0x00]),
  ]);
  const packed = Buffer.concat(contents);
  const start = Buffer.concat([long(packed.length), long(header.length), word(crc32(header))]);
  return Buffer.concat([Buffer.from('377abcaf271c0004', 'hex'), word(crc32(start)), start, packed, header]);
}
