/** What leads nowhere or upwards is left out: what remains stays inside of wherever it is put. */
export function segmentsOf(name: string): string[] {
  return name
    .replace(/^[A-Za-z]:(?=[/\\])/, '')
    .split(/[/\\]/)
    .filter((segment) => segment !== '' && segment !== '.' && segment !== '..');
}

/** Decodes names of one archive, whose program did not say in which encoding it wrote them. */
export function nameDecoder(names: Iterable<Uint8Array>): (name: Uint8Array) => string {
  const unread = [...names].filter((name) => decode('utf-8', name) === undefined);
  const legacy = unread.length > 0 ? likeliest(unread.slice(0, MOST_JUDGED)) : undefined;
  return (name) =>
    decode('utf-8', name) ?? (legacy && decode(legacy, name)) ?? Buffer.from(name).toString('latin1');
}

/** So many names tell an encoding. */
const MOST_JUDGED = 500;

type Encoding = keyof typeof JUDGES;

function decode(encoding: string, name: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(name);
  } catch {
    return undefined;
  }
}

/** How much like writing in its language a name looks that was decoded so, from 0 to 1. */
const JUDGES = {
  gb18030: (_: string, name: Uint8Array) =>
    average(pairs(name, isWide), ({ lead, trail }) => gbk(lead, trail)),
  shift_jis: (_: string, name: Uint8Array) => average(pairs(name, isKanjiLead), ({ lead }) => kana(lead)),
  ibm866: (text: string) => cyrillic(text, 1.05),
  'windows-1251': (text: string) => cyrillic(text, 0.9),
  'windows-1252': (text: string) => (/\p{Script=Latin}/u.test(text.replace(/[\0-\x7f]/g, '')) ? 0.4 : 0.1),
} as const;

/** The encoding that fits the names best; undefined where none fits. */
function likeliest(names: readonly Uint8Array[]): Encoding | undefined {
  let best: { encoding: Encoding; score: number } | undefined;
  for (const encoding of Object.keys(JUDGES) as Encoding[]) {
    const texts = names.map((name) => decode(encoding, name));
    if (texts.includes(undefined)) continue;
    const score = names.reduce((sum, name, at) => sum + JUDGES[encoding](texts[at]!, name), 0);
    if (!best || score > best.score) best = { encoding, score };
  }
  return best?.encoding;
}

interface Pair {
  readonly lead: number;
  /** Undefined of what is one byte. */
  readonly trail: number | undefined;
}

const isWide = (byte: number): boolean => byte > 0x80;
const isKanjiLead = (byte: number): boolean => (byte > 0x80 && byte < 0xa0) || byte >= 0xe0;

/** What is not ASCII in a name, in characters of two bytes where the first one says so. */
function pairs(name: Uint8Array, isLead: (byte: number) => boolean): Pair[] {
  const found: Pair[] = [];
  for (let at = 0; at < name.length; at++) {
    const lead = name[at]!;
    if (lead < 0x80) continue;
    found.push({ lead, trail: isLead(lead) ? name[++at] : undefined });
  }
  return found;
}

/** Characters in everyday use come first in the standard's table. */
function gbk(lead: number, trail = 0): number {
  if (trail < 0xa1 || lead < 0xb0 || lead > 0xf7) return lead === 0xa3 && trail > 0xa0 ? 0.7 : 0;
  return lead <= 0xd7 ? 1 : 0.5;
}

/** Kana, then characters in everyday use, then others; half-width kana are hardly ever meant. */
function kana(lead: number): number {
  if (lead >= 0xa0 && lead < 0xe0) return 0.1;
  if (lead === 0x81 || lead === 0x82 || lead === 0x83) return 1;
  return lead >= 0x88 && lead <= 0x97 ? 1 : lead >= 0x98 ? 0.35 : 0;
}

/** Words that are written as words are: in one script, with capitals at most in front or all through. */
function cyrillic(text: string, full: number): number {
  const words = text.match(/[^\0-\x40[-`{-\x7f]+/g) ?? [];
  const foreign = words.filter((word) => /[^\0-\x7f]/.test(word));
  return average(foreign, (word) => {
    if (!/^[А-Яа-яЁё]+$/.test(word)) return /[A-Za-z]/.test(word) ? 0 : 0.3 * shareOfCyrillic(word) ** 2;
    if (/^[А-ЯЁ]?[а-яё]+$/.test(word)) return full;
    return /^[А-ЯЁ]+$/.test(word) ? (word.length > 2 ? full - 0.03 : 0.7) : 0.5;
  });
}

const shareOfCyrillic = (word: string): number => word.replace(/[^А-Яа-яЁё]/g, '').length / word.length;

function average<T>(values: readonly T[], of: (value: T) => number): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + of(value), 0) / values.length;
}
