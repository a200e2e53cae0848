import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { prove } from './proof.ts';
import { sha256Head } from './sha256.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

test('the digest of any text that fits a block starts like Node’s', () => {
  for (let length = 0; length <= 55; length++) {
    const text = 'V0.abc~'.repeat(9).slice(0, length);
    expect(sha256Head(text)).toBe(digest(text).readUInt32BE(0));
  }
});

test('the answers satisfy the server’s check, and progress only increases', () => {
  const work = prove({ id: 'VCHALLENGE', rounds: 4, bits: 12 });
  const steps: number[] = [];
  let step = work.next();
  for (; step.done !== true; step = work.next()) steps.push(step.value.done);
  expect(step.value).toHaveLength(4);
  for (const [round, answer] of step.value.entries())
    expect(digest(`VCHALLENGE.${round}.${answer}`).readUInt32BE(0) >>> 20).toBe(0);
  expect(steps).toEqual(steps.toSorted((a, b) => a - b));
  expect(steps.at(-1)).toBe(1);
});
