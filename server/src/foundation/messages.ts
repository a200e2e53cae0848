import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorWords, formatMessage, type ErrorId, type Locale } from '@bowerbird/contract';

const FOLDER = join(import.meta.dirname, '../../../locales');
const catalogues = new Map<Locale, Record<string, string>>();

/** Read when a language is first used: all eleven take several megabytes of memory. */
function catalogue(locale: Locale): Record<string, string> {
  let messages = catalogues.get(locale);
  if (!messages) {
    messages = JSON.parse(readFileSync(join(FOLDER, `${locale}.json`), 'utf8')) as Record<string, string>;
    catalogues.set(locale, messages);
  }
  return messages;
}

/** Text in the reader's language, by its key; for emails, errors and other texts of the server. */
export function message(
  locale: Locale,
  key: string,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const found = find(locale, key, values);
  if (found === undefined) throw new Error(`There is no message ${key}`);
  return found;
}

function find(
  locale: Locale,
  key: string,
  values: Readonly<Record<string, string | number>>,
): string | undefined {
  const found = catalogue(locale)[key] ?? catalogue('en-US')[key];
  return found === undefined ? undefined : formatMessage(locale, found, values);
}

export function errorText(locale: Locale, id: ErrorId, facts: Readonly<Record<string, string>> = {}): string {
  const words = errorWords(locale, id, facts, (key, values) => find(locale, key, values));
  return words ?? message(locale, `error.${id}`);
}
