import type { Locale } from '@bowerbird/contract';

/** Languages of Stripe's pages. Without one, it follows the browser. */
export const LOCALES: Readonly<Record<Locale, string>> = {
  'en-US': 'en',
  es: 'es-419',
  id: 'id',
  ja: 'ja',
  ko: 'ko',
  ms: 'ms',
  pt: 'pt-BR',
  ru: 'ru',
  uk: 'auto',
  'zh-CN': 'zh',
  'zh-TW': 'zh-TW',
};

/** Id of an object that may be expanded; "" for none. */
export const idOf = (value: string | { id: string } | null | undefined): string =>
  typeof value === 'string' ? value : (value?.id ?? '');

/** The object that a request returns; undefined if Stripe doesn't have it. */
export async function found<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'resource_missing') throw error;
    return undefined;
  }
}
