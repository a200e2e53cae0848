import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { KeyTaken, PartMissing, RangeUnsatisfiable, StorageError } from '../storage-errors.ts';
import { choicesOf, flow, pause, sha256 } from './scene.ts';
import type { PartChoice } from '../blob-store.ts';
import type { Scene } from './scene.ts';

/** Parts become a blob, even if others interfere. */
export function judgeKeeping(scene: Scene): void {
  const { freshId, freshKey, stageParts, keepNew, read, stagedIds } = scene;

  describe('keeping', () => {
    test('an upload without parts creates an empty blob', async () => {
      const key = await keepNew([]);
      expect(await scene.store.stat(key)).toEqual({ size: 0 });
      expect(await scene.store.open(key)).toMatchObject({ size: 0, length: 0 });
      expect(await read(key)).toHaveLength(0);
      await expect(scene.store.open(key, { start: 0, end: 0 })).rejects.toThrow(RangeUnsatisfiable);
    });

    test('an upload with missing parts, or parts of another size, is rejected, and nothing is lost', async () => {
      const bodies = [randomBytes(10), randomBytes(20)];
      const staging = await stageParts(bodies);
      const key = freshKey();
      const lies: PartChoice[][] = [
        [...choicesOf(bodies), { number: 3, size: 1 }],
        [
          { number: 1, size: 10 },
          { number: 2, size: 21 },
        ],
      ];
      for (const lie of lies) await expect(staging.keep(key, lie)).rejects.toThrow(PartMissing);
      await expect(staging.keep(key, choicesOf(bodies).reverse())).rejects.toThrow(TypeError);
      expect(await scene.store.stat(key)).toBeNull();
      expect(await staging.parts()).toMatchObject(choicesOf(bodies));
      await staging.keep(key, choicesOf(bodies));
      expect(sha256(await read(key))).toBe(sha256(Buffer.concat(bodies)));
    });

    test('an upload deletes parts that are not selected', async () => {
      const staging = await stageParts(['one', 'two', 'three'].map((text) => Buffer.from(text)));
      const key = freshKey();
      await staging.keep(key, [
        { number: 1, size: 3 },
        { number: 3, size: 5 },
      ]);
      expect((await read(key)).toString()).toBe('onethree');
      expect(await staging.parts()).toEqual([]);
    });

    test('twice has the same result as once', async () => {
      const bodies = [randomBytes(10), randomBytes(20)];
      const staging = await stageParts(bodies);
      const key = freshKey();
      await staging.keep(key, choicesOf(bodies));
      await staging.keep(key, choicesOf(bodies));
      expect(sha256(await read(key))).toBe(sha256(Buffer.concat(bodies)));
    });

    test('an upload again with other parts creates another blob beside the first', async () => {
      const uploadId = freshId();
      const keys = [freshKey(), freshKey(), freshKey()] as const;
      const bodies = [randomBytes(1000), randomBytes(1000), randomBytes(500)] as const;
      for (const at of [0, 1, 2] as const) {
        const staging = await (at === 1 ? await scene.ground.open() : scene.store).stage(uploadId);
        expect(await staging.parts()).toEqual([]);
        const { version } = await staging.writePart(1, flow(bodies[at]));
        expect(await staging.parts()).toMatchObject([{ number: 1, version }]);
        await staging.keep(keys[at], [{ number: 1, size: bodies[at].length, version }]);
        expect(await stagedIds()).not.toContain(uploadId);
      }
      const isWhole = async (at: 0 | 1 | 2) => expect(sha256(await read(keys[at]))).toBe(sha256(bodies[at]));
      for (const at of [0, 1, 2] as const) await isWhole(at);
      // Each blob can be removed or discarded without affecting the others.
      await scene.store.remove(keys[1]);
      await isWhole(0);
      await isWhole(2);
      await scene.store.discard(uploadId);
      await isWhole(0);
      await isWhole(2);
      await scene.store.remove(keys[0]);
      await isWhole(2);
      await scene.store.remove(keys[2]);
      for (const key of keys) expect(await scene.store.stat(key)).toBeNull();
      expect(await stagedIds()).not.toContain(uploadId);
    });

    test('parts of a blob for another blob is rejected', async () => {
      const uploadId = freshId();
      const body = randomBytes(1000);
      const first = await scene.store.stage(uploadId);
      const { version } = await first.writePart(1, flow(body));
      const key = freshKey();
      await first.keep(key, [{ number: 1, size: 1000, version }]);
      const again = await scene.store.stage(uploadId);
      await expect(again.keep(freshKey(), [{ number: 1, size: 1000, version }])).rejects.toThrow(PartMissing);
      await scene.store.discard(uploadId);
      expect(sha256(await read(key))).toBe(sha256(body));
    });

    test('bytes that are already stored stores them once, and renews their age', async () => {
      const bodies = [randomBytes(10), randomBytes(20)];
      const key = await keepNew(bodies);
      const before = (await Array.fromAsync(scene.store.list(key)))[0]!.modifiedAt;
      await new Promise((resolve) => setTimeout(resolve, 1100)); // S3 timestamps have a resolution of seconds
      const uploadId = freshId();
      const whole = Buffer.concat(bodies);
      await (await stageParts([whole], uploadId)).keep(key, choicesOf([whole]));
      expect(sha256(await read(key))).toBe(sha256(whole));
      expect(await stagedIds()).not.toContain(uploadId);
      expect((await Array.fromAsync(scene.store.list(key)))[0]!.modifiedAt.getTime()).toBeGreaterThan(
        before.getTime(),
      );
    });

    test('bytes under a key with bytes of another size is rejected', async () => {
      const key = await keepNew([Buffer.from('taken')]);
      const staging = await stageParts([Buffer.from('other bytes')]);
      await expect(staging.keep(key, [{ number: 1, size: 11 }])).rejects.toThrow(KeyTaken);
      expect((await read(key)).toString()).toBe('taken');
      expect(await staging.parts()).toMatchObject([{ number: 1, size: 11 }]);
    });

    test('one upload twice in parallel creates one complete blob', async () => {
      const bodies = [randomBytes(1000), randomBytes(2000), randomBytes(3000)];
      const uploadId = freshId();
      const key = freshKey();
      await stageParts(bodies, uploadId);
      const other = await scene.ground.open();
      const results = await Promise.allSettled(
        [scene.store, scene.store, other].map(async (one) =>
          (await one.stage(uploadId)).keep(key, choicesOf(bodies)),
        ),
      );
      expect(results.map(({ status }) => status)).toContain('fulfilled');
      expect(sha256(await read(key))).toBe(sha256(Buffer.concat(bodies)));
      // Parts that one keep() staged again after the other had finished may remain; discarding them does no harm.
      await scene.store.discard(uploadId);
      expect(sha256(await read(key))).toBe(sha256(Buffer.concat(bodies)));
      expect(await stagedIds()).not.toContain(uploadId);
    });

    test('two uploads of the same bytes in parallel creates one complete blob', async () => {
      const whole = randomBytes(5000);
      const key = freshKey();
      const splits = [
        [whole],
        [whole.subarray(0, 2000), whole.subarray(2000)],
        [whole.subarray(0, 7), whole.subarray(7)],
      ];
      const ids = splits.map(freshId);
      const stagings = await Promise.all(splits.map((bodies, index) => stageParts(bodies, ids[index])));
      await Promise.all(stagings.map((staging, index) => staging.keep(key, choicesOf(splits[index]!))));
      expect(sha256(await read(key))).toBe(sha256(whole));
      for (const id of ids) await scene.store.discard(id);
      expect(sha256(await read(key))).toBe(sha256(whole));
      const staged = await stagedIds();
      for (const id of ids) expect(staged).not.toContain(id);
    });

    test.each(['one store', 'two stores'])(
      'while discarding (%s) leaves the complete blob or nothing',
      async (how) => {
        for (let round = 0; round < 8; round++) {
          const bodies = [randomBytes(1000), randomBytes(2000), randomBytes(3000)];
          const uploadId = freshId();
          const key = freshKey();
          const staging = await stageParts(bodies, uploadId);
          const discarder = how === 'one store' ? scene.store : await scene.ground.open();
          const [kept] = await Promise.allSettled([
            staging.keep(key, choicesOf(bodies)),
            pause(round).then(() => discarder.discard(uploadId)),
          ]);
          expect(await scene.store.stat(key)).toEqual(kept.status === 'fulfilled' ? { size: 6000 } : null);
          await scene.store.discard(uploadId);
          if (kept.status === 'fulfilled')
            expect(sha256(await read(key))).toBe(sha256(Buffer.concat(bodies)));
          else expect(kept.reason).toBeInstanceOf(StorageError);
          expect(await stagedIds()).not.toContain(uploadId);
        }
      },
    );

    test('while a part is written again never mixes two bodies', async () => {
      for (let round = 0; round < 8; round++) {
        const uploadId = freshId();
        const staging = await scene.store.stage(uploadId);
        const first = await staging.writePart(1, flow(Buffer.alloc(1000, 'a')));
        const second = await staging.writePart(2, flow(Buffer.alloc(1000, 'a')));
        const key = freshKey();
        const rewriter = await (await scene.ground.open()).stage(uploadId);
        const [kept] = await Promise.allSettled([
          staging.keep(key, [
            { number: 1, ...first },
            { number: 2, ...second },
          ]),
          pause(round).then(() => rewriter.writePart(2, flow(Buffer.alloc(1000, 'b')))),
        ]);
        if (kept.status === 'fulfilled')
          expect(sha256(await read(key))).toBe(sha256(Buffer.alloc(2000, 'a')));
        else expect(await scene.store.stat(key)).toBeNull();
        await scene.store.discard(uploadId);
        if (kept.status === 'fulfilled')
          expect(sha256(await read(key))).toBe(sha256(Buffer.alloc(2000, 'a')));
      }
    });
  });
}
