/** A decoded value from an untrusted source: numbers are integers, strings are bytes, keys are latin-1 text. */
export type Bencoded = number | Uint8Array | Bencoded[] | BencodedDictionary | typeof UNCLEAR;

/** A value that parsers disagree about or that exceeds the number range. It is only an error if the value is needed. */
export const UNCLEAR = Symbol('unclear');
export interface BencodedDictionary extends Map<string, Bencoded> {}

/** Thrown for bytes that are not bencoded, or that exceed the limits. */
export class BencodeError extends Error {
  override name = 'BencodeError';
}

const MAX_DEPTH = 40;
const MAX_VALUES = 1_500_000;
const MAX_INTEGER_BYTES = 1000;
const MAX_LENGTH_DIGITS = 9;
const [ZERO, NINE, COLON] = [0x30, 0x39, 0x3a];
const [DICTIONARY, END, INTEGER, LIST] = [0x64, 0x65, 0x69, 0x6c];

/**
 * Decodes the value at the start of `bytes`; strings are views of `bytes`. Values that parsers disagree about (leading
 * zeros, numbers beyond the exact range, duplicate keys) become {@link UNCLEAR}; the order of keys and trailing bytes
 * are ignored. Sets in `spans` the byte range of each value of the outermost dictionary by key, and of the whole under
 * "". If this throws, `spans` has the values before the error.
 */
export function readBencoded(bytes: Uint8Array, spans?: Map<string, [number, number]>): Bencoded {
  let at = 0;
  let values = 0;

  function digits(end: number, most: number): number {
    const start = at;
    let value = 0;
    for (; at < bytes.length && bytes[at] !== end; at += 1) {
      const digit = bytes[at]!;
      if (digit < ZERO || digit > NINE) throw new BencodeError(`no digit at ${at}`);
      value = value * 10 + digit - ZERO;
      if (at - start >= most) throw new BencodeError(`long number at ${start}`);
    }
    if (at === start || at >= bytes.length) throw new BencodeError(`no number at ${start}`);
    if (bytes[start] === ZERO && at - start > 1) throw new BencodeError(`leading zero at ${start}`);
    at += 1;
    return value;
  }

  function integer(): number | typeof UNCLEAR {
    const end = bytes.subarray(at, at + MAX_INTEGER_BYTES).indexOf(END);
    if (end < 0) throw new BencodeError(`no end of the number at ${at}`);
    const text = latin1(bytes.subarray(at, at + end));
    at += end + 1;
    return /^(?:0|-?[1-9]\d*)$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : UNCLEAR;
  }

  function string(): Uint8Array {
    const length = digits(COLON, MAX_LENGTH_DIGITS);
    if (length > bytes.length - at) throw new BencodeError(`string past the end at ${at}`);
    at += length;
    return bytes.subarray(at - length, at);
  }

  function list(depth: number): Bencoded[] {
    const items: Bencoded[] = [];
    while (bytes[at] !== END) items.push(value(depth));
    at += 1;
    return items;
  }

  function dictionary(depth: number): BencodedDictionary {
    const entries: BencodedDictionary = new Map();
    while (bytes[at] !== END) {
      const key = latin1(string());
      const start = at;
      const isTwice = entries.has(key);
      const read = value(depth);
      entries.set(key, isTwice ? UNCLEAR : read);
      if (depth === 1) spans?.set(key, [start, at]);
    }
    at += 1;
    return entries;
  }

  function value(depth: number): Bencoded {
    if (depth >= MAX_DEPTH || (values += 1) > MAX_VALUES)
      throw new BencodeError('deeper or longer than allowed');
    switch (bytes[at]) {
      case INTEGER:
        at += 1;
        return integer();
      case LIST:
        at += 1;
        return list(depth + 1);
      case DICTIONARY:
        at += 1;
        return dictionary(depth + 1);
      default:
        return string();
    }
  }

  const whole = value(0);
  spans?.set('', [0, at]);
  return whole;
}

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

/** Bytes that are bencoded already, to be embedded unchanged. */
export interface Raw {
  readonly raw: Uint8Array;
}
export type Writable = number | string | Raw | readonly Writable[] | ReadonlyMap<string, Writable>;

/** Encodes a value of our own; keys must be sorted. */
export function writeBencoded(value: Writable): Buffer {
  const parts: Uint8Array[] = [];
  function write(part: Writable): void {
    if (typeof part === 'number') parts.push(Buffer.from(`i${part}e`));
    else if (typeof part === 'string') {
      const text = Buffer.from(part);
      parts.push(Buffer.from(`${text.length}:`), text);
    } else if ('raw' in part) parts.push(part.raw);
    else {
      parts.push(Buffer.from(part instanceof Map ? 'd' : 'l'));
      for (const item of part instanceof Map ? [...part].flat() : (part as readonly Writable[])) write(item);
      parts.push(Buffer.from('e'));
    }
  }
  write(value);
  return Buffer.concat(parts);
}
