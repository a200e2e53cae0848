import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judge, rangeStands, readRange } from './byte-range.ts';

test.each([
  ['bytes=0-1', [{ start: 0, end: 1 }]],
  ['bytes=0-', [{ start: 0, end: 99 }]],
  ['bytes=90-', [{ start: 90, end: 99 }]],
  ['bytes=99-99', [{ start: 99, end: 99 }]],
  ['bytes=50-1000', [{ start: 50, end: 99 }]],
  ['bytes=-10', [{ start: 90, end: 99 }]],
  ['bytes=-1000', [{ start: 0, end: 99 }]],
  ['BYTES=1-2', [{ start: 1, end: 2 }]],
  [
    ' bytes=1-2 , 5-6',
    [
      { start: 1, end: 2 },
      { start: 5, end: 6 },
    ],
  ],
  [
    'bytes=1-2,,5-6,',
    [
      { start: 1, end: 2 },
      { start: 5, end: 6 },
    ],
  ],
  ['bytes=1-2,200-300', [{ start: 1, end: 2 }]],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=100-200', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  [`bytes=${'9'.repeat(400)}-`, 'unsatisfiable'],
  [`bytes=0-${'9'.repeat(400)}`, [{ start: 0, end: 99 }]],
  ['bytes=5-2', 'whole'],
  ['bytes=a-b', 'whole'],
  ['bytes=', 'whole'],
  ['bytes=-', 'whole'],
  ['bytes=1-2-3', 'whole'],
  ['bytes= 1 - 2', 'whole'],
  ['bytes=+1-2', 'whole'],
  ['bytes=0x1-2', 'whole'],
  ['items=0-1', 'whole'],
  ['0-1', 'whole'],
  [undefined, 'whole'],
  ['bytes=0-,0-', 'whole'],
  ['bytes=0-0,2-2,4-4,6-6,8-8,10-10,12-12,14-14,16-16,18-18,20-20', 'whole'],
  [
    'bytes=0-0,2-2,4-4,6-6,8-8,10-10,12-12,14-14,16-16,18-18',
    [0, 2, 4, 6, 8, 10, 12, 14, 16, 18].map((at) => ({ start: at, end: at })),
  ],
  [`bytes=${Array.from({ length: 50 }, (_, at) => `${at}-${at}`).join(',')}`, 'whole'],
] as const)('%s is parsed for a file of a hundred bytes', (header, expected) => {
  expect(readRange(header, 100)).toEqual(expected);
});

test('no range is satisfiable in an empty file', () => {
  expect(readRange('bytes=0-', 0)).toBe('unsatisfiable');
  expect(readRange('bytes=0-0', 0)).toBe('unsatisfiable');
  expect(readRange('bytes=-5', 0)).toBe('whole');
  expect(readRange(undefined, 0)).toBe('whole');
});

test('every range is clamped to the file', () => {
  const number = fc.oneof(
    fc.constant(''),
    fc.nat(200).map(String),
    fc.bigInt({ min: 0n, max: 2n ** 200n }).map(String),
  );
  const header = fc
    .array(fc.tuple(number, number), { minLength: 1, maxLength: 5 })
    .map((spans) => `bytes=${spans.map((span) => span.join('-')).join(',')}`);
  fc.assert(
    fc.property(header, fc.nat(150), (text, size) => {
      const answer = readRange(text, size);
      return (
        typeof answer === 'string' ||
        answer.every(({ start, end }) => start >= 0 && start <= end && end < size)
      );
    }),
  );
});

const MODIFIED = Date.parse('2026-05-01T10:00:00.700Z');
const ETAG = '"abc"';

test('conditions are evaluated in the order of RFC 9110', () => {
  expect(judge({}, ETAG, MODIFIED)).toBe('send');
  expect(judge({ 'if-none-match': '"abc"' }, ETAG, MODIFIED)).toBe('not-modified');
  expect(judge({ 'if-none-match': 'W/"abc"' }, ETAG, MODIFIED)).toBe('not-modified');
  expect(judge({ 'if-none-match': '"x", "abc"' }, ETAG, MODIFIED)).toBe('not-modified');
  expect(judge({ 'if-none-match': '*' }, ETAG, MODIFIED)).toBe('not-modified');
  expect(
    judge({ 'if-none-match': '"x"', 'if-modified-since': 'Fri, 01 May 2027 10:00:00 GMT' }, ETAG, MODIFIED),
  ).toBe('send');
  expect(judge({ 'if-modified-since': 'Fri, 01 May 2026 10:00:00 GMT' }, ETAG, MODIFIED)).toBe(
    'not-modified',
  );
  expect(judge({ 'if-modified-since': 'Fri, 01 May 2026 09:59:59 GMT' }, ETAG, MODIFIED)).toBe('send');
  expect(judge({ 'if-modified-since': 'yesterday' }, ETAG, MODIFIED)).toBe('send');
  expect(judge({ 'if-match': '"x"' }, ETAG, MODIFIED)).toBe('failed');
  expect(judge({ 'if-match': 'W/"abc"' }, ETAG, MODIFIED)).toBe('failed');
  expect(judge({ 'if-match': '"abc"' }, ETAG, MODIFIED)).toBe('send');
  expect(judge({ 'if-unmodified-since': 'Fri, 01 May 2026 09:00:00 GMT' }, ETAG, MODIFIED)).toBe('failed');
});

test('a range applies only if the client’s validator matches', () => {
  expect(rangeStands(undefined, ETAG, MODIFIED)).toBe(true);
  expect(rangeStands('"abc"', ETAG, MODIFIED)).toBe(true);
  expect(rangeStands('W/"abc"', ETAG, MODIFIED)).toBe(false);
  expect(rangeStands('"old"', ETAG, MODIFIED)).toBe(false);
  expect(rangeStands('Fri, 01 May 2026 10:00:00 GMT', ETAG, MODIFIED)).toBe(true);
  expect(rangeStands('Fri, 01 May 2026 10:00:01 GMT', ETAG, MODIFIED)).toBe(false);
  expect(rangeStands('nonsense', ETAG, MODIFIED)).toBe(false);
});
