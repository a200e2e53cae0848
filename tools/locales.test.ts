import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { LOCALES } from '@bowerbird/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkLocales } from './locales.ts';
import { tidyCatalogue } from './locales/catalogue.ts';
import { readMessage } from './locales/message.ts';
import { faultsOfMessage, faultsOfTranslation } from './locales/translation.ts';

describe('a message', () => {
  test('lists its placeholders, plural forms and words', () => {
    expect(readMessage('Saved {count, plural, =0 {nothing} one {# file} other {# files to {name}}}')).toEqual(
      {
        placeholders: new Set(['count', 'name']),
        choices: [{ name: 'count', kind: 'plural', forms: ['=0', 'one', 'other'] }],
        text: 'Saved nothing file files to ',
      },
    );
  });

  test.each([
    '{name',
    'name}',
    '{n, plural, one {a}}',
    '{n, plural, other {a} other {b}}',
    '{n, plural, other {a}',
    '{}',
  ])('%j is rejected', (message) => {
    expect(faultsOfMessage('en-US', message)).toHaveLength(1);
  });

  test.each([
    ['en-US', '', 'empty'],
    ['en-US', ' Open', 'space'],
    ['en-US', "Don't", 'straight quotes'],
    ['en-US', 'Loading...', 'three dots'],
    ['ja', '“写真”を開く', 'use 「」『』 instead'],
    ['zh-TW', '“照片”', 'use 「」『』 instead'],
    ['ru', '{count, plural, one {# файл} other {# файлов}}', 'lacks the plural form “few”'],
    ['uk', '{count, plural, one {# файл} few {# файли} other {# файлу}}', 'lacks the plural form “many”'],
    ['ja', '{count, plural, one {# 件} other {# 件}}', 'which ja does not have'],
    ['en-US', 'Uploads go on by themselves', 'use continue, or resume'],
    ['es', 'Eliminar para siempre', 'use definitivamente'],
    ['zh-TW', 'QR 碼', 'use QR Code'],
  ])('in %s %j is reported', (locale, message, what) => {
    expect(faultsOfMessage(locale, message).join()).toContain(what);
  });

  test.each([
    ['en-US', '“{name}” didn’t open'],
    ['ru', '{count, plural, one {# файл} few {# файла} many {# файлов} other {# файла}}'],
    ['es', '{count, plural, one {# archivo} other {# archivos}}'],
    ['pt', '{count, plural, one {# arquivo} many {# de arquivos} other {# arquivos}}'],
    ['ja', '{count, plural, =0 {なし} other {# 件}}'],
  ])('in %s %j is accepted', (locale, message) => {
    expect(faultsOfMessage(locale, message)).toEqual([]);
  });
});

test.each([
  ['ru', 'Open {name}', 'Открыть', 'lacks {name}'],
  ['ru', 'Open', 'Открыть {name}', 'has {name}'],
  ['es', 'Open', 'Open', 'not translated'],
  ['uk', 'Open', 'Open it', 'not translated'],
  ['ru', '{a, select, yes {On} other {Off}}', '{a, select, da {Да} other {Нет}}', 'select forms'],
])('a translation into %s of %j as %j is reported', (locale, source, translation, what) => {
  expect(faultsOfTranslation(locale, source, translation, false).join()).toContain(what);
});

test('names, numbers and units need no translation', () => {
  expect(faultsOfTranslation('ru', '{done} / {total}', '{done} / {total}', false)).toEqual([]);
  expect(faultsOfTranslation('ru', 'Bowerbird', 'Bowerbird', true)).toEqual([]);
});

describe('the catalogs of a checkout', () => {
  let root = '';
  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text);
  };
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'bowerbird-locales-'));
    for (const locale of LOCALES) await write(`locales/${locale}.json`, '{\n  "app.name": "Bowerbird"\n}\n');
    await write('locales/same-as-english.json', '{ "app.name": "all" }');
    await write('web/app/root.tsx', "t('app.name')");
  });
  afterEach(() => rm(root, { recursive: true }));
  const found = async () =>
    (await checkLocales(root)).map(({ file, key, what }) => `${file.slice(root.length + 1)}:${key}: ${what}`);

  test('have no findings when complete and used', async () => {
    expect(await found()).toEqual([]);
  });

  test('with a missing, superfluous or repeated key are reported with the file', async () => {
    await write('locales/ru.json', '{\n  "app.nom": "Имя"\n}\n');
    await write('locales/uk.json', '{\n  "app.name": "Bowerbird",\n  "app.name": "Bowerbird"\n}\n');
    expect(await found()).toEqual([
      'locales/ru.json:app.nom: is not in English',
      'locales/ru.json:app.name: is missing',
      'locales/uk.json:app.name: occurs twice',
    ]);
  });

  test('are checked against the sources: unused keys, unknown keys, and keys built at run time', async () => {
    const messages = JSON.stringify(
      { 'app.name': 'Bowerbird', 'drive.sort.name': '1', 'drive.sort.size': '2', 'site.old': '3' },
      null,
      2,
    );
    for (const locale of LOCALES) await write(`locales/${locale}.json`, messages);
    await write(
      'web/app/root.tsx',
      "/* not t('a.b') */ t('app.name'); t(`drive.sort.${order}`); t('app.title')",
    );
    await write('web/app/i18n/+types/messages.d.ts', "export interface Messages { 'site.old': {} }");
    expect(await found()).toEqual([
      'locales/en-US.json:site.old: is used nowhere',
      'web/app/root.tsx:app.title: is in no catalogue',
    ]);
  });

  test('count as used by keys built at run time only if the whole key matches', async () => {
    const keys = { 'app.name': '1', 'drive.kind.file.title': '2', 'drive.kind.file.titles': '3' };
    for (const locale of LOCALES) await write(`locales/${locale}.json`, JSON.stringify(keys, null, 2));
    await write('web/app/root.tsx', "t('app.name'); t(`drive.kind.${kind}.title`)");
    expect(await found()).toEqual(['locales/en-US.json:drive.kind.file.titles: is used nowhere']);
  });

  test('are sorted and get their punctuation fixed by --fix', async () => {
    await write('locales/es.json', '{ "b": "It\'s…", "a": "Wait..." }');
    await tidyCatalogue(join(root, 'locales', 'es.json'));
    expect(await readFile(join(root, 'locales', 'es.json'), 'utf8')).toBe(
      '{\n  "a": "Wait…",\n  "b": "It’s…"\n}\n',
    );
  });
});
