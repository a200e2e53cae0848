import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { eachDatabase, openTestApp } from '../../testing/index.ts';
import { compareBytes, foldName, nameKey } from './name-key.ts';

/**
 * Specification of the order, implemented without keys: piece by piece, numbers by value, finally the exact name.
 */
function stated(a: string, b: string): number {
  const pieces = (name: string): string[] => foldName(name).match(/[0-9]+|[^0-9]/gu) ?? [];
  const [left, right] = [pieces(a), pieces(b)];
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const [x, y] = [left[at]!, right[at]!];
    const numbers = /^[0-9]/.test(x) && /^[0-9]/.test(y);
    const order = numbers
      ? Number(BigInt.asIntN(64, BigInt(x) > BigInt(y) ? 1n : BigInt(x) < BigInt(y) ? -1n : 0n))
      : byCodePoint(/^[0-9]/.test(x) ? '0' : x, /^[0-9]/.test(y) ? '0' : y);
    if (order !== 0) return Math.sign(order);
  }
  return Math.sign(left.length - right.length || byCodePoint(a.normalize('NFC'), b.normalize('NFC')));
}

const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
const byKey = (a: string, b: string): number => Math.sign(compareBytes(nameKey(a), nameKey(b)));

const character = fc.oneof(
  fc.constantFrom(...'aAbBzZ019 _-.()äÄéeßſΣσςｆＦ１２あが가é\u0301İıﬁ日本\u{1f600}\u{ff21}\u{e000}\u{fffd}'),
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 1 })
    .filter((text) => !/[\u0000-\u001f\u007f/\\]/.test(text)),
);
const name = fc
  .array(character, { minLength: 1, maxLength: 12 })
  .map((parts) => parts.join('').toWellFormed());

test('2 comes before 10, case and accents matter only among equal names, and the order of equal names is stable', () => {
  const names = [
    'b.txt',
    'File 10',
    'file 2',
    'résumé',
    'Resume',
    'resume 1',
    'ａ',
    'A',
    'a',
    'file 02',
    'Z',
    'ä',
    '_',
    'img12b',
    'img12a',
    'img2',
  ];
  const sorted = [
    '_',
    'A',
    'a',
    'ä',
    'ａ',
    'b.txt',
    'file 02',
    'file 2',
    'File 10',
    'img2',
    'img12a',
    'img12b',
    'Resume',
    'résumé',
    'resume 1',
    'Z',
  ];
  expect(names.toSorted((a, b) => compareBytes(nameKey(a), nameKey(b)))).toEqual(sorted);
  expect(byKey('file 2', 'File 10')).toBe(-1);
  expect(byKey('a', 'B')).toBe(-1);
  expect(byKey('é', 'f')).toBe(-1);
  expect(byKey('x9999999999999999999999', 'x10000000000000000000000')).toBe(-1);
});

test('keys sort like the documented order, for all names', () => {
  fc.assert(
    fc.property(name, name, (a, b) => byKey(a, b) === stated(a, b)),
    { numRuns: 3000 },
  );
});

test('only names that are equal in NFC have the same key', () => {
  fc.assert(
    fc.property(
      name,
      name,
      (a, b) => (nameKey(a) === nameKey(b)) === (a.normalize('NFC') === b.normalize('NFC')),
    ),
  );
  expect(nameKey('e\u0301')).toBe(nameKey('\u00e9'));
});

test('strings sort like their UTF-8 bytes', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
      fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
      (a, b) => Math.sign(compareBytes(a, b)) === byCodePoint(a, b),
    ),
  );
});

test('the longest names have keys that fit an index', () => {
  for (const long of [
    '\ufdfa'.repeat(85),
    '9'.repeat(255),
    'ﬃ'.repeat(85),
    '가'.repeat(85),
    '1a'.repeat(127),
  ])
    expect(Buffer.byteLength(nameKey(long))).toBeLessThan(1400);
});

eachDatabase((dialect) => {
  test('the database sorts keys like this code', async () => {
    await using app = await openTestApp({ dialect });
    const names = [...new Set(fc.sample(name, 400))];
    const rows = names.map((text) => sql`select cast(${nameKey(text)} as text) as k`);
    const collate = dialect === 'postgres' ? sql`collate "C"` : sql``;
    const sorted = await sql<{
      k: string;
    }>`select k from (${sql.join(rows, sql` union all `)}) as keys order by k ${collate}`.execute(
      app.database.on(),
    );
    expect(sorted.rows.map(({ k }) => k)).toEqual(names.map(nameKey).toSorted(compareBytes));
  });
});
