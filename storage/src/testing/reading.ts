import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { BlobNotFound, RangeUnsatisfiable } from '../storage-errors.ts';
import { sha256 } from './scene.ts';
import type { ByteRange } from '../blob-store.ts';
import type { Scene } from './scene.ts';

/** Kept bytes are read back. */
export function judgeReading(scene: Scene): void {
  const { freshKey, keepNew, read } = scene;

  /** Bytes received by a slow sink that keeps no chunk longer than allowed. */
  async function piped(key: string, range?: ByteRange): Promise<Buffer> {
    const copies: Buffer[] = [];
    const { pipeTo } = await scene.store.open(key, range);
    await pipeTo(async (chunk) => {
      await turn();
      copies.push(Buffer.from(chunk));
    });
    return Buffer.concat(copies);
  }

  describe('reading', () => {
    test('any range across parts returns the same bytes as an array', async () => {
      const bodies = [1, 1000, 0, 70_000, 3, 1_100_000, 2].map((size) => randomBytes(size));
      const whole = Buffer.concat(bodies);
      const borders = bodies.map((_, index) => Buffer.concat(bodies.slice(0, index + 1)).length);
      const keys = [await keepNew(bodies), await keepNew([whole])];
      const offset = fc.oneof(
        fc.nat(whole.length + 10),
        fc
          .tuple(fc.constantFrom(...borders), fc.integer({ min: -2, max: 2 }))
          .map(([at, by]) => Math.max(0, at + by)),
      );
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...keys), offset, offset, async (key, start, end) => {
          const opening = scene.store.open(key, { start, end });
          if (start >= whole.length || end < start) {
            await expect(opening).rejects.toThrow(RangeUnsatisfiable);
            return;
          }
          const { size, length, stream } = await opening;
          const wanted = whole.subarray(start, end + 1);
          expect({ size, length }).toEqual({ size: whole.length, length: wanted.length });
          expect(wanted.equals(await buffer(stream))).toBe(true);
          expect(wanted.equals(await piped(key, { start, end }))).toBe(true);
        }),
        { numRuns: 100 },
      );
      for (const key of keys) {
        const whole = await scene.store.open(key, { start: 0, end: Number.MAX_SAFE_INTEGER });
        expect(whole.length).toBe(whole.size);
        expect(await buffer(whole.stream)).toHaveLength(whole.size);
      }
    });

    test('invalid ranges is rejected', async () => {
      const key = await keepNew([Buffer.from('ten bytes!')]);
      for (const [start, end] of [
        [10, 10],
        [-1, 3],
        [3, 2],
        [NaN, 1],
        [1, NaN],
      ] as const) {
        await expect(scene.store.open(key, { start, end })).rejects.toThrow(RangeUnsatisfiable);
      }
    });

    test('an unknown key reports it as not found', async () => {
      const key = freshKey();
      await expect(scene.store.open(key)).rejects.toThrow(BlobNotFound);
      expect(await scene.store.stat(key)).toBeNull();
      await scene.store.remove(key);
    });

    test('ends with the error of a failing sink, and waits for a slow one', async () => {
      const bodies = [randomBytes(1_500_000), randomBytes(1_500_000)];
      const key = await keepNew(bodies);
      const { pipeTo } = await scene.store.open(key);
      let chunks = 0;
      await expect(
        pipeTo(async () => {
          chunks += 1;
          if (chunks === 2) throw new Error('the client went away');
        }),
      ).rejects.toThrow('the client went away');
      expect(chunks).toBe(2);
      let busy = 0;
      await (
        await scene.store.open(key)
      ).pipeTo(async () => {
        expect((busy += 1)).toBe(1);
        await turn();
        busy -= 1;
      });
      expect(sha256(await piped(key))).toBe(sha256(Buffer.concat(bodies)));
    });

    test('can stop early or never start without harm', async () => {
      const bodies = [randomBytes(3_000_000), randomBytes(3_000_000)];
      const key = await keepNew(bodies);
      for (let round = 0; round < 10; round++) {
        const { stream } = await scene.store.open(key);
        if (round % 2) for await (const chunk of stream) if ((chunk as Buffer).length > 0) break;
        stream.destroy();
      }
      expect(sha256(await read(key))).toBe(sha256(Buffer.concat(bodies)));
    });
  });
}
