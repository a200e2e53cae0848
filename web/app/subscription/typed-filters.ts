import { sizeUnits, SUBSCRIPTIONS, type Filters, type Locale } from '@bowerbird/contract';

/** Filters as entered in the form. */
export interface TypedFilters {
  readonly include: string;
  readonly exclude: string;
  readonly min: string;
  readonly max: string;
}

const UNITS: Readonly<Record<string, number>> = {
  '': 2 ** 20,
  k: 2 ** 10,
  m: 2 ** 20,
  g: 2 ** 30,
  t: 2 ** 40,
};

export function typed(
  { include, exclude, min_size: min, max_size: max }: Filters,
  locale: Locale,
): TypedFilters {
  return {
    include: include.join(', '),
    exclude: exclude.join(', '),
    min: sizeText(min, locale),
    max: sizeText(max, locale),
  };
}

/** Converts entered filters for the server; `undefined` if a size can't be parsed. */
export function filtersOf({ include, exclude, min, max }: TypedFilters): Filters | undefined {
  const [least, most] = [sizeOf(min), sizeOf(max)];
  if (least === undefined || most === undefined) return undefined;
  return { include: phrasesOf(include), exclude: phrasesOf(exclude), min_size: least, max_size: most };
}

/** Phrases are separated by line breaks and by the commas of any language. */
function phrasesOf(text: string): string[] {
  const phrases = text
    .split(/[,\n\uff0c\u3001\u060c]/)
    .map((phrase) => phrase.trim().slice(0, SUBSCRIPTIONS.phraseMax))
    .filter((phrase) => phrase !== '');
  return [...new Set(phrases)].slice(0, SUBSCRIPTIONS.phrases);
}

/** Cyrillic letters of units, for languages that write КБ and МБ. */
const CYRILLIC: Readonly<Record<string, string>> = { к: 'k', м: 'm', г: 'g', т: 't', б: 'b' };

/** Parses "700 MB" or "1,5 ГБ" to bytes (megabytes without a unit); "" if empty, `undefined` if invalid. */
export function sizeOf(text: string): string | undefined {
  if (text.trim() === '') return '';
  const [, number, unit] =
    /^\s*(\d{1,12}(?:[.,]\d{1,3})?)\s*(?:([kmgt])(?:i?b)?)?\s*$/i.exec(latin(text)) ?? [];
  if (number === undefined) return undefined;
  return String(Math.round(Number(number.replace(',', '.')) * UNITS[(unit ?? '').toLowerCase()]!));
}

const latin = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[кмгтб]/g, (letter) => CYRILLIC[letter]!);

function sizeText(bytes: string, locale: Locale): string {
  if (bytes === '') return '';
  const size = Number(bytes);
  const step = size >= 2 ** 30 ? 3 : size >= 2 ** 20 ? 2 : 1;
  return `${Number((size / 1024 ** step).toFixed(3))} ${sizeUnits(locale)[step]}`;
}
