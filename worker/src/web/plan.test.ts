import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSplitter } from './splitter.ts';
import { layoutOf, missingCells, numberAt, startOf, usableParts } from './layout.ts';
import { createPlan } from './plan.ts';

test('every missing part is taken once, in contiguous runs, whatever is returned', () => {
  const missing = fc.uniqueArray(fc.integer({ min: 1, max: 300 }), { maxLength: 200 });
  fc.assert(
    fc.property(missing, fc.integer({ min: 1, max: 4 }), fc.nat({ max: 5 }), (parts, lanes, returns) => {
      const plan = createPlan(parts, lanes);
      const taken = new Set<number>();
      let back = returns;
      for (let run = plan.take(); run; run = plan.take()) {
        const numbers = Array.from({ length: run.count }, (_, at) => run!.first + at);
        if (back-- > 0) {
          plan.giveBack(numbers);
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

test('a single connection takes each contiguous run as a whole', () => {
  const plan = createPlan([1, 2, 3, 7, 8], 1);
  expect([plan.take(), plan.take(), plan.take()]).toEqual([
    { first: 1, count: 3 },
    { first: 7, count: 2 },
    undefined,
  ]);
});

const SIZES = [1, 2 ** 16, 2 ** 24, 2 ** 24 + 1, 2 ** 30, 5 * 2 ** 40 + 3];

test('the cells of a layout cover the file, are limited in number, and align with hash blocks', () => {
  for (const size of SIZES) {
    const { cell, count, block } = layoutOf(size);
    expect(count).toBeLessThanOrEqual(4000);
    expect(Math.max(cell, block) % Math.min(cell, block)).toBe(0);
    expect(startOf({ cell }, count)).toBeLessThan(size);
    expect(startOf({ cell }, count + 1)).toBeGreaterThanOrEqual(size);
    expect(numberAt({ cell }, startOf({ cell }, count))).toBe(count);
  }
});

test('parts of any length are found by their numbers, and the others are missing', () => {
  const lengths = fc.array(fc.tuple(fc.nat({ max: 3 }), fc.integer({ min: 1, max: 5 })), { maxLength: 30 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 * 2 ** 20 }), lengths, (size, gapsAndParts) => {
      const layout = layoutOf(size);
      const parts = [];
      let cell = 1;
      for (const [gap, count] of gapsAndParts) {
        const start = startOf(layout, cell + gap);
        if (start >= size) break;
        const end = Math.min(start + count * layout.cell, size);
        parts.push({ number: cell + gap, size: end - start, version: '1-a' });
        cell += gap + count;
      }
      expect(usableParts(layout, parts)).toEqual(parts);
      const missing = missingCells(layout, parts).reduce(
        (sum, number) => sum + Math.min(layout.cell, size - startOf(layout, number)),
        0,
      );
      expect(missing).toBe(size - parts.reduce((sum, part) => sum + part.size, 0));
    }),
  );
});

test('parts that overlap, end inside a cell or exceed the file are ignored', () => {
  const layout = layoutOf(10 * 2 ** 20);
  const part = (number: number, size: number) => ({ number, size, version: '1-a' });
  const first = part(1, 4 * layout.cell);
  const staged = [first, part(4, layout.cell), part(6, 100), part(7, 0), part(160, 2 * layout.cell)];
  expect(usableParts(layout, staged)).toEqual([first]);
});

test('a stream is split at the requested sizes, whatever its chunks', async () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(chunks, fc.integer({ min: 1, max: 30 }), async (flow, size) => {
      const splitter = createSplitter(
        (async function* () {
          yield* flow;
        })(),
      );
      const pieces: Buffer[] = [];
      while (await splitter.gather(1)) pieces.push(Buffer.concat(await Array.fromAsync(splitter.next(size))));
      expect(Buffer.concat(pieces)).toEqual(Buffer.concat(flow));
      for (const piece of pieces.slice(0, -1)) expect(piece.byteLength).toBe(size);
    }),
  );
});

test('an error that occurs while nobody reads is reported to the next reader, not taken for the end', async () => {
  const { promise: broken, reject } = Promise.withResolvers<never>();
  const splitter = createSplitter(
    (async function* () {
      yield new Uint8Array(10);
      await broken;
    })(),
  );
  const left = splitter.gather(20).catch(() => 'left');
  expect(await splitter.gather(10)).toBe(true);
  reject(new Error('cut'));
  expect(await left).toBe('left');
  expect(await Array.fromAsync(splitter.next(10))).toHaveLength(1);
  await expect(splitter.gather(1)).rejects.toThrow('cut');
});
