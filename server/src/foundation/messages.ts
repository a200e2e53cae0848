import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatMessage, LOCALES, type ErrorId, type Locale } from '@bowerbird/contract';

const FOLDER = join(import.meta.dirname, '../../../locales');
const catalogues = new Map<Locale, Record<string, string>>(
  LOCALES.map((locale) => [
    locale,
    JSON.parse(readFileSync(join(FOLDER, `${locale}.json`), 'utf8')) as Record<string, string>,
  ]),
);

/** A text of the reader's language, by its key; for mails, errors and whatever else the server itself says. */
export function message(
  locale: Locale,
  key: string,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const found = catalogues.get(locale)?.[key] ?? catalogues.get('en-US')![key];
  if (found === undefined) throw new Error(`There is no message ${key}`);
  return formatMessage(locale, found, values);
}

export function errorText(locale: Locale, id: ErrorId, facts: Readonly<Record<string, string>> = {}): string {
  return message(locale, `error.${id}`, facts);
}
