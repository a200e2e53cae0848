import { FILE_CATEGORIES, type FileCategory } from './categories.ts';
import { LIMITS } from '../limits.ts';
import { timeOf } from '../time.ts';
import { labelText } from './annotation.ts';

export type SearchMark = 'starred' | 'shared';

/** Filters of a search; absent ones don't filter. */
export interface SearchFilters {
  /** Any of these. */
  types?: FileCategory[];
  /** Any of these, without dots, lower case. */
  extensions?: string[];
  /** Bytes of a file; the limits themselves are included. Folders have no size. */
  minSize?: number;
  maxSize?: number;
  /** Days as `2026-01-31`: modified on this day or later; modified before this day. */
  after?: string;
  before?: string;
  /** Modified in the last days, today included: a value that matches {@link SEARCH_PERIOD}. */
  modified?: string;
  /** Name of a folder above, or the end of its path: `Photos/2026`. */
  in?: string;
  /** All of these. */
  is?: SearchMark[];
  /** Names of the member's own tags: all of these. */
  tags?: string[];
}

/** One filter as text. To add one: its field above, its entry in {@link FILTERS}, its condition on the server. */
export interface SearchFilter {
  /** Words before the colon, in lower case; the first is written. */
  readonly keys: readonly string[];
  /** Puts a value into the filters; false if it isn't one, which makes the text a word. */
  read(key: string, value: string, filters: SearchFilters): boolean;
  /** Same as {@link read} for a text without a key. */
  readSign?(text: string, filters: SearchFilters): boolean;
  write(filters: SearchFilters, quoted: (value: string) => string): string[];
}

/** Number of days (`7d`, at most 9999) or a word for it: today 1, week 7, month 30, year 365. */
export const SEARCH_PERIOD = /^(?:[1-9]\d{0,3}d|today|week|month|year)$/;

/** Maximum number of values in a list, and maximum length of a folder's name in a filter. */
const MOST = 16;
const PLACE = 255;
/** Maximum number of tags in a search. */
const TAGS = 5;

/** Other words for categories; a final "s" of any is ignored. */
const ALSO: Readonly<Record<string, FileCategory>> = {
  photo: 'image',
  picture: 'image',
  movie: 'video',
  music: 'audio',
  doc: 'document',
  spreadsheet: 'sheet',
  presentation: 'slides',
  slide: 'slides',
  ebook: 'book',
  zip: 'archive',
};
const CATEGORIES = new Set<string>(FILE_CATEGORIES);

function categoryNamed(text: string): FileCategory | undefined {
  const name = text.toLowerCase();
  for (const form of [name, name.replace(/s$/, '')]) {
    if (CATEGORIES.has(form)) return form as FileCategory;
    if (Object.hasOwn(ALSO, form)) return ALSO[form];
  }
  return undefined;
}

const UNITS = ['b', 'k', 'm', 'g', 't', 'p'] as const;
const CYRILLIC: Readonly<Record<string, string>> = { б: 'b', к: 'k', м: 'm', г: 'g', т: 't', п: 'p' };
const SIZE = /^(\d{1,15})(?:[.,](\d{1,6}))?\s*(?:(b|б)|([kmgtpкмгтп])(?:i?b|б)?)$/iu;

/** Bytes of `1.5gb`, in steps of 1024; undefined without a unit, because `<3` is not a size. */
function parseUnits(text: string): number | undefined {
  const [, whole, part = '0', , scale = 'b'] = SIZE.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const unit = scale.toLowerCase();
  const size = Math.round(
    Number(`${whole}.${part}`) * 1024 ** UNITS.indexOf((CYRILLIC[unit] ?? unit) as 'b'),
  );
  return Number.isSafeInteger(size) ? size : undefined;
}

const anySize = (text: string): number | undefined => parseUnits(/^\d+$/.test(text) ? `${text}b` : text);

/** The largest unit that divides a size. */
function formatUnits(size: number): string {
  let step = 0;
  let value = size;
  while (value > 0 && value % 1024 === 0 && step < UNITS.length - 1) {
    value /= 1024;
    step += 1;
  }
  return `${value}${UNITS[step]}${step === 0 ? '' : 'b'}`;
}

/** A day as `2026-01-31`; the first one of a month or year. */
function parseDay(text: string): string | undefined {
  const [, year, month = '01', day = '01'] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(text) ?? [];
  if (year === undefined || year === '0000') return undefined;
  const exists = timeOf({ year: Number(year), month: Number(month), day: Number(day) }) !== undefined;
  return exists ? `${year}-${month}-${day}` : undefined;
}

/** Adds all values of a list such as `pdf,txt`, or none of them. */
function addAll<T>(
  known: readonly T[] | undefined,
  value: string,
  parse: (text: string) => T | undefined,
): T[] | undefined {
  const parsed = value.split(/[,，、]/u).map((text) => parse(text));
  if (parsed.some((one) => one === undefined)) return undefined;
  return [...new Set([...(known ?? []), ...(parsed as T[])])].slice(0, MOST);
}

/** Assigns a value unless it is undefined. */
function put<K extends keyof SearchFilters>(
  filters: SearchFilters,
  field: K,
  value: SearchFilters[K] | undefined,
): boolean {
  if (value === undefined) return false;
  filters[field] = value;
  return true;
}

const written = (key: string, value: string | undefined): string[] =>
  value === undefined ? [] : [`${key}:${value}`];

/** All filters, in the order in which they are written. */
export const FILTERS: readonly SearchFilter[] = [
  {
    keys: ['type', 'kind'],
    read: (_, value, filters) => put(filters, 'types', addAll(filters.types, value, categoryNamed)),
    write: ({ types }) => written('type', types?.join(',')),
  },
  {
    keys: ['ext', 'extension'],
    read: (_, value, filters) =>
      put(
        filters,
        'extensions',
        addAll(filters.extensions, value, (text) =>
          /^\.?([\p{L}\p{N}_+~-]{1,16})$/u.exec(text)?.[1]?.toLowerCase(),
        ),
      ),
    write: ({ extensions }) => written('ext', extensions?.join(',')),
  },
  {
    keys: ['size'],
    read(_, value, filters) {
      const [from = '', to, ...more] = value.split('..');
      if (to === undefined && readSizeSign(value, filters)) return true;
      const least = from === '' ? 0 : anySize(from);
      const most = to === undefined ? least : to === '' ? Number.MAX_SAFE_INTEGER : anySize(to);
      if (least === undefined || most === undefined || more.length > 0 || value === '..') return false;
      setRange(filters, least, most);
      return true;
    },
    readSign: readSizeSign,
    write: ({ minSize, maxSize }) => {
      if (minSize !== undefined && maxSize !== undefined)
        return [`size:${formatUnits(minSize)}..${formatUnits(maxSize)}`];
      if (minSize !== undefined) return [`>${formatUnits(minSize)}`];
      return maxSize === undefined ? [] : [`<${formatUnits(maxSize)}`];
    },
  },
  {
    keys: ['after', 'since'],
    read: (_, value, filters) => put(filters, 'after', parseDay(value)),
    write: ({ after }) => written('after', after),
  },
  {
    keys: ['before', 'until'],
    read: (_, value, filters) => put(filters, 'before', parseDay(value)),
    write: ({ before }) => written('before', before),
  },
  {
    keys: ['modified'],
    read: (_, value, filters) => {
      const period = value.toLowerCase();
      return put(filters, 'modified', SEARCH_PERIOD.test(period) ? period : undefined);
    },
    write: ({ modified }) => written('modified', modified),
  },
  {
    keys: ['in'],
    read: (_, value, filters) =>
      put(filters, 'in', value.length > PLACE || value.trim() === '' ? undefined : value),
    write: (filters, quoted) => written('in', filters.in === undefined ? undefined : quoted(filters.in)),
  },
  {
    keys: ['is'],
    read: (_, value, filters) =>
      put(
        filters,
        'is',
        addAll(filters.is, value, (text): SearchMark | undefined => {
          const mark = text.toLowerCase();
          return mark === 'starred' || mark === 'shared' ? mark : undefined;
        }),
      ),
    write: ({ is }) => written('is', is?.join(',')),
  },
  {
    keys: ['tag', 'label'],
    read: (_, value, filters) => {
      const name = labelText(value, LIMITS.tagNameMax);
      if (name === undefined) return false;
      const tags = [...new Set([...(filters.tags ?? []), name])];
      return put(filters, 'tags', tags.length > TAGS ? filters.tags : tags);
    },
    write: ({ tags = [] }, quoted) => tags.flatMap((name) => written('tag', quoted(name))),
  },
];

function setRange(filters: SearchFilters, least: number, most: number): void {
  if (least === 0) delete filters.minSize;
  else filters.minSize = least;
  if (most === Number.MAX_SAFE_INTEGER) delete filters.maxSize;
  else filters.maxSize = most;
}

/** Reads `>1gb`, `<500kb`, with or without `=`. */
function readSizeSign(text: string, filters: SearchFilters): boolean {
  const [, sign, value = ''] = /^([<>])=?(.+)$/s.exec(text) ?? [];
  const size = parseUnits(value);
  if (sign === undefined || size === undefined) return false;
  filters[sign === '>' ? 'minSize' : 'maxSize'] = size;
  return true;
}
