import { expect, test } from 'vitest';
import { createPartSizes } from './part-sizes.ts';

const MIB = 2 ** 20;

test('parts grow while they are quick, up to a limit', () => {
  const sizes = createPartSizes(() => 0);
  expect(sizes.next).toBe(16 * MIB);
  sizes.arrived(16 * MIB, 500);
  expect(sizes.next).toBe(32 * MIB);
  sizes.arrived(MIB, 1);
  expect(sizes.next).toBe(32 * MIB);
  for (let at = 0; at < 5; at++) sizes.arrived(sizes.next, 500);
  expect(sizes.next).toBe(64 * MIB);
});

test('parts shrink if they take half a minute, however many arrive at the same time', () => {
  const sizes = createPartSizes(() => 0);
  for (let lane = 0; lane < 3; lane++) sizes.arrived(16 * MIB, 40_000);
  expect(sizes.next).toBe(8 * MIB);
});

test('a size that a proxy refuses is not tried again', () => {
  const sizes = createPartSizes(() => 0);
  expect(sizes.failed(16 * MIB, 413)).toBe(true);
  expect(sizes.next).toBe(8 * MIB);
  for (let at = 0; at < 5; at++) sizes.arrived(8 * MIB, 100);
  expect(sizes.next).toBe(8 * MIB);
  expect(sizes.failed(MIB, 413)).toBe(false);
});

test.each([0, 408, 504, 524])('after a timeout (%i), parts are half as large for some minutes', (status) => {
  let now = 0;
  const sizes = createPartSizes(() => now);
  expect(sizes.failed(16 * MIB, status)).toBe(true);
  sizes.arrived(8 * MIB, 100);
  expect(sizes.next).toBe(8 * MIB);
  now = 6 * 60 * 1000;
  sizes.arrived(8 * MIB, 100);
  expect(sizes.next).toBe(16 * MIB);
});

test.each([400, 403, 404, 500, 503])('the response %i says nothing about sizes', (status) => {
  const sizes = createPartSizes(() => 0);
  expect(sizes.failed(16 * MIB, status)).toBe(false);
  expect(sizes.next).toBe(16 * MIB);
});
