import { FILTERS, type SearchFilters } from './search-filters.ts';

export { SEARCH_PERIOD, type SearchFilters, type SearchMark } from './search-filters.ts';

/** A search: names must contain every word and pass every filter. */
export interface SearchQuery {
  /** As typed; a quoted phrase is one word. The server ignores case, accents and width. */
  readonly words: readonly string[];
  readonly filters: SearchFilters;
}

/** Limits of a search's text, in UTF-16 units and counts; what exceeds them is ignored. */
export const SEARCH_LIMITS = { text: 2000, words: 16, letters: 300 } as const;

const SPACE = /\s/u;
/** Telephones write these instead of straight quotes. */
const QUOTES = /["“”„]/u;
const FILTER = /^(\p{L}+)[:：](.+)$/su;

/** Part of a text. A quoted one has no quotes any more; `key` is what precedes a quoted value: `in:"My photos"`. */
interface Token {
  readonly text: string;
  readonly key: string;
  readonly quoted: boolean;
}

/**
 * Parses what people type: words, quoted phrases and filters such as `type:video`, `>1gb`, `in:"My photos"`. What is
 * not a filter is a word, so every text is a search. Never throws.
 */
export function parseSearch(text: string): SearchQuery {
  const words: string[] = [];
  const filters: SearchFilters = {};
  let letters = SEARCH_LIMITS.letters;
  for (const token of tokensOf(text.slice(0, SEARCH_LIMITS.text).toWellFormed())) {
    if (readFilter(token, filters)) continue;
    const word = token.key === '' ? token.text : `${token.key}:${token.text}`;
    if (words.length >= SEARCH_LIMITS.words || word.length > letters || words.includes(word)) continue;
    words.push(word);
    letters -= word.length;
  }
  return { words, filters };
}

/** The text of a search, which {@link parseSearch} reads as the same search: first its words, then its filters. */
export function formatSearch({ words, filters }: SearchQuery): string {
  return [
    ...words.map((word) => (isPlain(word) ? word : quote(word))),
    ...FILTERS.flatMap((filter) =>
      filter.write(filters, (value) => (isSimple(value) ? value : quote(value))),
    ),
  ].join(' ');
}

/** True if nothing is searched for: no words and no filters. */
export const isEmptySearch = ({ words, filters }: SearchQuery): boolean =>
  words.length === 0 && Object.keys(filters).length === 0;

function readFilter({ text, key, quoted }: Token, filters: SearchFilters): boolean {
  if (quoted && key === '') return false;
  const [, named, value] = quoted ? [text, key, text] : (FILTER.exec(text) ?? []);
  if (named === undefined || value === undefined)
    return FILTERS.some((filter) => filter.readSign?.(text, filters));
  const name = named.toLowerCase();
  return FILTERS.some((filter) => filter.keys.includes(name) && filter.read(name, value, filters));
}

const isSimple = (value: string): boolean => !SPACE.test(value) && !QUOTES.test(value);
const isPlain = (word: string): boolean =>
  isSimple(word) && !readFilter({ text: word, key: '', quoted: false }, {});
const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

function* tokensOf(text: string): Generator<Token> {
  for (let at = 0; at < text.length;) {
    if (SPACE.test(text[at]!)) {
      at += 1;
      continue;
    }
    const key = /^(\p{L}+)[:：](?=["“”„])/u.exec(text.slice(at, at + 20));
    const phrase = phraseAt(text, at + (key?.[0].length ?? 0));
    if (phrase) {
      at = phrase.end;
      if (phrase.text.trim() !== '') yield { text: phrase.text, key: key?.[1] ?? '', quoted: true };
      continue;
    }
    const start = at;
    while (at < text.length && !SPACE.test(text[at]!)) at += 1;
    yield { text: text.slice(start, at), key: '', quoted: false };
  }
}

/**
 * Reads a phrase whose quote opens at `start`. It ends with a quote before a space or the end; `""` is a quote within
 * it. Undefined if there is no phrase: a single quote is an ordinary character, as in `12" vinyl`.
 */
function phraseAt(text: string, start: number): { text: string; end: number } | undefined {
  const open = text[start] ?? '';
  if (!QUOTES.test(open)) return undefined;
  const straight = open === '"';
  let phrase = '';
  for (let at = start + 1; at < text.length; at++) {
    const unit = text[at]!;
    if (straight && unit === '"' && text[at + 1] === '"') {
      phrase += '"';
      at += 1;
    } else if (closes(unit, straight) && (at + 1 === text.length || SPACE.test(text[at + 1]!))) {
      return { text: phrase, end: at + 1 };
    } else {
      phrase += unit;
    }
  }
  return undefined;
}

const closes = (unit: string, straight: boolean): boolean => (straight ? unit === '"' : QUOTES.test(unit));
