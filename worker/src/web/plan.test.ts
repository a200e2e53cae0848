import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCutter } from './cutter.ts';
import { layoutOf, sizeOf, startOf } from './layout.ts';
import { createPlan } from './plan.ts';

test('every missing part is taken once, in whole runs, whatever is given back', () => {
  const missing = fc.uniqueArray(fc.integer({ min: 1, max: 300 }), { maxLength: 200 });
  fc.assert(
    fc.property(missing, fc.integer({ min: 1, max: 4 }), fc.nat({ max: 5 }), (parts, lanes, returns) => {
      const plan = createPlan(parts, lanes);
      const taken = new Set<number>();
      let back = returns;
      for (let run = plan.take(); run; run = plan.take()) {
        const numbers = Array.from({ length: run.count }, (_, at) => run!.first + at);
        if (back-- > 0) {
          for (const first of numbers) plan.giveBack({ first, count: 1 });
          continue;
        }
        for (const number of numbers) {
          expect(parts).toContain(number);
          expect(taken.has(number)).toBe(false);
          taken.add(number);
        }
      }
      expect(taken.size).toBe(parts.length);
    }),
  );
});

test('whoever is alone takes everything that hangs together', () => {
  const plan = createPlan([1, 2, 3, 7, 8], 1);
  expect([plan.take(), plan.take(), plan.take()]).toEqual([
    { first: 1, count: 3 },
    { first: 7, count: 2 },
    undefined,
  ]);
});

test('the parts of a layout are the file, from its first byte to its last, and never too many', () => {
  for (const size of [1, 2 ** 24, 2 ** 24 + 1, 2 ** 30, 5 * 2 ** 40 + 3]) {
    const layout = layoutOf(size);
    expect(layout.count).toBeLessThanOrEqual(4000);
    expect(layout.partSize % layout.block).toBe(0);
    expect(startOf(layout, layout.count) + sizeOf(layout, layout.count)).toBe(size);
    expect(sizeOf(layout, layout.count)).toBeGreaterThan(0);
  }
});

test('a flow is cut where asked, whatever chunks it comes in', async () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(chunks, fc.integer({ min: 1, max: 30 }), async (flow, size) => {
      const cutter = createCutter(
        (async function* () {
          yield* flow;
        })(),
      );
      const pieces: Buffer[] = [];
      while (await cutter.more()) pieces.push(Buffer.concat(await Array.fromAsync(cutter.next(size))));
      expect(Buffer.concat(pieces)).toEqual(Buffer.concat(flow));
      for (const piece of pieces.slice(0, -1)) expect(piece.byteLength).toBe(size);
    }),
  );
});
