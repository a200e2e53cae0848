import { useEffect } from 'react';
import { redirectDocument, useLocation } from 'react-router';
import { pageLocale } from '@bowerbird/contract';
import { pageFacts } from '#app/api/client.ts';
import { readCookie } from '#app/browser/cookies.ts';
import type { PageFacts } from '#app/i18n/page-frame.tsx';

/**
 * Address of the page on the screen. When a visitor goes back, the browser's own address already is the next
 * one.
 */
let shown: string | undefined;

const placeOf = ({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string => pathname + search;

/** Records the page on the screen; used once on every page. */
export function useShownPlace(): void {
  const place = placeOf(useLocation());
  useEffect(() => {
    shown = place;
  }, [place]);
}

/**
 * Returns true if the server would render an address in a language other than the document's, by the server's
 * own rule.
 */
export function isForeign(
  url: URL,
  { locale, accepted }: Pick<PageFacts, 'locale' | 'accepted'>,
  chosen: string | undefined,
): boolean {
  return pageLocale(url, chosen, accepted) !== locale;
}

/**
 * Loads a new document if the language was changed in another tab, since a document has only one language.
 * This happens on the next navigation; the current page, and any input on it, is left unchanged.
 */
export function followDocumentLanguage(url: URL): Response | undefined {
  const isGoneTo = shown !== undefined && shown !== placeOf(url);
  if (!isGoneTo || !isForeign(url, pageFacts(), readCookie('pp_locale')) || isHeld()) return undefined;
  // Loading the current address with its fragment would only scroll.
  const hash = location.href === url.href ? '' : url.hash;
  return redirectDocument(placeOf(url) + hash);
}

/** Code that would ask before the page is closed, such as uploads, takes precedence. */
const isHeld = (): boolean => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
