/** The languages of the product, named in their own language; the first is the default. */
export const LOCALES = ['en-US', 'es', 'id', 'ja', 'ko', 'ms', 'pt', 'ru', 'uk', 'zh-CN', 'zh-TW'] as const;
export type Locale = (typeof LOCALES)[number];
export const DEFAULT_LOCALE: Locale = 'en-US';

export const LOCALE_NAMES: Readonly<Record<Locale, string>> = {
  'en-US': 'English',
  es: 'Español',
  id: 'Bahasa Indonesia',
  ja: '日本語',
  ko: '한국어',
  ms: 'Bahasa Melayu',
  pt: 'Português',
  ru: 'Русский',
  uk: 'Українська',
  'zh-CN': '简体中文',
  'zh-TW': '繁體中文',
};

export function isLocale(text: string | undefined): text is Locale {
  return text !== undefined && (LOCALES as readonly string[]).includes(text);
}

/** Deprecated language codes that old systems still send (RFC 5646, 3.4). */
const REPLACED: Readonly<Record<string, string>> = { in: 'id', iw: 'he', ji: 'yi' };
/** Languages written in Chinese that have codes of their own. */
const CHINESE = new Set(['zh', 'cmn', 'yue', 'nan', 'hak', 'gan', 'hsn', 'wuu', 'lzh', 'cdo', 'cpx', 'mnp']);
const TRADITIONAL_REGIONS = new Set(['tw', 'hk', 'mo']);

const partsOf = (tag: string): string[] => tag.trim().toLowerCase().split(/[-_]/);
const isChinese = (parts: readonly string[]): boolean => CHINESE.has(parts[0]!);

/**
 * By the script if given, otherwise by the region; Cantonese is mapped to Traditional Chinese unless stated otherwise.
 */
function chineseOf(parts: readonly string[]): Locale {
  if (parts.includes('hans')) return 'zh-CN';
  if (parts.includes('hant') || parts.some((part) => TRADITIONAL_REGIONS.has(part))) return 'zh-TW';
  const isMainland = parts.includes('cn') || parts.includes('sg') || parts.includes('my');
  return parts.includes('yue') && !isMainland ? 'zh-TW' : 'zh-CN';
}

/**
 * Maps a language tag to one of our locales: an exact match, then Chinese by script or else region, then by language
 * alone.
 */
export function matchLocale(tag: string | null | undefined): Locale | undefined {
  if (!tag) return undefined;
  const parts = partsOf(tag);
  const exact = LOCALES.find((locale) => locale.toLowerCase() === parts.join('-'));
  if (exact) return exact;
  if (isChinese(parts)) return chineseOf(parts);
  const [language = ''] = parts;
  if (!/^[a-z]{2}$/.test(language)) return undefined;
  return LOCALES.find((locale) => locale.slice(0, 2) === (REPLACED[language] ?? language));
}

/** One entry of an Accept-Language header. */
interface Range {
  readonly tag: string;
  readonly weight: number;
}

const TAG = /^(?:\*|[a-z]{1,8}(?:[-_][a-z0-9]{1,8})*)$/i;
const WEIGHT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/**
 * Languages requested by a header, in the header's order; entries that violate the grammar (RFC 9110, 12.5.4) are
 * ignored.
 */
function rangesIn(header: string): Range[] {
  return header.split(',').flatMap((entry) => {
    const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const said = parameters.find((parameter) => /^q\s*=/i.test(parameter));
    const weight = said === undefined ? '1' : said.slice(said.indexOf('=') + 1).trim();
    return TAG.test(tag) && WEIGHT.test(weight) ? [{ tag, weight: Number(weight) }] : [];
  });
}

/** Locales that a range matches: the exact one, or all of its language; for Chinese, those of its script. */
function namedBy({ tag }: Range): Locale[] {
  const parts = partsOf(tag);
  if (isChinese(parts) && parts.length > 1) return [chineseOf(parts)];
  const range = [REPLACED[parts[0]!] ?? parts[0], ...parts.slice(1)].join('-');
  return LOCALES.filter((locale) => `${locale.toLowerCase()}-`.startsWith(`${range}-`));
}

/** The best locale for an Accept-Language header according to its weights (RFC 9110); the default if none matches. */
export function negotiateLocale(header: string | undefined): Locale {
  const ranges = rangesIn(header ?? '');
  const wanted = ranges.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight);
  const isRefused = (locale: Locale): boolean =>
    ranges.some(
      (range) =>
        range.weight === 0 &&
        namedBy(range).includes(locale) &&
        !wanted.some((other) => other.tag.length > range.tag.length && namedBy(other).includes(locale)),
    );
  const mentioned = new Set(wanted.map(({ tag }) => matchLocale(tag)));
  const open = LOCALES.filter((locale) => !isRefused(locale));
  for (const { tag } of wanted) {
    // A star matches every language without an entry of its own.
    const locale = tag === '*' ? open.find((one) => !mentioned.has(one)) : matchLocale(tag);
    if (locale && open.includes(locale)) return locale;
  }
  return open[0] ?? DEFAULT_LOCALE;
}
