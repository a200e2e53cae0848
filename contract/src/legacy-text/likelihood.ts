import { isLetter, kindOf, type Kind } from './characters.ts';
import type { Language } from './languages.ts';

/** Cost of a change of script within a word: changes that hardly ever occur indicate a wrong guess. */
const MIXED = 7;
const NOISE = 16;
const STRANGE_SIGN = 13;
const FOREIGN_LETTER = 26;
const KNOWN_SIGN = 7.5;
/** Quotes, dashes and dots as inserted by word processors. */
const TYPOGRAPHIC = '’–—…“”';
const TYPOGRAPHIC_COST = 5.5;
const SIGN_INSIDE = 4;
/** Discount for a frequent word, for each of its characters except one. */
const WORD_BONUS = 2.5;
/** Accented letters that are words. */
const LONE_LETTERS = 'àáéèóòÀÁÉÈÓÄÖÜÅåöü';
const LONE = 4;
const LONE_CYRILLIC = 'авикосуяіїйз';
const LONE_CAPITAL = 2;
const PLAIN = 3;
/** Not allowed in Windows file names, so hardly ever meant. */
const FORBIDDEN_SIGNS = ':*?"<>|';
const FORBIDDEN = 9;
const BACKSLASH = 5;
const CAPITAL_INSIDE = 5;
const SMALL_AFTER_CAPITALS = 3;
const CAPITAL = 0.7;
const ACCENT_AFTER_ACCENT = 1;

/**
 * Improbability of a text in a language: the negative logarithm of its probability, so that decodings of the same
 * bytes in several encodings can be compared.
 */
export function improbability(text: string, language: Language): number {
  let sum = 0;
  let before = '';
  let beforeKind: Kind = 'plain';
  let capitals = 0;
  let length = 0;
  let isInWord = false;
  const endWord = (): void => {
    if (beforeKind === 'cyrillic') sum += language.end(before);
    if (length === 1) sum += loneCost(before, beforeKind);
    before = '';
    capitals = 0;
    length = 0;
  };
  for (const character of text) {
    const kind = kindOf(character.codePointAt(0)!);
    if (isLetter(kind)) {
      if (isLetter(beforeKind)) sum += mixing(beforeKind, before, kind, character);
      if (beforeKind === 'cyrillic' && kind !== 'cyrillic') endWord();
      sum += letterCost(character, kind, before, language);
      sum += caseCost(character, kind, before, beforeKind, capitals);
      if (kind === 'latin' && beforeKind === 'latin') sum += ACCENT_AFTER_ACCENT;
      capitals = isCapital(character) ? capitals + 1 : 0;
      before = character;
      length += 1;
      if (isInWord) sum += SIGN_INSIDE;
      isInWord = false;
    } else {
      isInWord = length > 0 && !language.isWide && TYPOGRAPHIC.includes(character) && character !== '’';
      if (kind === 'wide-sign' && beforeKind === 'ascii') sum += 2.5;
      endWord();
      sum += signCost(character, kind, language);
    }
    beforeKind = kind;
  }
  endWord();
  return sum - bonus(text, language);
}

function loneCost(letter: string, kind: Kind): number {
  if (kind === 'latin') return LONE_LETTERS.includes(letter) ? 0 : LONE;
  if (kind !== 'cyrillic') return 0;
  if (!LONE_CYRILLIC.includes(letter.toLowerCase())) return LONE;
  return isCapital(letter) ? LONE_CAPITAL : 0;
}

function bonus(text: string, { words }: Language): number {
  if (!words) return 0;
  return (text.match(words) ?? []).reduce((sum, word) => sum + WORD_BONUS * (word.length - 1), 0);
}

function letterCost(character: string, kind: Kind, before: string, language: Language): number {
  if (kind === 'ascii') return PLAIN;
  return language.letter(character, before, kind) ?? (kind === 'greek' ? STRANGE_SIGN : FOREIGN_LETTER);
}

function signCost(character: string, kind: Kind, language: Language): number {
  if (kind === 'noise') return NOISE;
  if (kind === 'plain') {
    if (character === '\\') return BACKSLASH;
    return FORBIDDEN_SIGNS.includes(character) || character < ' ' || character === '\x7f' ? FORBIDDEN : PLAIN;
  }
  if (language.signs.includes(character))
    return TYPOGRAPHIC.includes(character) && !language.isWide ? TYPOGRAPHIC_COST : KNOWN_SIGN;
  return kind === 'wide-sign' && language.isWide ? 9 : STRANGE_SIGN;
}

const FAMILY: Readonly<Partial<Record<Kind, string>>> = {
  ascii: 'latin',
  latin: 'latin',
  mark: 'latin',
  han: 'ideographs',
  kana: 'ideographs',
};

function mixing(beforeKind: Kind, before: string, kind: Kind, character: string): number {
  const [left, right] = [FAMILY[beforeKind] ?? beforeKind, FAMILY[kind] ?? kind];
  if (left === right) return 0;
  if (left === 'ideographs' && right === 'hangul') return 4;
  if (left === 'hangul' && right === 'ideographs') return 4;
  if (isWide(kind) && beforeKind === 'ascii') return /[A-Z]/.test(before) ? 1 : 2.5;
  if (isWide(beforeKind) && kind === 'ascii') return /[A-Z]/.test(character) ? 1 : 2.5;
  return MIXED;
}

const isWide = (kind: Kind): boolean => kind === 'han' || kind === 'kana' || kind === 'hangul';
const isCapital = (character: string): boolean => character !== character.toLowerCase();
const isSmall = (character: string): boolean => character !== character.toUpperCase();
const hasCase = (kind: Kind): boolean =>
  kind === 'ascii' || kind === 'latin' || kind === 'cyrillic' || kind === 'greek';

/** Words begin with a capital, or are all capitals; anything else indicates a wrong guess. */
function caseCost(character: string, kind: Kind, before: string, beforeKind: Kind, capitals: number): number {
  if (!hasCase(kind) || (kind === 'ascii' && beforeKind === 'ascii')) return 0;
  const isForeign = kind !== 'ascii' || beforeKind !== 'ascii';
  const isInside = before !== '' && hasCase(beforeKind);
  if (isCapital(character)) {
    if (isInside && isSmall(before) && isForeign) return CAPITAL_INSIDE;
    return kind === 'ascii' ? 0 : CAPITAL;
  }
  return isInside && capitals > 1 && isSmall(character) ? SMALL_AFTER_CAPITALS : 0;
}
