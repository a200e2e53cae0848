import { decodeStrictly, encodingLabelled, LEGACY_ENCODINGS, type LegacyEncoding } from './encodings.ts';
import { LANGUAGES, type Language } from './languages.ts';
import { improbability } from './likelihood.ts';

const { russian, ukrainian, japanese, simplifiedChinese, traditionalChinese, korean } = LANGUAGES;
const { spanish, portuguese, french, german, nordic, italian } = LANGUAGES;
const { polish, czech, hungarian, romanian, croatian, turkish, vietnamese } = LANGUAGES;
const western = [spanish, portuguese, french, german, nordic, italian];
const central = [polish, czech, hungarian, romanian, croatian, german];

/** Languages written in an encoding, and how much rarer each encoding is than the others. */
const WRITTEN: Readonly<Record<LegacyEncoding, { languages: readonly Language[]; rarity: number }>> = {
  gb18030: { languages: [simplifiedChinese, traditionalChinese], rarity: 0 },
  big5: { languages: [traditionalChinese], rarity: 0.5 },
  shift_jis: { languages: [japanese], rarity: 0 },
  'euc-jp': { languages: [japanese], rarity: 1.5 },
  'euc-kr': { languages: [korean], rarity: 0.5 },
  ibm866: { languages: [russian, ukrainian], rarity: 0.3 },
  cp1125: { languages: [ukrainian], rarity: 3 },
  'windows-1251': { languages: [russian, ukrainian], rarity: 0 },
  'koi8-u': { languages: [russian, ukrainian], rarity: 1 },
  'windows-1252': { languages: western, rarity: 0 },
  'windows-1250': { languages: central, rarity: 1.2 },
  'windows-1254': { languages: [turkish], rarity: 2 },
  'windows-1258': { languages: [vietnamese], rarity: 4 },
  cp850: { languages: western, rarity: 0.2 },
  cp437: { languages: western, rarity: 1 },
  cp852: { languages: central, rarity: 2 },
  cp860: { languages: [portuguese], rarity: 2.5 },
};

/** This many names are enough to detect an encoding. */
const MOST_JUDGED = 200;
/** This much of a long text is enough. */
const BYTES_JUDGED = 512;
/** Cost of a byte that is invalid in an encoding: higher than that of any valid one. */
const MISFIT = 12;
/** Cost of a name that ends within a character. */
const CUT = 10;

/** The encoding of bytes that aren't UTF-8, judged over all of them together; undefined if all are UTF-8. */
export function guessLegacy(samples: Iterable<Uint8Array>): LegacyEncoding | undefined {
  const judged = namesToJudge(samples);
  if (judged.length === 0) return undefined;
  const costs = LEGACY_ENCODINGS.map((encoding) => {
    const { languages, rarity } = WRITTEN[encoding];
    const cost = judged.reduce((sum, bytes) => sum + costOf(bytes, encoding, languages), rarity);
    return { encoding, cost };
  });
  return costs.reduce((best, next) => (next.cost < best.cost ? next : best)).encoding;
}

function namesToJudge(samples: Iterable<Uint8Array>): Uint8Array[] {
  const foreign: Uint8Array[] = [];
  const odd: Uint8Array[] = [];
  let isUtf8Written = false;
  for (const sample of samples) {
    if (foreign.length >= MOST_JUDGED) break;
    const text = decodeStrictly(sample, 'utf-8');
    if (text === undefined) foreign.push(sample.subarray(0, BYTES_JUDGED));
    else if (isOddUtf8(text)) odd.push(sample);
    else if (/[^\0-\x7f]/.test(text)) isUtf8Written = true;
  }
  return foreign.length > 0 || isUtf8Written ? foreign : odd.slice(0, MOST_JUDGED);
}

function costOf(bytes: Uint8Array, encoding: LegacyEncoding, languages: readonly Language[]): number {
  const whole = decodeStrictly(bytes, encoding);
  const text = whole ?? readCut(bytes, encoding);
  if (text === undefined) return bytes.reduce((sum, byte) => sum + (byte < 0x80 ? 3 : MISFIT), 0);
  return leastImprobable(text, languages) + (whole === undefined ? CUT : 0);
}

const leastImprobable = (text: string, languages: readonly Language[]): number =>
  Math.min(...languages.map((language) => improbability(text, language)));

type Reader = (bytes: Uint8Array) => string;

/**
 * Decodes names that belong together and whose encoding may not have been declared: as `declared` if that fits all of
 * them, as UTF-8 if all are valid UTF-8, otherwise by a guess over all of them. No byte is dropped: bytes of a
 * truncated character are written as `%8F`. Different names remain distinct: if two of them would read the same, because
 * they are in different encodings, the later one is written with `%8F` for all such bytes.
 */
export function legacyReader(samples: Iterable<Uint8Array>, declared?: string | number): Reader {
  const names = [...samples];
  const encoding = declaredFor(names, declared) ?? guessLegacy(names);
  const read: Reader = (bytes) => {
    const text = decodeStrictly(bytes, 'utf-8');
    if (text === undefined) return (encoding && readIn(bytes, encoding)) ?? readAlone(bytes);
    const rival = encoding && decodeStrictly(bytes, encoding);
    return rival !== undefined && isUtf8ByChance(text, rival) ? rival : text;
  };
  if (names.length < 2) return read;
  const readings = distinctReadings(names, read);
  return (bytes) => readings.get(keyOf(bytes)) ?? read(bytes);
}

const latin1 = new TextDecoder('latin1');
/** The bytes as a key of a map: one character each. */
const keyOf = (bytes: Uint8Array): string => latin1.decode(bytes);

/** Reads all names, and writes those differently that would read like an earlier one. */
function distinctReadings(names: readonly Uint8Array[], read: Reader): ReadonlyMap<string, string> {
  const readings = new Map<string, string>();
  const taken = new Set<string>();
  for (const bytes of names) {
    const key = keyOf(bytes);
    if (readings.has(key)) continue;
    let text = read(bytes);
    if (taken.has(text)) text = [...bytes].map(escaped).join('');
    while (taken.has(text)) text += '_';
    readings.set(key, text);
    taken.add(text);
  }
  return readings;
}

/** Decodes a single text whose encoding may not have been declared. */
export function legacyText(bytes: Uint8Array, declared?: string | number): string {
  return legacyReader([bytes], declared)(bytes);
}

function declaredFor(
  names: readonly Uint8Array[],
  declared: string | number | undefined,
): string | undefined {
  const encoding = declared === undefined ? undefined : encodingLabelled(declared);
  if (encoding === undefined || encoding.startsWith('utf')) return undefined;
  return names.every((name) => decodeStrictly(name, encoding) !== undefined) ? encoding : undefined;
}

const readIn = (bytes: Uint8Array, encoding: string): string | undefined =>
  decodeStrictly(bytes, encoding) ?? readCut(bytes, encoding);

function readAlone(bytes: Uint8Array): string {
  const encoding = guessLegacy([bytes]) ?? 'cp437';
  return readIn(bytes, encoding) ?? decodeStrictly(bytes, 'cp437')!;
}

const LONGEST_CHARACTER = 4;

/** Programs truncate long names by bytes, and so possibly within a character. */
function readCut(bytes: Uint8Array, encoding: string): string | undefined {
  for (let cut = 1; cut < LONGEST_CHARACTER && cut < bytes.length; cut++) {
    const text = decodeStrictly(bytes.subarray(0, -cut), encoding);
    if (text !== undefined) return text + [...bytes.subarray(-cut)].map(escaped).join('');
  }
  return undefined;
}

const escaped = (byte: number): string =>
  byte < 0x80 ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase()}`;

/** If UTF-8 is this much less probable, valid UTF-8 is considered a coincidence. */
const CHANCE = 6;
const MOST_BY_CHANCE = 4;
const everyLanguage: readonly Language[] = Object.values(LANGUAGES);

/** Phonetic letters, those of dead scripts, and those of languages that few people write. */
const RARE_LETTER =
  /[\u0180-\u019f\u01a2-\u01ae\u01b1-\u0217\u021c-\u02ff\u0370-\u0385\u03cf-\u03ff\u0460-\u052f\u{20000}-\u{3ffff}]/u;

/**
 * True for text that a few bytes of another encoding may resemble by chance: two-byte characters, some of which are
 * symbols or rare letters, or an extremely rare ideograph. Words of a real language don't look like that.
 */
function isOddUtf8(text: string): boolean {
  if (!/[^\0-\x7f]/.test(text)) return false;
  const foreign = [...text].filter((character) => character > '\x7f');
  if (foreign.length > MOST_BY_CHANCE) return false;
  if (foreign.length === 1 && RARE_LETTER.test(foreign[0]!)) return true;
  if (foreign.some((character) => character >= '\u0800')) return false;
  return foreign.some((character) => RARE_LETTER.test(character) || !/[\p{L}\p{M}]/u.test(character));
}

const isUtf8ByChance = (text: string, rival: string): boolean =>
  isOddUtf8(text) && leastImprobable(text, everyLanguage) > leastImprobable(rival, everyLanguage) + CHANCE;
