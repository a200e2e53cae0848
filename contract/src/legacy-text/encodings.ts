import { DOS_PAGES } from './dos-pages.ts';

type DosPage = keyof typeof DOS_PAGES;

/** Pre-Unicode encodings that names and texts still come in. */
export const LEGACY_ENCODINGS = [
  'gb18030',
  'big5',
  'shift_jis',
  'euc-jp',
  'euc-kr',
  'ibm866',
  'cp1125',
  'windows-1251',
  'koi8-u',
  'windows-1252',
  'windows-1250',
  'windows-1254',
  'windows-1258',
  'cp850',
  'cp437',
  'cp852',
  'cp860',
] as const;
export type LegacyEncoding = (typeof LEGACY_ENCODINGS)[number];

const decoders = new Map<string, InstanceType<typeof TextDecoder>>();

/** Decodes bytes; undefined if they aren't valid in the encoding. */
export function decodeStrictly(bytes: Uint8Array, encoding: string): string | undefined {
  const page = pageOf(encoding);
  if (page !== undefined) return decodePage(bytes, page);
  try {
    let decoder = decoders.get(encoding);
    if (!decoder)
      decoders.set(encoding, (decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })));
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

const pageOf = (encoding: string): DosPage | undefined =>
  Object.hasOwn(DOS_PAGES, encoding) ? (encoding as DosPage) : undefined;

function decodePage(bytes: Uint8Array, page: DosPage): string {
  let text = '';
  for (const byte of bytes)
    text += byte < 0x80 ? String.fromCharCode(byte) : DOS_PAGES[page].charAt(byte - 0x80);
  return text;
}

/** Windows code page numbers, except those that are part of a label that decoders know (such as windows-1251). */
const CODE_PAGES: Readonly<Record<string, string>> = {
  '437': 'cp437',
  '850': 'cp850',
  '858': 'cp850',
  '852': 'cp852',
  '860': 'cp860',
  '866': 'ibm866',
  '874': 'windows-874',
  '932': 'shift_jis',
  '936': 'gb18030',
  '949': 'euc-kr',
  '950': 'big5',
  '1125': 'cp1125',
  '20866': 'koi8-r',
  '21866': 'koi8-u',
  '20932': 'euc-jp',
  '51932': 'euc-jp',
  '51949': 'euc-kr',
  '51936': 'gb18030',
  '54936': 'gb18030',
  '28591': 'windows-1252',
  '65001': 'utf-8',
};

/** The encoding for a label such as `GBK`, `cp936`, `x-sjis` or the number 936; undefined if unknown. */
export function encodingLabelled(label: string | number): string | undefined {
  const told = String(label).trim().toLowerCase();
  const [, number] = /^(?:cp|ms|ibm|x-cp|windows-|dos-?|codepage-?)?_?(\d{3,5})$/.exec(told) ?? [];
  if (number !== undefined) {
    const known = CODE_PAGES[number] ?? (/^125\d$/.test(number) ? `windows-${number}` : undefined);
    if (known !== undefined) return known;
  }
  try {
    return new TextDecoder(told.replace(/^utf8mb4$/, 'utf-8')).encoding;
  } catch {
    return undefined;
  }
}
