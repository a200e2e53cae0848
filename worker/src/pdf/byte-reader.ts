/** Reads big-endian numbers one after the other. Throws a RangeError at the end. */
export interface Reader {
  u8(): number;
  u16(): number;
  i16(): number;
  u32(): number;
  /** `UIntBase128` of WOFF 2.0. */
  base128(): number;
  /** `255UInt16` of WOFF 2.0. */
  short255(): number;
  text(length: number): string;
  take(length: number): Uint8Array;
  skip(length: number): void;
  /** Position of the next byte. */
  at(): number;
}

const LAST_BYTE = 5;

export function createReader(bytes: Uint8Array): Reader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let position = 0;
  const move = (length: number): number => {
    const from = position;
    position += length;
    if (position > bytes.length) throw new RangeError('the font ends too early');
    return from;
  };
  const u8 = (): number => view.getUint8(move(1));
  const u16 = (): number => view.getUint16(move(2));
  return {
    u8,
    u16,
    i16: () => view.getInt16(move(2)),
    u32: () => view.getUint32(move(4)),
    base128() {
      let value = 0;
      for (let count = 0; count < LAST_BYTE; count += 1) {
        const byte = u8();
        value = value * 128 + (byte & 0x7f);
        if ((byte & 0x80) === 0) return value;
      }
      throw new RangeError('a number of the font is too long');
    },
    short255() {
      const code = u8();
      if (code === 253) return u16();
      if (code === 254) return u8() + 506;
      if (code === 255) return u8() + 253;
      return code;
    },
    text(length) {
      const from = move(length);
      return Buffer.from(bytes.subarray(from, from + length)).toString('latin1');
    },
    take(length) {
      const from = move(length);
      return bytes.subarray(from, from + length);
    },
    skip: (length) => void move(length),
    at: () => position,
  };
}
