import { isLocale, type Locale } from '../language/locales.ts';

// Contents of SITE_DOCUMENTS, as the administrator writes and the pages read them. Errors in them are reported when the
// server starts.

/** A text by the administrator: one for all languages, or one for each language. */
export type LocalText = string | Readonly<Partial<Record<Locale, string>>>;

/** The text in the given language; if missing, in English, or else in any language. */
export function textIn(text: LocalText, locale: Locale): string {
  if (typeof text === 'string') return text;
  return text[locale] ?? text['en-US'] ?? Object.values(text)[0] ?? '';
}

/** An object of a document whose values haven't been checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A web address. */
const isWeb = (value: unknown): value is string =>
  typeof value === 'string' && /^https?:$/.test(URL.parse(value)?.protocol ?? '');

/** Checks a text by the administrator; throws a sentence that names it as `what`. */
export function localText(value: unknown, what: string): LocalText {
  if (typeof value === 'string' && value !== '') return value;
  const isWhole =
    isFields(value) &&
    Object.keys(value).length > 0 &&
    Object.entries(value).every(([locale, text]) => isLocale(locale) && typeof text === 'string');
  if (!isWhole) throw new Error(`${what} must be a string, or an object with one string per language`);
  return value;
}

function list(value: unknown, what: string): readonly Fields[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || !value.every(isFields)) throw new Error(`${what} must be a list of objects`);
  return value;
}

export const ACTIVITIES = ['christmas', 'compensation', 'black-friday'] as const;
export type ActivityName = (typeof ACTIVITIES)[number];

/** An activity with a start and an end. */
export interface Activity {
  readonly name: ActivityName;
  /** The name, or what distinguishes several compensations. */
  readonly id: string;
  /** Milliseconds since the epoch; the activity runs from the first (inclusive) to the second (exclusive). */
  readonly begins: number;
  readonly ends: number;
  readonly title: LocalText;
  readonly lead: LocalText;
  /** Markdown. */
  readonly text: LocalText;
  /** Link to more information: a path of the site or a web address. */
  readonly action: { readonly label: LocalText; readonly url: string } | undefined;
}

/** Reads a time of a document as milliseconds since the epoch; throws a sentence that names it as `what`. */
export function documentTime(value: unknown, what: string): number {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time)) throw new Error(`${what} must be a time, for example 2026-12-24T00:00:00Z`);
  return time;
}

function actionOf(value: unknown, what: string): Activity['action'] {
  if (value === undefined) return undefined;
  const { label, url } = isFields(value) ? value : {};
  const isPath = typeof url === 'string' && /^\/(?![/\\])/.test(url);
  if (!isPath && !isWeb(url)) throw new Error(`${what}.url must be a path on this site or a web address`);
  return { label: localText(label, `${what}.label`), url: url as string };
}

/** Short enough for an address, and for the reference of a benefit. */
const ACTIVITY_ID = /^[A-Za-z0-9][\w-]{0,63}$/;

function idOf(value: unknown, name: ActivityName, what: string): string {
  if (value === undefined) return name;
  if (name !== 'compensation') throw new Error(`${what} is only for compensations`);
  if (typeof value !== 'string' || !ACTIVITY_ID.test(value))
    throw new Error(`${what} must be up to 64 letters, digits, hyphens and underscores`);
  if (ACTIVITIES.some((other) => other !== name && other === value))
    throw new Error(`${what} must not be the name of another kind of activity`);
  return value;
}

/** The activities of the document `activity_operation`. */
export function readActivities(document: Fields): Activity[] {
  const activities = list(document['activities'], 'activities').map((entry, at): Activity => {
    const here = `activities[${at}]`;
    const name = ACTIVITIES.find((one) => one === entry['name']);
    if (!name) throw new Error(`${here}.name must be one of ${ACTIVITIES.join(', ')}`);
    const begins = documentTime(entry['begins'], `${here}.begins`);
    const ends = documentTime(entry['ends'], `${here}.ends`);
    if (ends <= begins) throw new Error(`${here} ends before it begins`);
    return {
      name,
      id: idOf(entry['id'], name, `${here}.id`),
      begins,
      ends,
      title: localText(entry['title'], `${here}.title`),
      lead: localText(entry['lead'], `${here}.lead`),
      text: localText(entry['text'], `${here}.text`),
      action: actionOf(entry['action'], `${here}.action`),
    };
  });
  for (const { id } of activities)
    if (activities.filter((other) => other.id === id).length > 1)
      throw new Error(`activities has ${id} twice`);
  return activities;
}

/** Links that the administrator recommends. */
export interface LinkCategory {
  readonly title: LocalText;
  readonly links: readonly {
    readonly title: LocalText;
    readonly url: string;
    readonly description: LocalText | undefined;
  }[];
}

/** The categories of the document `resources`. */
export function readLinkCategories(document: Fields): LinkCategory[] {
  return list(document['categories'], 'categories').map((category, at) => {
    const here = `categories[${at}]`;
    return {
      title: localText(category['title'], `${here}.title`),
      links: list(category['links'], `${here}.links`).map((link, index) => {
        const there = `${here}.links[${index}]`;
        const { title, url, description } = link;
        if (!isWeb(url)) throw new Error(`${there}.url must be a web address`);
        return {
          title: localText(title, `${there}.title`),
          url,
          description: description === undefined ? undefined : localText(description, `${there}.description`),
        };
      }),
    };
  });
}

/** Address of the Telegram bot in the document `basic`; undefined if there is none. */
export function readTelegramBot(document: Fields): string | undefined {
  const bot = document['telegram_bot'];
  if (bot === undefined) return undefined;
  const name = typeof bot === 'string' ? /^@?(\w{5,32})$/.exec(bot)?.[1] : undefined;
  if (name === undefined) throw new Error('telegram_bot must be the name of a bot, as in @our_bot');
  return `https://t.me/${name}`;
}

/** Platforms and stores of programs, as named by the entries of `downloads`. */
export const CHANNELS = [
  'android',
  'gp',
  'ios',
  'tv',
  'windows',
  'mac_arm64',
  'mac_x64',
  'linux',
  'chrome',
  'firefox',
  'edge',
] as const;
export type Channel = (typeof CHANNELS)[number];
