/** Value of a TIFF field. Fractions are numbers, texts have no trailing zeros. */
export type TiffValue = string | readonly number[];
/** Fields of a directory by their tags. */
export type TiffFields = ReadonlyMap<number, TiffValue>;

/** Bytes of a value by its type; types without an entry are unknown. */
const SIZES: Readonly<Record<number, number>> = {
  1: 1,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  6: 1,
  7: 1,
  8: 2,
  9: 4,
  10: 8,
  11: 4,
  12: 8,
};
const ASCII = 2;
const MOST_FIELDS = 512;
const MOST_VALUES = 256;

export interface Tiff {
  /** Offset of the first directory. */
  readonly first: number;
  /** Fields of the directory at an offset; empty if there is none. */
  fields(offset: number): TiffFields;
}

/**
 * Reads a TIFF structure: photos have one for their EXIF data, and most camera raw formats are one. Offsets that lead
 * outside are ignored, so that any bytes can be passed.
 */
export function readTiff(bytes: Uint8Array): Tiff | undefined {
  const order = String.fromCharCode(bytes[0] ?? 0, bytes[1] ?? 0);
  if ((order !== 'II' && order !== 'MM') || bytes.length < 8) return undefined;
  const little = order === 'II';
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // 42; Olympus and Panasonic have other numbers.
  if (![42, 0x4f52, 0x5352, 85].includes(view.getUint16(2, little))) return undefined;

  function valueAt(type: number, at: number): number {
    switch (type) {
      case 3:
        return view.getUint16(at, little);
      case 4:
        return view.getUint32(at, little);
      case 5:
        return view.getUint32(at, little) / view.getUint32(at + 4, little);
      case 8:
        return view.getInt16(at, little);
      case 9:
        return view.getInt32(at, little);
      case 10:
        return view.getInt32(at, little) / view.getInt32(at + 4, little);
      case 11:
        return view.getFloat32(at, little);
      case 12:
        return view.getFloat64(at, little);
      default:
        return view.getUint8(at);
    }
  }

  return {
    first: view.getUint32(4, little),
    fields(offset) {
      const fields = new Map<number, TiffValue>();
      if (offset <= 0 || offset + 2 > bytes.length) return fields;
      const count = Math.min(view.getUint16(offset, little), MOST_FIELDS);
      for (let entry = offset + 2; entry < offset + 2 + count * 12; entry += 12) {
        if (entry + 12 > bytes.length) break;
        const type = view.getUint16(entry + 2, little);
        const number = view.getUint32(entry + 4, little);
        const size = SIZES[type];
        if (size === undefined || number === 0) continue;
        const at = size * number <= 4 ? entry + 8 : view.getUint32(entry + 8, little);
        if (at + size * number > bytes.length) continue;
        const values = Math.min(number, MOST_VALUES);
        fields.set(
          view.getUint16(entry, little),
          type === ASCII
            ? new TextDecoder()
                .decode(bytes.subarray(at, at + values))
                .replace(/\0[^]*$/, '')
                .trim()
            : Array.from({ length: values }, (_, index) => valueAt(type, at + index * size)),
        );
      }
      return fields;
    },
  };
}
