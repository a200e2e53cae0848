import fc from 'fast-check';
import { expect, it } from 'vitest';
import { breadthOf, clippedTo, firstLine, linesOf } from './name-room.ts';

it('Chinese, Japanese and Korean characters take the width of two letters', () => {
  expect(breadthOf('日本')).toBeCloseTo(3.9);
  expect(breadthOf('Ill')).toBeLessThan(breadthOf('Wmm'));
});

it('clipped text is a prefix that fits', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat({ max: 40 }), (text, room) => {
      const clipped = clippedTo(text, room);
      expect(text.startsWith(clipped)).toBe(true);
      expect(breadthOf(clipped)).toBeLessThanOrEqual(room + 1e-9);
    }),
  );
});

it('lines contain whole words where possible', () => {
  expect(linesOf('Night over the bower.png', 14)).toBe(2);
  expect(linesOf('Night over the bower.png', 10)).toBe(3);
  expect(linesOf('averyverylongword', 8)).toBeGreaterThan(1);
  expect(linesOf('北海道の旅', 6)).toBe(2);
});

it('the first line ends between words, or within one if it would be half empty otherwise', () => {
  expect(firstLine('Договор имя файла за первый квартал', 22)).toEqual({
    first: 'Договор имя файла',
    rest: 'за первый квартал',
  });
  expect(firstLine('a Verylongwordwithoutanybreak', 12).first).toMatch(/^a Verylong/);
  expect(firstLine('共有している資料', 8).first).toBe('共有して');
});

it('a line and its rest contain the whole text except the spaces between them, and the line fits', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.integer({ min: 4, max: 40 }),
      (text, line) => {
        const { first, rest } = firstLine(text, line);
        expect((first + rest).replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
        expect(breadthOf(first)).toBeLessThanOrEqual(line + 1e-9);
      },
    ),
  );
});
