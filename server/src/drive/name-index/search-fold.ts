/** Separates the spellings of a name in an entry of the index. */
export const SPELLING = '\u0001';

/** Marks of Latin, Greek and Cyrillic letters. */
const MARKS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/gu;
/**
 * Hebrew points, Arabic vowel signs and the stroke that lengthens words, signs for foreign sounds in Indian scripts;
 * characters that nobody sees: soft hyphens, joiners, directions, variants of emoji.
 */
const UNWRITTEN =
  /[\u0000\u0001\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u093c\u09bc\u0a3c\u0abc\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufe00-\ufe0f]/gu;
const PLAIN = /^[\u0020-\u007e]*$/;

/** Letters that are no variants by Unicode's rules, but that readers search for by others. */
const LIKE: ReadonlyMap<string, string> = new Map([
  ...pairs('đd ðd øo łl ħh ŋn ŧt ıi ĸk ȷj ƒf', 1),
  ['þ', 'th'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ς', 'σ'],
  ['ґ', 'г'],
  // Arabic and Persian forms of the same letters.
  ...pairs('ىي یي ېي ةه کك ھه ہه ۀه ٱا', 1),
  ['ँ', 'ं'],
  // Quotes, dashes and other signs that are typed as those of ASCII.
  ...[...'‘’‚‛′'].map((sign) => [sign, "'"] as const),
  ...[...'“”„‟″«»'].map((sign) => [sign, '"'] as const),
  ...[...'‐‑‒–—―−'].map((sign) => [sign, '-'] as const),
  ['〜', '~'],
  ['⁄', '/'],
  ...digits(0x06_60, 0x06_f0, 0x09_66, 0x09_e6, 0x0a_66, 0x0a_e6, 0x0e_50, 0x0e_d0, 0x10_40),
  ...katakana(),
]);
const LIKELY = new RegExp(
  `[${[...LIKE.keys()].map((letter) => letter.replace(/[`^\]\\-]/, String.raw`\$&`)).join('')}]`,
  'gu',
);

/** Spellings of German, Danish, Norwegian and Swedish letters where there are none. */
const SPELLED: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };
const SPELLABLE = /[äöüøå]/giu;

function pairs(text: string, letters: number): [string, string][] {
  return text.split(' ').map((pair) => [pair.slice(0, letters), pair.slice(letters)]);
}

function digits(...zeros: number[]): [string, string][] {
  return zeros.flatMap((zero) =>
    Array.from({ length: 10 }, (_, digit): [string, string] => [
      String.fromCharCode(zero + digit),
      String(digit),
    ]),
  );
}

/** Katakana are searched as hiragana. */
function katakana(): [string, string][] {
  return Array.from({ length: 0x30_f6 - 0x30_a1 + 1 }, (_, at): [string, string] => [
    String.fromCharCode(0x30_a1 + at),
    String.fromCharCode(0x30_41 + at),
  ]);
}

/**
 * Returns a text as it is searched: without case, accents and width, as far as readers of its language ignore them.
 * Й, ї and ў stay letters of their own, and so do Japanese voiced sounds and all vowels of Thai and Indian scripts.
 */
export function foldText(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  const letters = text
    .normalize('NFKD')
    .replace(/[иИ]\u0306/gu, 'й')
    .replace(/[уУ]\u0306/gu, 'ў')
    .replace(/[іІ]\u0308/gu, 'ї')
    .replace(MARKS, '')
    .replace(UNWRITTEN, '')
    .normalize('NFKC');
  // Upper case first: characters that exist in only one case (ß) then match their counterparts.
  return letters
    .toUpperCase()
    .toLowerCase()
    .replace(MARKS, '')
    .replace(LIKELY, (letter) => LIKE.get(letter)!);
}

/** Returns the other spelling of a text, with `ae` for `ä`, as {@link foldText} does; undefined if it has none. */
export function foldSpelled(text: string): string | undefined {
  if (PLAIN.test(text)) return undefined;
  const composed = text.normalize('NFC');
  const spelled = composed.replace(SPELLABLE, (letter) => SPELLED[letter.toLowerCase()]!);
  return spelled === composed ? undefined : foldText(spelled);
}

/** Returns all spellings under which a text is found. */
export function spellingsOf(text: string): string[] {
  const plain = foldText(text);
  const spelled = foldSpelled(text);
  return spelled === undefined || spelled === plain ? [plain] : [plain, spelled];
}

/** Returns the text of a name in the index: its spellings, separated. */
export const entryText = (name: string): string =>
  PLAIN.test(name) ? name.toLowerCase() : spellingsOf(name).join(SPELLING);

/** True for characters, as UTF-16 units of a folded text, after which a word begins. */
export function isBoundary(unit: number): boolean {
  if (unit < 0x80)
    return !(
      (unit >= 0x61 && unit <= 0x7a) ||
      (unit >= 0x30 && unit <= 0x39) ||
      (unit >= 0x41 && unit <= 0x5a)
    );
  return unit < 0xc0 || (unit >= 0x20_00 && unit < 0x20_80) || (unit >= 0x30_00 && unit < 0x30_40);
}
