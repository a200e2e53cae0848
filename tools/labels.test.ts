import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_LOCALE, LOCALES, type Locale } from '@bowerbird/contract';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
/** Removes purely visual differences: hard spaces, quotation marks, the mark at the end. */
const plain = (text: string): string =>
  text
    .replaceAll('\u00a0', ' ')
    .replaceAll(/^[“”„«»「」"‘’]+|[“”„«»「」"‘’]+$/g, '')
    .replace(/[.。:：…]+$/, '');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const catalogueOf = (locale: Locale) =>
  Object.entries(JSON.parse(read(`locales/${locale}.json`)) as Record<string, string>);

/** Keys by their English text. */
const keysOf = new Map<string, Set<string>>();
for (const [key, text] of catalogueOf(DEFAULT_LOCALE))
  keysOf.set(plain(text), (keysOf.get(plain(text)) ?? new Set()).add(key));

const inBold = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, label]) => plain(label!));
/** The bold texts, except those that begin a list item. */
const labelsIn = (text: string): string[] => inBold(text, /(?<!^[-*] )\*\*(.+?)\*\*/gm);

const paths = globSync(['content/{help,faq}/*/*/en-US.md', 'content/page/*/en-US.md'], { cwd: root });

test.each(LOCALES.filter((locale) => locale !== DEFAULT_LOCALE))(
  'help texts in %s use the labels of the pages',
  (locale) => {
    const texts = new Map(catalogueOf(locale));
    const known = (label: string): string[] =>
      [...(keysOf.get(label) ?? [])].map((key) => plain(texts.get(key) ?? ''));
    expect(paths.length).toBeGreaterThan(60);
    const strange = paths.flatMap((path) => {
      const said = new Set(inBold(read(path.replace(DEFAULT_LOCALE, locale)), /\*\*(.+?)\*\*/g));
      return labelsIn(read(path))
        .filter((label) => keysOf.has(label) && !known(label).some((name) => said.has(name)))
        .map((label) => `${path}: ${label}, which is ${known(label).join(' or ')}`);
    });
    expect(strange).toEqual([]);
  },
);

/** Width of a label in columns: Chinese, Japanese and Korean characters take two. */
const columnsOf = (text: string): number =>
  [...text].reduce(
    (sum, letter) =>
      sum +
      (/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/.test(
        letter,
      )
        ? 2
        : 1),
    0,
  );
const WIDEST_LABEL = 24;

/** Keys of the messages that are the only text of a button or menu item. */
const labelKeys = new Set(
  globSync('web/app/**/*.tsx', { cwd: root })
    .filter((path) => !path.includes('.test.'))
    .flatMap((path) => [
      ...read(path).matchAll(
        /<(Button|MenuItem)\b(?:[^<>]|=>|<[^<>]*\/>)*>\s*(?:<\w+[^<>]*\/>\s*)?\{t\('([\w.]+)'\)\}\s*<\/\1>/g,
      ),
    ])
    .map(([, , key]) => key!),
);

test.each(LOCALES)('labels of buttons and menus in %s fit their space', (locale) => {
  expect(labelKeys.size).toBeGreaterThan(120);
  const tooWide = catalogueOf(locale)
    .filter(([key, text]) => labelKeys.has(key) && columnsOf(text) > WIDEST_LABEL)
    .map(([key, text]) => `${key}: ${text}`);
  expect(tooWide).toEqual([]);
});
