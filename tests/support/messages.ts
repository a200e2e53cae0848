import { readFileSync } from 'node:fs';
import type { Locale } from '@bowerbird/contract';

/** The product's messages in a language, by key. */
export const messagesIn = (locale: Locale): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(`locales/${locale}.json`, 'utf8')) as Record<string, string>;
