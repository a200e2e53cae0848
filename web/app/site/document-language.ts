import { useEffect } from 'react';
import { redirectDocument, useLocation } from 'react-router';
import { pageLocale } from '@bowerbird/contract';
import { pageFacts } from '#app/api/client.ts';
import { readCookie } from '#app/browser/cookies.ts';
import type { PageFacts } from '#app/i18n/page-frame.tsx';

/** What is on the screen. When somebody goes back, the browser's own address is the next one already. */
let shown: string | undefined;

const placeOf = ({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string => pathname + search;

/** Has what is on the screen known here; once on every page. */
export function useShownPlace(): void {
  const place = placeOf(useLocation());
  useEffect(() => {
    shown = place;
  }, [place]);
}

/** Whether the server would answer for an address in another language than the document's, by the very rule it keeps. */
export function isForeign(
  url: URL,
  { locale, accepted }: Pick<PageFacts, 'locale' | 'accepted'>,
  chosen: string | undefined,
): boolean {
  return pageLocale(url, chosen, accepted) !== locale;
}

/**
 * A document has one language. Where a language was chosen in another tab, the next page that is gone to is loaded as a
 * document of that language; what stays on the screen, and what is being written there, is left alone.
 */
export function followDocumentLanguage(url: URL): Response | undefined {
  const isGoneTo = shown !== undefined && shown !== placeOf(url);
  if (!isGoneTo || !isForeign(url, pageFacts(), readCookie('pp_locale')) || isHeld()) return undefined;
  // Loading the address that the browser already has, with its hash, would only scroll.
  const hash = location.href === url.href ? '' : url.hash;
  return redirectDocument(placeOf(url) + hash);
}

/** Whatever would ask before the page is closed, as uploads do, goes on first. */
const isHeld = (): boolean => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
