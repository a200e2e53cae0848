import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { drawCode, readCode, writeCode } from './code.ts';

const KEY = createHmac('sha256', 'key').update('test').digest();

test.each([
  ['0123-4567-89AC-DEFG', 'as it is printed'],
  ['0123456789acdefg', 'in small letters without hyphens'],
  [' 0123 4567\t89ac‑defg\n', 'with spaces and another hyphen'],
  ['０１２３－４５６７－８９ＡＣ－ＤＥＦＧ', 'in full-width characters'],
  ['OlZ3-4S67-B9AC-DEFG', 'with letters that look like digits'],
  ['oiz3_4s67.b9ac/defg', 'with look-alikes in small letters'],
  ['\u041eI23-4567-89\u0410\u0421-D\u0415FG', 'with Cyrillic letters'],
])('%j is read (%s)', (typed) => {
  expect(readCode(typed)).toBe('0123456789ACDEFG');
});

test.each([
  '',
  '0123-4567-89AC-DEF',
  '0123-4567-89AC-DEFG-H',
  '0123-4567-89AC-DEF!',
  '0123-4567-89AC-DEF鳥',
  '0'.repeat(200),
])('%j can’t be a code', (typed) => {
  expect(readCode(typed)).toBeUndefined();
});

test('codes are read as they were written, differ, and follow from the key', () => {
  const drawn = Array.from({ length: 2000 }, (_, number) => drawCode(KEY, 'batch', number));
  expect(new Set(drawn).size).toBe(drawn.length);
  for (const letters of drawn) expect(readCode(writeCode(letters).toLowerCase())).toBe(letters);
  expect(drawCode(KEY, 'batch', 7)).toBe(drawn[7]);
  expect(drawCode(KEY, 'other', 7)).not.toBe(drawn[7]);
  expect(drawCode(createHmac('sha256', 'other').digest(), 'batch', 7)).not.toBe(drawn[7]);
  // Every letter is about as frequent as the others.
  const counts = new Map<string, number>();
  for (const letter of drawn.join('')) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const expected = (drawn.length * 16) / 29;
  expect(counts.size).toBe(29);
  for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(expected / 4);
});
