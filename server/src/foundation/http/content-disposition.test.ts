import { expect, test } from 'vitest';
import { contentDisposition } from './content-disposition.ts';

test('a plain name appears in both forms', () => {
  expect(contentDisposition('attachment', 'photo 1.jpg')).toBe(
    `attachment; filename="photo 1.jpg"; filename*=UTF-8''photo%201.jpg`,
  );
});

test('quotes, percent signs, backslashes and line breaks are escaped in the header', () => {
  expect(contentDisposition('inline', 'a"b\\c%20\r\nSet-Cookie: x.txt')).toBe(
    `inline; filename="a_b_c_20__Set-Cookie: x.txt"; filename*=UTF-8''a%22b%5Cc%2520%0D%0ASet-Cookie%3A%20x.txt`,
  );
});

test('reserved characters are encoded, and names in any script are decoded unchanged', () => {
  const name = `Ünï 文件 🐦 (1) it's *.txt`;
  const value = contentDisposition('attachment', name);
  expect(value).toMatch(/^[\x20-\x7e]+$/);
  const encoded = value.split(`UTF-8''`)[1]!;
  expect(encoded).not.toMatch(/['()*]/);
  expect(decodeURIComponent(encoded)).toBe(name);
});

test('an unpaired surrogate does not break the header', () => {
  expect(contentDisposition('attachment', 'x\ud83d.txt')).toContain('x');
});
