import { expect, test } from 'vitest';
import { turnableClock } from '../../testing/index.ts';
import { createIds } from './id.ts';

test('secret ids have at least 128 random bits and look like any other id', () => {
  let drawn = 0;
  const ids = createIds(turnableClock(), (bytes) => {
    drawn += bytes.length;
    bytes.fill(255);
  });
  expect(ids.secret()).toBe(`V${'Z'.repeat(26)}`);
  expect(drawn * 5).toBeGreaterThanOrEqual(128);
});

test('ids created one after the other are in order, within a millisecond and beyond', () => {
  const clock = turnableClock();
  const ids = createIds(clock);
  const made = Array.from({ length: 500 }, (_, at) => {
    if (at % 50 === 0) clock.advance(1);
    return ids.next();
  });
  expect(made.toSorted()).toEqual(made);
  expect(new Set(made).size).toBe(500);
});

test('secret ids never repeat, however many are drawn', () => {
  const ids = createIds(turnableClock());
  expect(new Set(Array.from({ length: 2000 }, () => ids.secret())).size).toBe(2000);
});
