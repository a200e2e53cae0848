import type { Locale } from '@bowerbird/contract';
import { writeCookie } from '#app/browser/cookies.ts';
import type { Theme } from '#app/i18n/page-frame.tsx';
import { count } from '#app/statistics/happenings.ts';

const YEAR = 365 * 86_400;

/** The language of pages without a locale in their address, from the next page on; the link that says so leads there. */
export function chooseLocale(locale: Locale): void {
  writeCookie('pp_locale', locale, { maxAge: YEAR, sameSite: 'lax' });
  count('language_switched', locale);
}

/** Light, dark or as the system has it; at once, and in every page from now on. */
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

/** What the document shows now; browser only. */
export function chosenTheme(): Theme {
  const theme = document.documentElement.dataset['theme'];
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}
