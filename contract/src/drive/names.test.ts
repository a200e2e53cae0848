import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanName, clipBytes, nameProblem, numberedName, splitName } from './names.ts';

const bytes = (text: string): number => new TextEncoder().encode(text).length;

test.each([
  '100% #1 + ?.txt',
  '"quotes" \'and\' [brackets] {braces}.md',
  'line\nfeed.txt',
  'delete\u007f.txt',
  '🐦 emoji.png',
  '\u202eright to left.txt',
  '<script>alert(1).html',
  '...',
  ' . ',
  '~',
  'CON',
  '-rf',
  'naïve café.txt',
  'ファイル.txt',
  'x'.repeat(255),
  'é'.repeat(127),
])('%j is a valid name', (name) => {
  expect(nameProblem(name)).toBeUndefined();
});

test.each([
  ['', 'file_name_empty'],
  ['.', 'file_name_invalid'],
  ['..', 'file_name_invalid'],
  ['a/b', 'file_name_invalid'],
  ['a\\b', 'file_name_invalid'],
  ['nul\u0000', 'file_name_invalid'],
  ['bell\u0007', 'file_name_invalid'],
  ['return\r', 'file_name_invalid'],
  ['half\ud800pair', 'file_name_invalid'],
  ['x'.repeat(256), 'file_name_too_long'],
  ['é'.repeat(128), 'file_name_too_long'],
] as const)('%j is rejected', (name, problem) => {
  expect(nameProblem(name)).toBe(problem);
});

test('a number is inserted before the extension, and the name stays within its byte limit', () => {
  expect(numberedName('photo.jpg', 1)).toBe('photo(1).jpg');
  expect(numberedName('backup.tar.gz', 2)).toBe('backup(2).tar.gz');
  expect(numberedName('.bashrc', 1)).toBe('.bashrc(1)');
  expect(numberedName('v1.5', 1, 'folder')).toBe('v1.5(1)');
  expect(numberedName('photo(1).jpg', 2)).toBe('photo(2).jpg');
  expect(numberedName('report(2024).pdf', 1)).toBe('report(2024)(1).pdf');
  expect(numberedName('(1)', 1, 'folder')).toBe('(1)(1)');
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => clipBytes(text, 255)),
      fc.nat(100_000),
      (name, n) => {
        fc.pre(nameProblem(name) === undefined);
        expect(bytes(numberedName(name, n))).toBeLessThanOrEqual(255);
        expect(numberedName(name, n).endsWith(splitName(name).extension)).toBe(true);
      },
    ),
  );
});

test('a text is truncated at the last whole character that fits', () => {
  expect(clipBytes('abcdef', 6)).toBe('abcdef');
  expect(clipBytes('abcdef', 5)).toBe('abcde');
  expect(clipBytes('aéb', 3)).toBe('aé');
  expect(clipBytes('aéb', 2)).toBe('a');
  // A family of three people is one character of 18 bytes.
  expect(clipBytes('\u{1f468}\u200d\u{1f469}\u200d\u{1f467}!', 18)).toBe(
    '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  );
  expect(clipBytes('\u{1f468}\u200d\u{1f469}\u200d\u{1f467}!', 17)).toBe('');
  expect(numberedName('x'.repeat(255), 1)).toBe(`${'x'.repeat(252)}(1)`);
  expect(numberedName(`${'x'.repeat(251)}.jpg`, 10)).toBe(`${'x'.repeat(247)}(10).jpg`);
});

test('a name from outside becomes one valid path segment', () => {
  expect(cleanName('../../etc/passwd', 'download')).toBe('passwd');
  expect(cleanName('C:\\Users\\me\\photo.jpg', 'download')).toBe('photo.jpg');
  expect(cleanName('a\r\nSet-Cookie: x', 'download')).toBe('aSet-Cookie: x');
  expect(cleanName('..', 'download')).toBe('download');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (suggested) => {
      expect(nameProblem(cleanName(suggested, 'download'))).toBeUndefined();
    }),
  );
});
