import { errorWords, isApiFailure } from '@bowerbird/contract';
import { useT, type T } from '#app/i18n/t.ts';

/**
 * Returns the message to show for a failure: the server's text in the reader's language; for failed captchas,
 * one plain sentence; otherwise the text for its kind; otherwise a general sentence with the known details in
 * parentheses.
 */
export function errorText(t: T, error: unknown): string {
  if (!isApiFailure(error)) return t('error.unknown');
  if (error.text) return error.text;
  const isCaptcha = error.id === 'captcha_invalid' || error.id === 'captcha_token_invalid';
  if (isCaptcha) return t('error.captcha_invalid');
  const words = error.id === 'unknown' ? undefined : errorWords(t.locale, error.id, error.facts, t.find);
  if (words !== undefined) return words;
  const details = error.facts['reason'] ?? (error.id === 'unknown' ? '' : error.id);
  return details === '' ? t('error.unknown') : `${t('error.unknown')} [${details}]`;
}

export function useErrorText(): (error: unknown) => string {
  const t = useT();
  return (error) => errorText(t, error);
}
