import { nameProblem, splitName, type Choice, type ErrorId } from '@bowerbird/contract';
import type { RenameRules } from './rename-rules.ts';

export type RenameItem = Pick<Choice, 'id' | 'kind' | 'name' | 'parent_id' | 'modified_time'>;

/** Reason why a new name can’t be given. */
export type NameTrouble = Extract<ErrorId, `file_name_${string}`> | 'twice' | 'taken';

export interface NewNames {
  /** By item. */
  readonly names: readonly string[];
  readonly troubles: ReadonlyMap<number, NameTrouble>;
  /** Numbers of the items: those in trouble first, then those that change, then the others. */
  readonly rows: readonly number[];
  readonly changed: number;
}

/** Identifies a name in a folder. */
export const placeOfName = (folder: string, name: string): string => `${folder}/${name.normalize('NFC')}`;

const PLAIN = /^[\u0020-\u007e]*$/;
const WORDS = /[\p{L}\p{M}\p{N}'’]+/gu;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

const charactersOf = (text: string): string[] =>
  PLAIN.test(text) ? [...text] : Array.from(segmenter.segment(text), ({ segment }) => segment);

/** Returns the pattern of the first rule, or undefined if it does nothing. Throws if the expression is invalid. */
function patternOf({ find, isRegex, matchesCase }: RenameRules): RegExp | undefined {
  if (find === '') return undefined;
  const source = isRegex ? find : find.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
  return new RegExp(source, matchesCase ? 'gu' : 'giu');
}

function withoutPart(text: string, { removeCount, removeAt, removeFromEnd }: RenameRules): string {
  if (removeCount <= 0) return text;
  const characters = charactersOf(text);
  const from = removeFromEnd ? Math.max(0, characters.length - removeAt - removeCount) : removeAt;
  const to = removeFromEnd ? Math.max(0, characters.length - removeAt) : removeAt + removeCount;
  return [...characters.slice(0, from), ...characters.slice(to)].join('');
}

function withPart(text: string, { insert, insertAt, insertFromEnd }: RenameRules): string {
  if (insert === '') return text;
  const characters = charactersOf(text);
  const at = insertFromEnd ? Math.max(0, characters.length - insertAt) : insertAt;
  return [...characters.slice(0, at), insert, ...characters.slice(at)].join('');
}

const capital = (word: string, locale: string): string => {
  const [first = '', ...rest] = charactersOf(word);
  return first.toLocaleUpperCase(locale) + rest.join('').toLocaleLowerCase(locale);
};

function cased(text: string, letters: RenameRules['letters'], locale: string): string {
  switch (letters) {
    case 'lower':
      return text.toLocaleLowerCase(locale);
    case 'upper':
      return text.toLocaleUpperCase(locale);
    case 'title':
      return text.replace(WORDS, (word) => capital(word, locale));
    case 'sentence': {
      const lower = text.toLocaleLowerCase(locale);
      return lower.replace(/[\p{L}]/u, (letter) => letter.toLocaleUpperCase(locale));
    }
    default:
      return text;
  }
}

const joined = (text: string, part: string, place: RenameRules['number'], separator: string): string => {
  if (place === 'none') return text;
  if (place === 'replace' || text === '') return part;
  return place === 'before' ? part + separator + text : text + separator + part;
};

/** `2026-11-24`, in the reader's time zone. */
function dayOf(time: string): string {
  const at = new Date(time);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

function numberText(value: number, digits: number): string {
  return (value < 0 ? '-' : '') + String(Math.abs(value)).padStart(digits, '0');
}

/** Characters that other systems don't allow in names. */
// eslint-disable-next-line no-control-regex
const UNSUITABLE = /[<>:"/\\|?*\u0000-\u001f\u007f]+/g;

const cleaned = (text: string): string => text.replace(/\s+/gu, ' ').replace(UNSUITABLE, '-').trim();

function extensionOf(extension: string, rules: RenameRules, locale: string): string {
  switch (rules.extension) {
    case 'lower':
      return extension.toLocaleLowerCase(locale);
    case 'upper':
      return extension.toLocaleUpperCase(locale);
    case 'change': {
      const wanted = rules.newExtension.trim().replace(/^\.+/, '');
      return wanted === '' ? '' : `.${wanted}`;
    }
    default:
      return extension;
  }
}

const splitOf = (name: string, isFile: boolean): { stem: string; extension: string } =>
  isFile ? splitName(name) : { stem: name, extension: '' };

/** Returns the new name of an item, which may be invalid. */
function newName(
  { name, kind, modified_time }: RenameItem,
  at: number,
  pattern: RegExp | undefined,
  rules: RenameRules,
  locale: string,
): string {
  const isFile = kind !== 'drive#folder';
  const replace = (text: string): string =>
    pattern
      ? rules.isRegex
        ? text.replace(pattern, rules.replacement)
        : text.replace(pattern, () => rules.replacement)
      : text;
  const parts = rules.inExtension ? splitOf(replace(name), isFile) : splitOf(name, isFile);
  let stem = rules.inExtension ? parts.stem : replace(parts.stem);
  stem = withoutPart(stem, rules);
  stem = withPart(stem, rules);
  stem = cased(stem, rules.letters, locale);
  if (rules.date !== 'none') stem = joined(stem, dayOf(modified_time), rules.date, rules.separator);
  if (rules.number !== 'none')
    stem = joined(
      stem,
      numberText(rules.start + at * rules.step, rules.digits),
      rules.number,
      rules.separator,
    );
  if (rules.cleans) stem = cleaned(stem);
  return stem + (isFile ? extensionOf(parts.extension, rules, locale) : '');
}

/**
 * Returns the new names of items and what stands in their way. `taken` has the names of other items, as
 * {@link placeOfName} writes them. Throws a SyntaxError if the regular expression is invalid; one that takes exponential
 * time keeps the caller busy, so call it in a worker.
 */
export function newNames(
  items: readonly RenameItem[],
  rules: RenameRules,
  locale: string,
  taken: ReadonlySet<string>,
): NewNames {
  const pattern = patternOf(rules);
  const names = items.map((item, at) => newName(item, at, pattern, rules, locale));
  const places = items.map(({ parent_id: folder }, at) => placeOfName(folder, names[at]!));
  const counts = new Map<string, number>();
  for (const place of places) counts.set(place, (counts.get(place) ?? 0) + 1);
  const troubles = new Map<number, NameTrouble>();
  const rows: [number[], number[], number[]] = [[], [], []];
  for (const [at, name] of names.entries()) {
    if (name === items[at]!.name) {
      rows[2].push(at);
      continue;
    }
    const trouble =
      (nameProblem(name) as NameTrouble | undefined) ??
      (counts.get(places[at]!)! > 1 ? 'twice' : taken.has(places[at]!) ? 'taken' : undefined);
    if (trouble) troubles.set(at, trouble);
    rows[trouble ? 0 : 1].push(at);
  }
  return { names, troubles, rows: rows.flat(), changed: rows[0].length + rows[1].length };
}
