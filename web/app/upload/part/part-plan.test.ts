import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gcidBlockSize } from '@bowerbird/contract';
import { equalPartOf, planParts, unitOf, USUAL_PART, type HeldPart, type Part } from './part-plan.ts';

const MIB = 2 ** 20;
const sizes = fc.integer({ min: 1, max: 2 ** 44 });

/** Takes and sends everything, with parts of the given sizes in turn. */
function sendAll(plan: ReturnType<typeof planParts>, bytes: readonly number[]): Part[] {
  const sent: Part[] = [];
  for (let at = 0; ; at++) {
    const part = plan.take(bytes[at % bytes.length]!);
    if (!part) return sent;
    plan.hasArrived(part, `${part.number}`);
    sent.push(part);
  }
}

test('parts of any sizes cover a file exactly, and numbers ascend with positions', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2 ** 38 }),
      fc.array(fc.integer({ min: 1, max: 64 * MIB }), { minLength: 1, maxLength: 5 }),
      (size, bytes) => {
        const unit = unitOf(size);
        const parts = sendAll(planParts(size, unit, new Map()), bytes);
        expect(parts[0]!.start).toBe(0);
        expect(parts.at(-1)!.end).toBe(size);
        for (const [at, part] of parts.entries()) {
          expect(part.number).toBe(part.start / unit + 1);
          if (at > 0) expect(part.start).toBe(parts[at - 1]!.end);
        }
      },
    ),
    { numRuns: 12 },
  );
});

test('a file needs no higher numbers than the server accepts, and no usual part splits a hash block', () => {
  fc.assert(
    fc.property(sizes, (size) => {
      const unit = unitOf(size);
      expect(Math.ceil(size / unit)).toBeLessThanOrEqual(10_000);
      const part = planParts(size, unit, new Map()).take(USUAL_PART)!;
      if (part.end < size) expect(part.end % gcidBlockSize(size)).toBe(0);
      expect(Math.ceil(size / equalPartOf(size))).toBeLessThanOrEqual(10_000);
    }),
  );
});

test('whatever is held, what is sent completes the file', () => {
  const size = 100 * MIB - 7;
  const held = fc.dictionary(
    fc.integer({ min: 1, max: 100 }).map(String),
    fc.integer({ min: 0, max: 20 }).map((units) => units * MIB),
  );
  fc.assert(
    fc.property(held, (found) => {
      const parts = new Map<number, HeldPart>(
        Object.entries(found).map(([number, bytes]) => [Number(number), { etag: 'held', size: bytes }]),
      );
      const plan = planParts(size, MIB, parts);
      for (const { number, start, end } of sendAll(plan, [16 * MIB, 3 * MIB]))
        parts.set(number, { etag: `${number}`, size: end - start });
      let covered = 0;
      for (const [number, etag] of [...plan.etags].toSorted(([a], [b]) => a - b)) {
        expect((number - 1) * MIB).toBe(covered);
        expect(parts.get(number)!.etag).toBe(etag);
        covered += parts.get(number)!.size;
      }
      expect(covered).toBe(size);
      expect(plan.arrived).toBe(size);
    }),
  );
});

test('the rest of a part that was cut is only sent once its beginning has arrived', () => {
  const plan = planParts(32 * MIB, MIB, new Map());
  const whole = plan.take(16 * MIB)!;
  expect(plan.take(16 * MIB)).toMatchObject({ number: 17 });
  expect(plan.take(16 * MIB)).toBeUndefined();
  const beginning = plan.beginningOf(whole, 8 * MIB);
  expect(beginning).toEqual({ number: 1, start: 0, end: 8 * MIB });
  plan.hasArrived(beginning, 'a', whole);
  expect(plan.take(16 * MIB)).toEqual({ number: 9, start: 8 * MIB, end: 16 * MIB });
});
