import { describe, expect, test } from 'vitest';
import { formatMessage, messagePieces, messagePlaceholders } from './messages.ts';

describe('a message', () => {
  test('without placeholders is unchanged, including unmatched braces', () => {
    expect(formatMessage('en-US', "It's fine")).toBe("It's fine");
  });

  test('replaces values by name and formats numbers for the locale', () => {
    expect(formatMessage('en-US', '{name} has {n}', { name: 'Mia', n: 12_345 })).toBe('Mia has 12,345');
    expect(formatMessage('ru', '{n}', { n: 12_345 })).toBe('12\u00a0345');
  });

  test('leaves missing values empty', () => {
    expect(formatMessage('en-US', 'a{b}c')).toBe('ac');
  });

  test('that does not parse is shown unchanged', () => {
    for (const broken of ['{', 'a {b', '{n, plural, one {x}}', '{n, wrong, other {x}}', '}{'])
      expect(formatMessage('en-US', broken, { n: 1 })).toBe(broken);
  });

  test('does not parse values as messages', () => {
    expect(formatMessage('en-US', '{name}', { name: '{n, plural, other {#}} #' })).toBe(
      '{n, plural, other {#}} #',
    );
  });
});

describe('plurals', () => {
  const files = '{count, plural, =0 {no files} one {# file} other {# files}}';

  test('use exact forms (`=0`) before the language’s own forms', () => {
    expect([0, 1, 2, 1234].map((count) => formatMessage('en-US', files, { count }))).toEqual([
      'no files',
      '1 file',
      '2 files',
      '1,234 files',
    ]);
  });

  test('have three forms in Russian and Ukrainian', () => {
    const ru = '{count, plural, one {# файл} few {# файла} many {# файлов} other {# файла}}';
    expect([1, 2, 5, 11, 21, 22, 25, 111].map((count) => formatMessage('ru', ru, { count }))).toEqual([
      '1 файл',
      '2 файла',
      '5 файлов',
      '11 файлов',
      '21 файл',
      '22 файла',
      '25 файлов',
      '111 файлов',
    ]);
    expect(formatMessage('uk', '{n, plural, one {a} few {b} many {c} other {d}}', { n: 3 })).toBe('b');
  });

  test('have one form in Japanese and Chinese', () => {
    expect([0, 1, 2].map((n) => formatMessage('ja', '{n, plural, other {#件}}', { n }))).toEqual([
      '0件',
      '1件',
      '2件',
    ]);
    expect(formatMessage('zh-CN', '{n, plural, other {# 个文件}}', { n: 3 })).toBe('3 个文件');
  });

  test('can contain placeholders, selects and hash signs', () => {
    const nested =
      '{n, plural, one {{kind, select, folder {# folder of {who}} other {# file}}} other {{kind, select, folder {# folders} other {# files}}}}';
    expect(formatMessage('en-US', nested, { n: 1, kind: 'folder', who: 'Mia' })).toBe('1 folder of Mia');
    expect(formatMessage('en-US', nested, { n: 4, kind: 'image', who: 'Mia' })).toBe('4 files');
    expect(formatMessage('en-US', 'No. # of {n}', { n: 1 })).toBe('No. # of 1');
  });
});

test('message parts keep the position of elements', () => {
  expect(messagePieces('en-US', 'New here? {link}, {name}.', { name: 'Mia' })).toEqual([
    'New here? ',
    { name: 'link' },
    ', ',
    'Mia',
    '.',
  ]);
});

test('placeholders are listed with their kinds', () => {
  expect([...messagePlaceholders('{a} {n, plural, other {{b} {a}}} {k, select, x {} other {}}')]).toEqual([
    ['a', 'any'],
    ['n', 'number'],
    ['b', 'any'],
    ['k', 'any'],
  ]);
  expect(() => messagePlaceholders('{a')).toThrow(SyntaxError);
});
