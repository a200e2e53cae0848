import { HAPPENINGS_PATH, type Happening } from '@bowerbird/contract';
import { pageFacts } from '#app/api/client.ts';

/** Visitor's consent to counting visits: "1" or "0"; absent until the visitor answers. */
export const CONSENT_KEY = 'allow_analysis';

export type Consent = 'given' | 'refused' | 'open';

/** Returns true if the browser refuses for all sites at once; the site then doesn't ask. */
export const isRefusedByBrowser = (): boolean =>
  (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl === true;

export function consent(): Consent {
  if (isRefusedByBrowser()) return 'refused';
  try {
    const kept = localStorage.getItem(CONSENT_KEY);
    return kept === null ? 'open' : kept === '1' ? 'given' : 'refused';
  } catch {
    return 'refused';
  }
}

export function choose(isGiven: boolean): void {
  try {
    localStorage.setItem(CONSENT_KEY, isGiven ? '1' : '0');
  } catch {
    // Without storage, a browser asks again.
  }
}

/** Counted regardless of consent: that the question was asked and answered, and that nothing was shown. */
const OF_NOBODY: ReadonlySet<Happening> = new Set([
  'cookie_tips_shown',
  'cookie_tips_clicked',
  'block_page_shown',
]);

/** Counts an event; also sent while the page is being left. Nothing waits for it, and it can't fail. */
export function count(name: Happening, detail = ''): void {
  if (!pageFacts().isCounting || !(OF_NOBODY.has(name) || consent() === 'given')) return;
  navigator.sendBeacon(HAPPENINGS_PATH, JSON.stringify({ happenings: [{ name, detail }] }));
}
