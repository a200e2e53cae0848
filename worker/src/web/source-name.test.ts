import { cleanName, nameProblem } from '@bowerbird/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cpuTimeOf } from '@bowerbird/contract/testing/cpu-time.ts';
import { sourceName } from './source-name.ts';

const AT = new URL('https://files.example.org/pub/%E6%96%87%E4%BB%B6.zip?token=1#x');
const gbk = (before: string, after: string): string => `${before}\xd6\xd0\xce\xc4${after}`;
/** The header as Node returns it: one character for each byte. */
const wire = (text: string): string => Buffer.from(text).toString('latin1');

test.for([
  ['a plain name', 'attachment; filename=plain.txt', 'plain.txt'],
  ['quotes and escapes', 'attachment; filename="a \\"b\\" c.txt"', 'a "b" c.txt'],
  ['no type at all', 'filename="bare.txt"', 'bare.txt'],
  ['upper case', 'ATTACHMENT; FILENAME="Upper.TXT"', 'Upper.TXT'],
  ['spaces without quotes', 'attachment; filename=two words.txt; size=3', 'two words.txt'],
  ['a semicolon in quotes', 'attachment; filename="a;b.txt"', 'a;b.txt'],
  ['no end of the quotes', 'attachment; filename="open.txt', 'open.txt'],
  ['RFC 8187', "attachment; filename*=UTF-8''%e2%82%ac%20rates.txt", '€ rates.txt'],
  ['RFC 8187 in Latin', "attachment; filename*=iso-8859-1'en'%A3%20rates.txt", '£ rates.txt'],
  ['RFC 8187 first', 'attachment; filename="b.txt"; filename*=UTF-8\'\'a.txt', 'a.txt'],
  ['a broken RFC 8187', "attachment; filename*=UTF-8''%zz.txt; filename=b.txt", 'b.txt'],
  ['bytes that aren’t UTF-8', "attachment; filename*=UTF-8''%ff%fe; filename=b.txt", 'b.txt'],
  ['an unknown charset', "attachment; filename*=klingon''a; filename=b.txt", 'b.txt'],
  ['UTF-8 as it is', wire('attachment; filename="文件 – список.txt"'), '文件 – список.txt'],
  ['Latin as it is', 'attachment; filename="caf\u00e9.txt"', 'café.txt'],
  ['GBK as it is', gbk('attachment; filename="', '.zip"'), '中文.zip'],
  ['GBK in percent encoding', 'attachment; filename="%D6%D0%CE%C4.zip"', '中文.zip'],
  ['RFC 8187 in GBK', "attachment; filename*=GBK''%D6%D0%CE%C4.zip", '中文.zip'],
  ['RFC 2047 in a code page', 'attachment; filename="=?cp936?B?1tDOxA==?=.zip"', '中文.zip'],
  ['percent encoding where there should be none', 'attachment; filename="%E6%96%87.txt"', '文.txt'],
  ['RFC 2047', 'attachment; filename="=?UTF-8?B?5paH5Lu2?= =?utf-8?q?_1.txt?="', '文件 1.txt'],
  ['paths', 'attachment; filename="C:\\Users\\me\\x.txt"', 'C:\\Users\\me\\x.txt'],
  ['two of them', 'attachment; filename=one.txt; filename=two.txt', 'one.txt'],
  ['nothing', 'attachment; filename=""', '文件.zip'],
  ['only a type', 'inline', '文件.zip'],
  ['another parameter that ends so', 'attachment; xfilename=evil.txt', '文件.zip'],
] as const)('a name is parsed from %s', ([, disposition, name]) => {
  expect(sourceName(disposition, AT)).toBe(name);
});

test.for([
  ['https://example.org/a/b%20c.iso', 'b c.iso'],
  ['https://example.org/a/b/', 'b'],
  ['https://example.org/', 'example.org'],
  ['https://example.org', 'example.org'],
  ['https://example.org/%D6%D0%CE%C4.zip', '中文.zip'],
  ['https://example.org/%95%5C%8E%A6.txt', '表示.txt'],
  ['https://example.org/%C0%FC%C0%DA%C3%A5/', '전자책'],
  ['https://example.org/%CD%EE%E2%E0%FF%20%EF%E0%EF%EA%E0.zip', 'Новая папка.zip'],
  ['https://example.org/%E4%ZZ.bin', '\u00e4%ZZ.bin'],
  ['https://example.org/%2e%2e%2f%2e%2e%2fetc%2fpasswd', '../../etc/passwd'],
  ['https://example.org/a%00b%0D%0Ac.txt', 'a\0b\r\nc.txt'],
] as const)('without a header, %s is named by its path or host', ([url, name]) => {
  expect(sourceName(undefined, new URL(url))).toBe(name);
});

test('any header yields a name that can be sanitized', () => {
  const header = fc.oneof(
    fc.string({ unit: 'binary-ascii', maxLength: 300 }),
    fc.string({ unit: 'grapheme' }).map((name) => `attachment; filename="${wire(name)}"`),
    fc.string({ unit: 'binary-ascii' }).map((name) => `attachment; filename*=UTF-8''${name}`),
    fc
      .constantFrom(
        '\u202egnp.exe',
        '🙂'.repeat(75),
        'a'.repeat(300),
        '..',
        '.',
        '/',
        'con\r\nSet-Cookie: x',
        '',
      )
      .map((name) => `attachment; filename="${wire(name)}"`),
  );
  fc.assert(
    fc.property(header, (disposition) => {
      const name = sourceName(disposition, AT);
      expect(name.length).toBeGreaterThan(0);
      expect(name.length).toBeLessThanOrEqual(1024);
      expect(nameProblem(cleanName(name, 'download'))).toBeUndefined();
    }),
    { numRuns: 500 },
  );
});

test('headers designed to be slow to parse are parsed in linear time', () => {
  const cpuFor = (scale: number): number => {
    const headers = [
      'attachment; filename="' + '\\'.repeat(scale * 60),
      ';a='.repeat(scale * 20),
      `filename="${'=?u?q?'.repeat(scale * 9)}"`,
      ' '.repeat(scale * 60),
    ];
    return cpuTimeOf(() => headers.forEach((header) => sourceName(header, AT)));
  };
  // Ten times as long; work that grows quadratically would take a hundred times as long.
  expect(cpuFor(1000) / cpuFor(100)).toBeLessThan(50);
});
