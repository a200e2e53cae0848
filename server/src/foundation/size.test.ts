import { expect, test } from 'vitest';
import { readSize, sizeText } from './size.ts';

test.each([
  ['10 GB', 10 * 2 ** 30],
  ['1.5tb', 1.5 * 2 ** 40],
  ['512', 512],
  ['0 B', 0],
  [' 3 kb ', 3072],
])('%j is %i bytes', (text, bytes) => expect(readSize(text)).toBe(bytes));

test.each(['', 'GB', '-1 GB', '1e9', '10 gigabytes', '10 GB!'])('%j is not a size', (text) =>
  expect(() => readSize(text)).toThrow('such as 10 GB'),
);

test('a formatted size is parsed to the same value', () => {
  for (const text of ['0 B', '1023 B', '1 KB', '1.5 MB', '20 GB', '3 PB'])
    expect(sizeText(readSize(text))).toBe(text);
});

test('sizes in emails have the units and number format of the language', () => {
  expect(sizeText(1.5 * 2 ** 30, 'ru')).toBe('1,5 ГБ');
  expect(sizeText(1.5 * 2 ** 30, 'ja')).toBe('1.5 GB');
});
