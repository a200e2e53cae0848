import { describe, expect, it } from 'vitest';
import { fileTime, readSeconds, readTime, writableTime } from './time.ts';

const may = Date.UTC(2020, 4, 1, 12, 30, 15);

describe('dates written by programs', () => {
  it.each([
    ['2020-05-01T12:30:15Z', may],
    ['2020-05-01T12:30:15.056+00:00', may + 56],
    ['2020-05-01T14:30:15.056789012+02:00', may + 56],
    ['2020-05-01t12:30:15z', may],
    ['2020-05-01 12:30:15', may],
    ['2020-05-01T12:30:15', may],
    ['2020-05-01T07:30:15-0500', may],
    ['2020-05-01', Date.UTC(2020, 4, 1)],
    ['+002020-05-01T12:30:15Z', may],
    ['Fri, 01 May 2020 12:30:15 GMT', may],
    ['Friday, 01-May-20 12:30:15 GMT', may],
    ['Fri May  1 12:30:15 2020', may],
    ['Fri, 1 May 2020 08:30:15 EDT', may],
    ['1 May 2020 12:30:15 +0000 (UTC)', may],
    ['Thu, 31-Dec-49 23:59:59 GMT', Date.UTC(2049, 11, 31, 23, 59, 59)],
    ['Sat, 01-Jan-50 00:00:00 GMT', Date.UTC(1950, 0, 1)],
    ['Fri, 01 May 2020 12:30 GMT', Date.UTC(2020, 4, 1, 12, 30)],
    ['1999-12-31T23:59:60Z', Date.UTC(2000, 0, 1)],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['1969-12-31T23:59:59.5Z', -500],
    ['0001-01-01T00:00:00Z', -62_135_596_800_000],
    ['9999-12-31T23:59:59.999Z', 253_402_300_799_999],
  ])('are read from %s', (text, time) => {
    expect(readTime(text)).toBe(time);
    expect(fileTime(readTime(text))).toBe(time);
  });

  it.each([
    '2023-02-29',
    '2020-02-31T00:00:00Z',
    '2020-04-31T00:00:00Z',
    '2020-13-01T00:00:00Z',
    '2020-00-10T00:00:00Z',
    '2020-05-00T00:00:00Z',
    '2020-05-01T24:00:00Z',
    '2020-05-01T12:60:00Z',
    '2020-05-01T12:30:61Z',
    '2020-05-01T12:30:15+25:00',
    'Mon, 31 Feb 2020 00:00:00 GMT',
    'Mon, 12 Foo 2020 00:00:00 GMT',
    'Mon Feb 31 00:00:00 2020',
    'yesterday',
    'now',
    'NaN',
    'Infinity',
    '1588336215',
    '2020',
    '05/01/2020',
    '',
    ' ',
  ])('are not read from %j', (text) => {
    expect(readTime(text)).toBeUndefined();
  });

  it.each([
    ['+010000-01-01T00:00:00.000Z', Number.POSITIVE_INFINITY],
    ['10000-01-01T00:00:00Z', Number.POSITIVE_INFINITY],
    ['+275760-09-13T00:00:00.000Z', Number.POSITIVE_INFINITY],
    ['9999-12-31T23:59:59-01:00', Number.POSITIVE_INFINITY],
    ['Sat, 01 Jan 10000 00:00:00 GMT', Number.POSITIVE_INFINITY],
    ['0000-12-31T00:00:00Z', Number.NEGATIVE_INFINITY],
    ['-000001-01-01T00:00:00Z', Number.NEGATIVE_INFINITY],
    ['0001-01-01T00:00:00+01:00', Number.NEGATIVE_INFINITY],
  ])('are out of range for a file: %s', (text, time) => {
    expect(readTime(text)).toBe(time);
    expect(fileTime(readTime(text))).toBeUndefined();
  });
});

describe('seconds since 1970', () => {
  it.each([
    ['1588336215', may],
    ['1588336215.056', may + 56],
    [' -1.5 ', -1500],
    ['0', 0],
    ['253402300799', 253_402_300_799_000],
    ['-62135596800', -62_135_596_800_000],
  ])('are read from %s', (text, time) => {
    expect(fileTime(readSeconds(text))).toBe(time);
  });

  it.each(['253402300800', '1588336215000', '-62135596801', '99999999999999999999', '1e9', 'NaN', '', '0x1'])(
    'are not read from %j',
    (text) => {
      expect(fileTime(readSeconds(text))).toBeUndefined();
    },
  );
});

it('formatted dates have a four-digit year', () => {
  expect(new Date(writableTime(Number.POSITIVE_INFINITY)).toISOString()).toBe('9999-12-31T23:59:59.999Z');
  expect(new Date(writableTime(-8.64e15)).toISOString()).toBe('0001-01-01T00:00:00.000Z');
  expect(writableTime(may)).toBe(may);
});
