import { expect, test } from 'vitest';
import { EXTENDED, NTFS, NTFS_EPOCH_MS, NTFS_TICKS_PER_MS, zipTime } from './zip-times.ts';

/** DOS fields: a date, and a time in steps of two seconds. */
const dos = (year: number, month: number, day: number, hour = 0, minute = 0, second = 0) =>
  [((year - 1980) << 9) | (month << 5) | day, (hour << 11) | (minute << 5) | (second >> 1)] as const;

function extended(seconds: number): Map<number, Buffer> {
  const field = Buffer.alloc(5);
  field[0] = 1;
  field.writeInt32LE(seconds | 0, 1);
  return new Map([[EXTENDED, field]]);
}

test('a DOS time is read as UTC if there is no better field', () => {
  expect(zipTime(new Map(), ...dos(2020, 5, 1, 12, 30, 14))).toBe(Date.UTC(2020, 4, 1, 12, 30, 14));
  expect(zipTime(new Map(), ...dos(2020, 2, 31))).toBeUndefined();
});

test('Unix seconds take precedence over the DOS time, and count as before 1970 only if the DOS time agrees', () => {
  const second = Date.UTC(2020, 4, 1, 10, 30, 15) / 1000;
  expect(zipTime(extended(second), ...dos(2020, 5, 1, 12, 30, 14))).toBe(second * 1000);
  expect(zipTime(extended(-86_400), ...dos(1980, 1, 1))).toBe(Date.UTC(1969, 11, 31));
});

test.each([2038, 2039, 2100])('a Unix time that overflowed 31 bits is read as %i', (year) => {
  const second = Date.UTC(year, 5, 1) / 1000;
  expect(zipTime(extended(second), ...dos(year, 6, 1))).toBe(second * 1000);
});

test('NTFS times are read to the millisecond', () => {
  const time = Date.UTC(2020, 4, 1, 12, 30, 15, 56);
  const field = Buffer.alloc(32);
  field.writeUInt16LE(1, 4);
  field.writeUInt16LE(24, 6);
  field.writeBigUInt64LE(BigInt(time + NTFS_EPOCH_MS) * NTFS_TICKS_PER_MS, 8);
  expect(zipTime(new Map([[NTFS, field]]), ...dos(1999, 1, 1))).toBe(time);
});
