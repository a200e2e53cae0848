import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { LOCALES, type InvoiceSheet } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { breakLines } from './lines.ts';
import { print } from './print.ts';
import { createTypefaces, type Letter } from './typeface.ts';
import { readWoff2 } from './woff2.ts';

const typefaces = createTypefaces();
const missing = (letters: readonly Letter[]): string =>
  letters
    .filter(({ outline }) => outline.key.startsWith('missing'))
    .map(({ text }) => text)
    .join('');

test.each(LOCALES)('every letter of the texts of invoices exists in both weights: %s', async (locale) => {
  const file = join(import.meta.dirname, `../../../locales/${locale}.json`);
  const all = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  const words = Object.entries(all)
    .filter(([key]) => key.startsWith('invoice.') || key.startsWith('payment.'))
    .map(([, text]) => text)
    .join(' ');
  for (const weight of [400, 600] as const) {
    const letters = await typefaces.letters(words, weight, locale);
    expect(missing(letters)).toBe('');
    expect(letters.map(({ text }) => text).join('')).toBe(words);
    // Only spaces have no outline.
    const empty = letters.filter(({ outline }) => outline.path.length === 0).map(({ text }) => text);
    expect(empty.filter((text) => text.trim() !== '')).toEqual([]);
  }
});

test('names in any of these scripts have their letters, and others get boxes that stand for them', async () => {
  for (const name of [
    'Дмитрій Їжаков',
    '渡邉 直樹',
    '王小明',
    '黃曉明',
    '김철수',
    'Zoë Łukasz Çelik',
    'Ελένη',
    'Nguyễn',
  ])
    expect(missing(await typefaces.letters(name, 600, 'en-US'))).toBe('');
  const others = await typefaces.letters('สวัสดี مرحبا 🎉', 400, 'en-US');
  expect(others.map(({ text }) => text).join('')).toBe('สวัสดี مرحبا 🎉');
  expect(others.filter(({ outline }) => outline.path.length > 0).length).toBeGreaterThan(8);
});

test('the same character has the form of the reader’s language', async () => {
  const forms = await Promise.all(
    (['ja', 'zh-CN', 'zh-TW', 'ko'] as const).map(
      async (locale) => (await typefaces.letters('骨', 400, locale))[0]!.outline.key,
    ),
  );
  expect(new Set(forms.map((key) => key.split(' ')[0])).size).toBe(4);
});

test('lines end between words, or between Chinese characters but not before punctuation', async () => {
  const lines = async (text: string, width: number, most = 9) => {
    const [letters, ellipsis] = [
      await typefaces.letters(text, 400, 'ja'),
      await typefaces.letters('…', 400, 'ja'),
    ];
    const broken = breakLines(letters, { width, size: 10, most, ellipsis });
    return broken.map((line) => line.map((one) => one.text).join(''));
  };
  expect(await lines('One two three', 45)).toEqual(['One two ', 'three']);
  expect(await lines('これは、請求書です。', 30)).toEqual(['これ', 'は、請', '求書で', 'す。']);
  expect(await lines('x'.repeat(30), 50)).toHaveLength(4);
  expect(await lines('One two three four', 50, 1)).toEqual(['One two…']);
  expect(await lines('', 45)).toEqual([]);
});

const SHEET: InvoiceSheet = {
  locale: 'en-US',
  title: 'Invoice 1',
  heading: 'Invoice',
  issuedAt: Date.UTC(2026, 10, 30),
  seller: { name: 'N'.repeat(300), lines: Array.from({ length: 9 }, () => 'address '.repeat(20)) },
  buyer: { label: 'Billed to', lines: ['W'.repeat(300), 'x@example.org'.repeat(20)] },
  facts: Array.from({ length: 5 }, () => ({ label: 'label '.repeat(9), value: 'value '.repeat(20) })),
  columns: { item: 'Description', quantity: 'Quantity', amount: 'Amount' },
  item: { name: 'product '.repeat(60), details: '1 month', quantity: '1', amount: '$1.00' },
  sums: [{ label: 'tax '.repeat(40), value: '$1,000,000,000,000.00' }],
  total: { label: 'Total', value: '$1,000,000,000,000.00' },
  notes: ['word '.repeat(200), 'word '.repeat(200)],
  footer: 'footer '.repeat(60),
};

test('the longest sheet fits on its page, and the same sheet is the same file', async () => {
  const file = await print(SHEET, typefaces);
  expect(file.equals(await print(SHEET, typefaces))).toBe(true);
  const text = file.toString('latin1');
  const streams = [...text.matchAll(/\/Length (\d+) \/Filter \/FlateDecode >>\nstream\n/g)].map((match) => {
    const from = match.index + match[0].length;
    return inflateSync(file.subarray(from, from + Number(match[1]))).toString('latin1');
  });
  const heights = streams
    .filter((stream) => stream.includes('BDC'))
    .flatMap((stream) => [...stream.matchAll(/([\d.-]+) ([\d.-]+) Td/g)])
    .map((match) => Number(match[2]));
  expect(heights.length).toBeGreaterThan(30);
  // The foot of the page is at 52.
  const above = heights.filter((height) => height > 52.5);
  expect(Math.min(...above)).toBeGreaterThan(75);
  expect(heights.filter((height) => height <= 52.5)).toHaveLength(1);
});

test('a broken font is refused', () => {
  expect(() => readWoff2(Buffer.from('OTTO'))).toThrow('not a WOFF 2.0 font');
  expect(() => readWoff2(Buffer.from('wOF2'))).toThrow(RangeError);
});
