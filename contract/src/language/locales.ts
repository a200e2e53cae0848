/** The languages of the product; the first is the default. Language names in their own words. */
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

/** Codes that others replaced, still sent by old systems (RFC 5646, 3.4). */
const REPLACED: Readonly<Record<string, string>> = { in: 'id', iw: 'he', ji: 'yi' };
/** Languages that are written in Chinese, with codes of their own. */
const CHINESE = new Set(['zh', 'cmn', 'yue', 'nan', 'hak', 'gan', 'hsn', 'wuu', 'lzh', 'cdo', 'cpx', 'mnp']);
const TRADITIONAL_REGIONS = new Set(['tw', 'hk', 'mo']);

const partsOf = (tag: string): string[] => tag.trim().toLowerCase().split(/[-_]/);
const isChinese = (parts: readonly string[]): boolean => CHINESE.has(parts[0]!);

/** By the script where it is said, else by the region; Cantonese is read in Traditional Chinese unless it is said otherwise. */
function chineseOf(parts: readonly string[]): Locale {
  if (parts.includes('hans')) return 'zh-CN';
  if (parts.includes('hant') || parts.some((part) => TRADITIONAL_REGIONS.has(part))) return 'zh-TW';
  const isMainland = parts.includes('cn') || parts.includes('sg') || parts.includes('my');
  return parts.includes('yue') && !isMainland ? 'zh-TW' : 'zh-CN';
}

/** A language tag to a locale of ours: exactly, then Chinese by script, else region, then by its language alone. */
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

/** Languages that a header requests, in its order; entries that break the grammar (RFC 9110, 12.5.4) are ignored. */
function rangesIn(header: string): Range[] {
  return header.split(',').flatMap((entry) => {
    const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const said = parameters.find((parameter) => /^q\s*=/i.test(parameter));
    const weight = said === undefined ? '1' : said.slice(said.indexOf('=') + 1).trim();
    return TAG.test(tag) && WEIGHT.test(weight) ? [{ tag, weight: Number(weight) }] : [];
  });
}

/** Locales that a range names: the one that it is, or all of its language; of Chinese those of its script. */
function namedBy({ tag }: Range): Locale[] {
  const parts = partsOf(tag);
  if (isChinese(parts) && parts.length > 1) return [chineseOf(parts)];
  const range = [REPLACED[parts[0]!] ?? parts[0], ...parts.slice(1)].join('-');
  return LOCALES.filter((locale) => `${locale.toLowerCase()}-`.startsWith(`${range}-`));
}

/** The best locale for an Accept-Language header, by its weights (RFC 9110); the default where none fits. */
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
    // A star is every language that has no entry of its own.
    const locale = tag === '*' ? open.find((one) => !mentioned.has(one)) : matchLocale(tag);
    if (locale && open.includes(locale)) return locale;
  }
  return open[0] ?? DEFAULT_LOCALE;
}
