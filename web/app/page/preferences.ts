import type { Locale } from '@bowerbird/contract';
import { writeCookie } from '#app/browser/cookies.ts';
import type { Theme } from '#app/i18n/page-frame.tsx';
import { count } from '#app/statistics/happenings.ts';

const YEAR = 365 * 86_400;

/**
 * Sets the language of pages without a locale in their address, starting with the next one; the link that
 * calls this leads to that page.
 */
export function chooseLocale(locale: Locale): void {
  writeCookie('pp_locale', locale, { maxAge: YEAR, sameSite: 'lax' });
  count('language_switched', locale);
}

/** Sets the theme to light, dark, or the system's; takes effect at once, and on all future pages. */
export function chooseTheme(theme: Theme): void {
  writeCookie('pp_theme', theme, { maxAge: YEAR, sameSite: 'lax' });
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  for (const listener of listeners) listener();
}

const listeners = new Set<() => void>();

export function onThemeChosen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the theme of the document; browser only. */
export function chosenTheme(): Theme {
  const theme = document.documentElement.dataset['theme'];
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}
