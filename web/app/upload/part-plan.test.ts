import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gcidBlockSize } from '@bowerbird/contract';
import { partSize, planParts } from './part-plan.ts';

const sizes = fc.integer({ min: 1, max: 2 ** 44 });

test('the parts of a file are contiguous and cover it exactly', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 38 }), (size) => {
      const parts = planParts(size);
      expect(parts[0]!.start).toBe(0);
      expect(parts.at(-1)!.end).toBe(size);
      for (const [at, part] of parts.entries()) {
        expect(part.number).toBe(at + 1);
        if (at > 0) expect(part.start).toBe(parts[at - 1]!.end);
      }
    }),
    { numRuns: 12 },
  );
});

test('a file needs no more parts than the server accepts, and no part splits a hash block', () => {
  fc.assert(
    fc.property(sizes, (size) => {
      expect(Math.ceil(size / partSize(size))).toBeLessThanOrEqual(10_000);
      expect(partSize(size) % gcidBlockSize(size)).toBe(0);
    }),
  );
});
