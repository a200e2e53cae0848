import { isApiFailure } from '@bowerbird/contract';
import { useT, type T } from '#app/i18n/t.ts';

/**
 * What a failure says to a person: the server's words in the reader's language; for captchas that failed one plain
 * sentence; the words of its kind; else a general sentence with the reason in brackets.
 */
export function errorText(t: T, error: unknown): string {
  if (!isApiFailure(error)) return t('error.unknown');
  if (error.text) return error.text;
  const words = t.find(`error.${error.id}`, error.facts) ?? t('error.unknown');
  const { reason } = error.facts;
  return reason === undefined ? words : `${words} [${reason}]`;
}

export function useErrorText(): (error: unknown) => string {
  const t = useT();
  return (error) => errorText(t, error);
}
