import { decodeStrictly } from './encodings.ts';

const tables = new Map<string, ReadonlyMap<string, readonly number[]>>();

/** Encodes a text; undefined if the encoding lacks one of its characters. The first call for each encoding is slow. */
export function encodeStrictly(text: string, encoding: string): Uint8Array | undefined {
  let table = tables.get(encoding);
  if (!table) tables.set(encoding, (table = tableOf(encoding)));
  const written = encoding === 'windows-1258' ? withMarks(text) : text;
  const bytes: number[] = [];
  for (const character of written) {
    const found = table.get(character);
    if (!found) return undefined;
    bytes.push(...found);
  }
  return Uint8Array.from(bytes);
}

/** In Vietnamese on Windows, letters include their shape marks, and tones follow as combining marks. */
const withMarks = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/([aAeEoO])([\u0300\u0301\u0303\u0309\u0323]?)(\u0302)/g, '$1$3$2')
    .replace(/([aA])([\u0323]?)(\u0306)/g, '$1$3$2')
    .replace(/([oOuU])([\u0300\u0301\u0303\u0309\u0323]?)(\u031b)/g, '$1$3$2')
    .replace(/[aAeEoO]\u0302|[aA]\u0306|[oOuU]\u031b/g, (letter) => letter.normalize('NFC'));

function tableOf(encoding: string): ReadonlyMap<string, readonly number[]> {
  const table = new Map<string, readonly number[]>();
  const put = (...bytes: number[]): void => {
    const text = decodeStrictly(Uint8Array.from(bytes), encoding);
    if (text !== undefined && [...text].length === 1 && !table.has(text)) table.set(text, bytes);
  };
  for (let byte = 0; byte < 0x100; byte++) put(byte);
  if (!/^(?:gb|big5|shift|euc)/.test(encoding)) return table;
  for (let lead = 0x80; lead < 0x100; lead++) for (let trail = 0x40; trail < 0x100; trail++) put(lead, trail);
  return table;
}
