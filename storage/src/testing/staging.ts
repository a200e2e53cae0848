import { createHash, randomBytes } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  PartMissing,
  PartSuperseded,
  PartTooLarge,
  SizeMismatch,
  StagingGone,
  StorageError,
} from '../storage-errors.ts';
import { choicesOf, flow, gated, sha256, slowly, pause } from './scene.ts';
import type { Scene } from './scene.ts';

/** Parts are written, replaced and discarded. */
export function judgeStaging(scene: Scene): void {
  const { freshId, freshKey, stageParts, read, stagedIds } = scene;

  describe('staging', () => {
    test('parts out of order and in different sizes creates one blob in the order of their numbers', async () => {
      const bodies = [3, 70_000, 0, 1_500_000, 1].map((size) => randomBytes(size));
      const staging = await scene.store.stage(freshId());
      for (const index of [3, 0, 4, 2, 1]) await staging.writePart(index + 1, flow(bodies[index]!));
      expect(await staging.parts()).toMatchObject(choicesOf(bodies));

      const key = freshKey();
      await staging.keep(key, choicesOf(bodies));
      expect(await scene.store.stat(key)).toEqual({ size: 1_570_004 });
      expect(sha256(await read(key))).toBe(sha256(Buffer.concat(bodies)));
    });

    test('hides bytes until they are kept, and leaves nothing staged afterwards', async () => {
      const uploadId = freshId();
      const key = freshKey();
      const staging = await stageParts([randomBytes(10)], uploadId);
      expect(await scene.store.stat(key)).toBeNull();
      expect(await stagedIds()).toContain(uploadId);

      await staging.keep(key, [{ number: 1, size: 10 }]);
      expect(await stagedIds()).not.toContain(uploadId);
      expect(await staging.parts()).toEqual([]);
      expect(await (await scene.store.stage(uploadId)).parts()).toEqual([]);
      await scene.store.discard(uploadId);
      expect(await scene.store.stat(key)).toEqual({ size: 10 });
      expect(await read(key)).toHaveLength(10);
    });

    test('can be reopened with its earlier parts', async () => {
      const uploadId = freshId();
      await stageParts([Buffer.from('one')], uploadId);
      const again = await (await scene.ground.open()).stage(uploadId);
      expect(await again.parts()).toMatchObject([{ number: 1, size: 3 }]);
      await again.writePart(2, flow(Buffer.from('two')));
      const key = freshKey();
      await again.keep(key, [
        { number: 1, size: 3 },
        { number: 2, size: 3 },
      ]);
      expect((await read(key)).toString()).toBe('onetwo');
    });

    test('a part again replaces it, in any size', async () => {
      const staging = await stageParts([Buffer.from('first'), Buffer.from('!')]);
      await staging.writePart(1, flow(Buffer.from('the second')));
      const third = await staging.writePart(1, flow(Buffer.from('third')));
      expect(await staging.parts()).toMatchObject([
        { number: 1, ...third },
        { number: 2, size: 1 },
      ]);
      const key = freshKey();
      await staging.keep(key, await staging.parts());
      expect((await read(key)).toString()).toBe('third!');
    });

    test('makes a replaced version unusable, even in the same size', async () => {
      const staging = await scene.store.stage(freshId());
      const hashed = await staging.writePart(1, flow(Buffer.from('hashed')));
      const sneaky = await staging.writePart(1, flow(Buffer.from('sneaky')));
      const key = freshKey();
      await expect(staging.keep(key, [{ number: 1, ...hashed }])).rejects.toThrow(PartMissing);
      expect(await scene.store.stat(key)).toBeNull();
      await staging.keep(key, [{ number: 1, ...sneaky }]);
      expect((await read(key)).toString()).toBe('sneaky');
    });

    test('one part several times in parallel keeps exactly one complete version', async () => {
      const uploadId = freshId();
      const bodies = ['a', 'b', 'c', 'd'].map((letter) => Buffer.alloc(300_000, letter));
      const results = await Promise.allSettled(
        bodies.map(async (body) => (await scene.store.stage(uploadId)).writePart(1, slowly(body))),
      );
      for (const result of results) {
        if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(PartSuperseded);
      }
      const staging = await scene.store.stage(uploadId);
      const [part, ...others] = await staging.parts();
      expect(others).toEqual([]);
      expect(
        results.some((result) => result.status === 'fulfilled' && result.value.version === part!.version),
      ).toBe(true);

      const key = freshKey();
      await staging.keep(key, [part!]);
      const kept = await read(key);
      expect(bodies.some((body) => body.equals(kept))).toBe(true);
    });

    test('from a failing source keeps the earlier part, and passes the error on', async () => {
      const staging = await stageParts([Buffer.from('safe')]);
      const cut = new Error('connection reset');
      const broken = async function* () {
        yield randomBytes(1_200_000);
        await turn();
        throw cut;
      };
      await expect(staging.writePart(1, broken())).rejects.toBe(cut);
      await expect(staging.writePart(2, broken())).rejects.toBe(cut);
      expect(await staging.parts()).toMatchObject([{ number: 1, size: 4 }]);
      const key = freshKey();
      await staging.keep(key, [{ number: 1, size: 4 }]);
      expect((await read(key)).toString()).toBe('safe');
    });

    test('from a source longer or shorter than declared is rejected, and closes the source', async () => {
      const staging = await scene.store.stage(freshId());
      let closed = 0;
      const watched = async function* (bytes: Buffer) {
        try {
          for (let at = 0; ; at += 1000) yield bytes.subarray(at % bytes.length, (at % bytes.length) + 1000);
        } finally {
          closed++;
        }
      };
      await expect(staging.writePart(1, flow(Buffer.alloc(99)), { size: 100 })).rejects.toThrow(SizeMismatch);
      await expect(staging.writePart(1, flow(), { size: 1 })).rejects.toThrow(SizeMismatch);
      await expect(staging.writePart(1, watched(Buffer.alloc(5000)), { size: 12_000 })).rejects.toThrow(
        SizeMismatch,
      );
      await expect(staging.writePart(1, watched(Buffer.alloc(5000)), { maxSize: 999 })).rejects.toThrow(
        PartTooLarge,
      );
      expect(closed).toBe(2);
      expect(await staging.parts()).toEqual([]);
      await staging.writePart(1, flow(Buffer.alloc(100)), { size: 100, maxSize: 100 });
      expect(await staging.parts()).toMatchObject([{ number: 1, size: 100 }]);
    });

    test('passes every byte to the tap once, in order, and the tap can slow down or abort the write', async () => {
      const body = randomBytes(3_000_000);
      const staging = await scene.store.stage(freshId());
      const hash = createHash('sha256');
      await staging.writePart(1, slowly(body), {
        tap: async (chunk) => {
          await turn();
          hash.update(chunk);
        },
      });
      expect(hash.digest('hex')).toBe(sha256(body));

      const refusal = new Error('not these bytes');
      const tap = () => {
        throw refusal;
      };
      await expect(staging.writePart(2, flow(body), { tap })).rejects.toBe(refusal);
      await expect(staging.writePart(3, flow(body), { tap: () => Promise.reject(refusal) })).rejects.toBe(
        refusal,
      );
      expect(await staging.parts()).toMatchObject([{ number: 1, size: body.length }]);
    });

    test('reuses released memory at once', async () => {
      const bodies = Array.from({ length: 40 }, () => randomBytes(300_000));
      const staging = await scene.store.stage(freshId());
      const spare: Buffer[] = [];
      let made = 0;
      const fresh = (size: number) => {
        made += 1;
        return Buffer.alloc(size);
      };
      async function* reusing() {
        for (const body of bodies) {
          const chunk = spare.pop() ?? fresh(body.length);
          body.copy(chunk);
          yield chunk;
        }
      }
      const spent = (chunk: Uint8Array) =>
        void spare.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      const hash = createHash('sha256');
      const tap = async (chunk: Uint8Array) => {
        await pause(2);
        hash.update(chunk);
      };
      const part = await staging.writePart(1, reusing(), { spent, tap });
      expect(hash.digest('hex')).toBe(sha256(Buffer.concat(bodies)));
      const key = freshKey();
      await staging.keep(key, [{ number: 1, ...part }]);
      if (scene.store.capabilities.reach === 'machine') expect(made).toBeLessThan(bodies.length);
      expect(sha256(await read(key))).toBe(sha256(Buffer.concat(bodies)));
    });

    test('releases the parts of a discarded upload, and rejects more of them', async () => {
      const uploadId = freshId();
      const staging = await stageParts([randomBytes(10), randomBytes(20)], uploadId);
      let go = () => {};
      const gate = new Promise<void>((resolve) => (go = resolve));
      const late = staging.writePart(3, gated(gate)).catch((error: unknown) => error);
      await turn();
      await scene.store.discard(uploadId);
      go();
      expect(await late).toBeInstanceOf(StagingGone);
      await scene.store.discard(uploadId);
      expect(await stagedIds()).not.toContain(uploadId);
      await expect(staging.writePart(1, flow(Buffer.from('x')))).rejects.toThrow(StagingGone);
      await expect(staging.keep(freshKey(), [{ number: 1, size: 10 }])).rejects.toThrow(StorageError);
      await expect(staging.keep(freshKey(), [])).rejects.toThrow(StagingGone);
      expect(await (await scene.store.stage(uploadId)).parts()).toEqual([]);
      await scene.store.discard(uploadId);
    });

    test('rejects malformed ids and part numbers', async () => {
      for (const id of ['', '..', 'a/b', 'a.b', 'ü', 'x'.repeat(129), 'a\n']) {
        await expect(scene.store.stage(id)).rejects.toThrow(TypeError);
        await expect(scene.store.discard(id)).rejects.toThrow(TypeError);
      }
      const staging = await scene.store.stage(freshId());
      for (const number of [0, -1, 1.5, 100_000, NaN]) {
        await expect(staging.writePart(number, flow())).rejects.toThrow(TypeError);
      }
      for (const key of [
        '',
        '/',
        '/a',
        'a/',
        'a//b',
        '../a',
        'a/../b',
        'A',
        'a.b',
        'a b',
        'ü',
        'x'.repeat(513),
        'a\n',
      ]) {
        await expect(staging.keep(key, [])).rejects.toThrow(TypeError);
        await expect(scene.store.put(key, Buffer.alloc(1))).rejects.toThrow(TypeError);
        await expect(scene.store.open(key)).rejects.toThrow(TypeError);
        await expect(scene.store.stat(key)).rejects.toThrow(TypeError);
        await expect(scene.store.remove(key)).rejects.toThrow(TypeError);
      }
    });
  });
}
