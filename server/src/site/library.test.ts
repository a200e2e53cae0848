import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openLibrary, parseText } from './library.ts';

const folder = mkdtempSync(join(tmpdir(), 'bowerbird-library-'));
afterAll(() => rmSync(folder, { recursive: true }));

function plant(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
plant({
  'help/contents.json': '[{"category": "start", "articles": ["sign-up"]}]',
  'help/start/en-US.md': '---\ntitle: Start\ndescription: First steps.\n---\n',
  'help/start/sign-up/en-US.md':
    '---\ntitle: Sign up\ndescription: "Name: and password."\n---\nType your name.\n',
  'help/start/sign-up/ru.md': '---\ntitle: Регистрация\ndescription: Имя и пароль.\n---\nВведите имя.\n',
  'help/start/secret/en-US.md': '---\ntitle: Nobody lists me\n---\n',
});

describe('the library', () => {
  const library = openLibrary(folder);

  test('returns a text in the reader’s language, or else in English', () => {
    expect(library.read('help/start/sign-up', 'ru')).toEqual({
      locale: 'ru',
      title: 'Регистрация',
      description: 'Имя и пароль.',
      change: '',
      body: 'Введите имя.',
    });
    expect(library.read('help/start/sign-up', 'ja')).toMatchObject({
      locale: 'en-US',
      description: 'Name: and password.',
    });
  });

  test('reads only listed texts, whatever path is requested', () => {
    expect(library.read('help/start/secret', 'en-US')).toBeUndefined();
    expect(library.read('help/../help/start', 'en-US')).toBeUndefined();
    expect(library.read('../package', 'en-US')).toBeUndefined();
  });
});

describe('a text', () => {
  test.each([
    ['no front matter', 'Only words', 'has no front matter'],
    ['no title', '---\ndescription: Words\n---\n', 'has no title'],
    ['an unknown field', '---\ntitle: A\nauthor: B\n---\n', 'has an invalid line: "author: B"'],
  ])('a text with %s is rejected with a message that says so', (_, source, message) => {
    expect(() => parseText(source, 'en-US')).toThrow(message);
  });
});
