import { HAPPENINGS_PATH, type Happening } from '@bowerbird/contract';
import { pageFacts } from '#app/api/client.ts';

/** Whether the visitor lets visits be counted: "1" or "0"; nothing while nobody has said. */
export const CONSENT_KEY = 'allow_analysis';

export type Consent = 'given' | 'refused' | 'open';

/** Browsers can refuse for all sites at once; no site asks then. */
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
    // A browser without storage asks again.
  }
}

/** Happens whatever was chosen: that the question was asked and answered, and that nothing was shown. */
const OF_NOBODY: ReadonlySet<Happening> = new Set([
  'cookie_tips_shown',
  'cookie_tips_clicked',
  'block_page_shown',
]);

/** Counts that something happened; it goes out even while the page is left. Nothing waits for it, and nothing fails. */
export function count(name: Happening, detail = ''): void {
  if (!pageFacts().isCounting || !(OF_NOBODY.has(name) || consent() === 'given')) return;
  navigator.sendBeacon(HAPPENINGS_PATH, JSON.stringify({ happenings: [{ name, detail }] }));
}
