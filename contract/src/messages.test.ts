import { describe, expect, test } from 'vitest';
import { formatMessage, messagePieces, messagePlaceholders } from './messages.ts';

describe('a message', () => {
  test('without placeholders is itself, braces of nobody included', () => {
    expect(formatMessage('en-US', "It's fine")).toBe("It's fine");
  });

  test('takes values by name and writes numbers as the reader writes them', () => {
    expect(formatMessage('en-US', '{name} has {n}', { name: 'Mia', n: 12_345 })).toBe('Mia has 12,345');
    expect(formatMessage('ru', '{n}', { n: 12_345 })).toBe('12\u00a0345');
  });

  test('leaves empty what has no value', () => {
    expect(formatMessage('en-US', 'a{b}c')).toBe('ac');
  });

  test('is shown as it is where it does not parse', () => {
    for (const broken of ['{', 'a {b', '{n, plural, one {x}}', '{n, wrong, other {x}}', '}{'])
      expect(formatMessage('en-US', broken, { n: 1 })).toBe(broken);
  });

  test('does not read values as messages', () => {
    expect(formatMessage('en-US', '{name}', { name: '{n, plural, other {#}} #' })).toBe(
      '{n, plural, other {#}} #',
    );
  });
});

describe('plurals', () => {
  const files = '{count, plural, =0 {no files} one {# file} other {# files}}';

  test('have exact forms before those of the language', () => {
    expect([0, 1, 2, 1234].map((count) => formatMessage('en-US', files, { count }))).toEqual([
      'no files',
      '1 file',
      '2 files',
      '1,234 files',
    ]);
  });

  test('have the three forms of Russian and Ukrainian', () => {
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

  test('hold other placeholders, selects and hash signs of their own', () => {
    const nested =
      '{n, plural, one {{kind, select, folder {# folder of {who}} other {# file}}} other {{kind, select, folder {# folders} other {# files}}}}';
    expect(formatMessage('en-US', nested, { n: 1, kind: 'folder', who: 'Mia' })).toBe('1 folder of Mia');
    expect(formatMessage('en-US', nested, { n: 4, kind: 'image', who: 'Mia' })).toBe('4 files');
    expect(formatMessage('en-US', 'No. # of {n}', { n: 1 })).toBe('No. # of 1');
  });
});

test('pieces keep the places of what is not text', () => {
  expect(messagePieces('en-US', 'New here? {link}, {name}.', { name: 'Mia' })).toEqual([
    'New here? ',
    { name: 'link' },
    ', ',
    'Mia',
    '.',
  ]);
});

test('placeholders are known with their kinds', () => {
  expect([...messagePlaceholders('{a} {n, plural, other {{b} {a}}} {k, select, x {} other {}}')]).toEqual([
    ['a', 'any'],
    ['n', 'number'],
    ['b', 'any'],
    ['k', 'any'],
  ]);
  expect(() => messagePlaceholders('{a')).toThrow(SyntaxError);
});
