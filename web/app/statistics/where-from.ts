import { readCookie, writeCookie } from '#app/browser/cookies.ts';
import { said } from '#app/browser/page-query.ts';
import { arrival } from './arrival.ts';
import { consent, count } from './happenings.ts';

const HOURS_12 = 12 * 3600;
const MOST_REFERRERS = 10;
const REFERRERS_KEY = 'pp_referer_list';
const PARAMETERS = ['source', 'medium', 'campaign'] as const;

/** Referring address, valid until `expired` (ms since 1970). */
export interface Referrer {
  readonly val: string;
  readonly expired: number;
}

/**
 * Reads the attribution of a visit from a page's address: `__source`, `__medium`, `__campaign`. Programs pass
 * their name as `launcher`, and the occasion as `scene`.
 */
export function attributionOf(search: string): Partial<Record<(typeof PARAMETERS)[number], string>> {
  const query = new URLSearchParams(search);
  const programs = { source: said(query, 'launcher'), medium: '', campaign: said(query, 'scene') };
  const entries = PARAMETERS.map((name) => {
    const value = said(query, `__${name}`) || programs[name];
    return [name, value.slice(0, 100)] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}

/** Adds a referrer to the list, newest first: each only once, ten at most, for twelve hours each. */
export function withReferrer(kept: unknown, referrer: string, now: number): Referrer[] {
  const known = Array.isArray(kept) ? kept.filter((entry) => isReferrer(entry) && entry.expired > now) : [];
  const others = (known as Referrer[]).filter(({ val }) => val !== referrer);
  if (referrer === '') return others;
  return [{ val: referrer, expired: now + HOURS_12 * 1000 }, ...others].slice(0, MOST_REFERRERS);
}

function isReferrer(entry: unknown): entry is Referrer {
  const { val, expired } = (entry ?? {}) as Partial<Referrer>;
  return typeof val === 'string' && typeof expired === 'number';
}

/** Returns the origin of the referring site; its path is private, and this site's own pages don't count. */
export function foreignOrigin(referrer: string, own: string): string {
  const url = URL.parse(referrer);
  return url && /^https?:$/.test(url.protocol) && url.origin !== own ? url.origin : '';
}

/** Stores for half a day how a visitor arrived, if they allow counting: it serves no other purpose. */
export function rememberWhereFrom(): void {
  if (consent() !== 'given') return;
  for (const [name, value] of Object.entries(attributionOf(arrival.search)))
    writeCookie(cookieOf(name), value, { maxAge: HOURS_12, sameSite: 'lax' });
  try {
    const list = withReferrer(kept(), foreignOrigin(arrival.referrer, location.origin), Date.now());
    if (list.length > 0) localStorage.setItem(REFERRERS_KEY, JSON.stringify(list));
    else localStorage.removeItem(REFERRERS_KEY);
  } catch {
    // Without storage, nothing is attributed.
  }
}

/** Deletes the stored attribution of a visitor who no longer allows counting. */
export function forgetWhereFrom(): void {
  for (const name of PARAMETERS) writeCookie(cookieOf(name), '', { maxAge: 0, sameSite: 'lax' });
  try {
    localStorage.removeItem(REFERRERS_KEY);
  } catch {
    // If storage is forbidden, nothing was stored.
  }
}

/** Counts a sign-up by its known attribution, each part separately. */
export function countSignUp(): void {
  for (const name of PARAMETERS) {
    const value = readCookie(cookieOf(name));
    if (value) count(`signed_up_${name}`, countable(value));
  }
  const [last] = withReferrer(kept(), '', Date.now());
  if (last) count('signed_up_referrer', countable(last.val));
}

/** Short identifier in the format that the collector accepts. */
export const countable = (text: string): string => text.replaceAll(/[^\w.:/-]/g, '_').slice(0, 64);

const cookieOf = (name: string): string => `pp_${name}`;

function kept(): unknown {
  try {
    return JSON.parse(localStorage.getItem(REFERRERS_KEY) ?? '[]');
  } catch {
    return [];
  }
}
