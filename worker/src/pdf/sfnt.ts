const TRUETYPE = 0x00010000;

/** A font file with the given tables (https://learn.microsoft.com/typography/opentype/spec/otff), with checksums. */
export function writeSfnt(tables: ReadonlyMap<string, Uint8Array>, flavor = TRUETYPE): Buffer {
  const names = [...tables.keys()].toSorted();
  const power = Math.floor(Math.log2(names.length));
  const head = Buffer.alloc(12 + names.length * 16);
  head.writeUInt32BE(flavor, 0);
  head.writeUInt16BE(names.length, 4);
  head.writeUInt16BE(2 ** power * 16, 6);
  head.writeUInt16BE(power, 8);
  head.writeUInt16BE(names.length * 16 - 2 ** power * 16, 10);
  const parts: Uint8Array[] = [head];
  let offset = head.length;
  names.forEach((name, index) => {
    const bytes = tables.get(name)!;
    const at = 12 + index * 16;
    head.write(name, at, 'latin1');
    head.writeUInt32BE(checksum(bytes), at + 4);
    head.writeUInt32BE(offset, at + 8);
    head.writeUInt32BE(bytes.length, at + 12);
    const padding = (4 - (bytes.length & 3)) & 3;
    parts.push(bytes, Buffer.alloc(padding));
    offset += bytes.length + padding;
  });
  return Buffer.concat(parts);
}

function checksum(bytes: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 4)
    sum =
      (sum +
        (((bytes[at] ?? 0) << 24) |
          ((bytes[at + 1] ?? 0) << 16) |
          ((bytes[at + 2] ?? 0) << 8) |
          (bytes[at + 3] ?? 0))) >>>
      0;
  return sum;
}
