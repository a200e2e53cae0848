import { crc32, deflateRawSync } from 'node:zlib';

/** An entry as it is written; correct unless fields override it. */
export interface RawEntry {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  readonly deflated?: boolean;
  /** Overrides the true value in the directory. */
  readonly size?: number;
  readonly checksum?: number;
  readonly offset?: number;
  readonly flags?: number;
  readonly method?: number;
  /** Unix mode: 0o120777 is a link. */
  readonly mode?: number;
  /** Date and time in DOS format; 27 November 2026, 0:00 by default. */
  readonly changed?: { readonly date: number; readonly time: number };
  /** Complete extra fields for the directory. */
  readonly extra?: Buffer;
}

/** Builds a zip byte by byte. It can be one that no program would write. */
export function rawZip(
  entries: readonly RawEntry[],
  { count = entries.length, comment = Buffer.alloc(0) }: { count?: number; comment?: Buffer } = {},
): Buffer {
  const bodies: Buffer[] = [];
  const records: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name as string);
    const content = Buffer.from((entry.content ?? '') as string);
    const packed = entry.deflated ? deflateRawSync(content) : content;
    const fields = Buffer.alloc(24);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(entry.flags ?? (typeof entry.name === 'string' ? 1 << 11 : 0), 2);
    fields.writeUInt16LE(entry.method ?? (entry.deflated ? 8 : 0), 4);
    fields.writeUInt16LE(entry.changed?.time ?? 0, 6);
    fields.writeUInt16LE(entry.changed?.date ?? (46 << 9) | (11 << 5) | 27, 8);
    fields.writeUInt32LE(entry.checksum ?? crc32(content), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(entry.size ?? content.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.alloc(2), name]);
    const extra = entry.extra ?? Buffer.alloc(0);
    const central = Buffer.alloc(16);
    central.writeUInt16LE(extra.length, 0);
    central.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 8);
    central.writeUInt32LE(entry.offset ?? at, 12);
    records.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 3]), fields, central, name, extra);
    bodies.push(local, packed);
    at += local.length + packed.length;
  }
  const directory = Buffer.concat(records);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(count % 65_536, 4);
  end.writeUInt16LE(count % 65_536, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(at, 12);
  end.writeUInt16LE(comment.length, 16);
  return Buffer.concat([...bodies, directory, Buffer.from('PK\x05\x06'), end, comment]);
}

/** Reads a small archive by its central directory, according to the format's specification. */
export function unpacked(archive: Buffer): Record<string, string> {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  let at = archive.readUInt32LE(end + 16);
  return Object.fromEntries(
    Array.from({ length: archive.readUInt16LE(end + 10) }, () => {
      const [checksum, size, nameLength, extraLength, offset] = [
        archive.readUInt32LE(at + 16),
        archive.readUInt32LE(at + 24),
        archive.readUInt16LE(at + 28),
        archive.readUInt16LE(at + 30),
        archive.readUInt32LE(at + 42),
      ];
      const name = archive.subarray(at + 46, at + 46 + nameLength);
      at += 46 + nameLength + extraLength;
      const start = offset + 30 + archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28);
      if (!archive.subarray(offset + 30, offset + 30 + nameLength).equals(name))
        throw new Error(`${name.toString()} has a different name in its local header`);
      const bytes = archive.subarray(start, start + size);
      if (crc32(bytes) !== checksum) throw new Error(`${name.toString()} is damaged`);
      return [name.toString(), bytes.toString()];
    }),
  );
}
