import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { StorageUnavailable } from '../storage-errors.ts';
import { choicesOf, flow } from './scene.ts';
import type { Scene } from './scene.ts';

/** The storage disappears while a store has it open, and comes back. */
export function judgeVanishing(scene: Scene): void {
  const { freshId, freshKey, stageParts, keepNew, read } = scene;

  /** Brings the storage back afterwards in any case. */
  const whileAway = async (work: () => Promise<void>) => {
    const bringBack = await scene.ground.takeAway();
    await work().finally(bringBack);
  };
  const refused = (work: Promise<unknown>) => expect(work).rejects.toThrow(StorageUnavailable);

  describe('while the storage is unavailable', () => {
    test('nothing is accepted, and everything works again when the storage is back', async () => {
      const bodies = [randomBytes(1000), randomBytes(2000)];
      const uploadId = freshId();
      const staging = await stageParts(bodies, uploadId);
      const key = freshKey();
      await whileAway(async () => {
        await refused(scene.store.stage(freshId()));
        await refused(scene.store.stage(uploadId));
        await refused(staging.writePart(1, flow(randomBytes(10))));
        await refused(staging.keep(key, choicesOf(bodies)));
        await refused(scene.store.put(freshKey(), randomBytes(10)));
        await refused(scene.store.discard(uploadId));
        await refused(scene.store.remove(freshKey()));
        await refused(scene.store.health());
      });
      await scene.store.health();
      expect(await staging.parts()).toMatchObject(choicesOf(bodies));
      await staging.keep(key, choicesOf(bodies));
      expect((await read(key)).equals(Buffer.concat(bodies))).toBe(true);
      await scene.store.put(key.replace('blob', 'small'), Buffer.from('x'));
    });

    test('kept bytes are not reported as missing or damaged', async () => {
      const whole = await keepNew([randomBytes(1000)]);
      const joined = await keepNew([randomBytes(1000), randomBytes(1000)]);
      const opened = await scene.store.open(joined);
      const piped = await scene.store.open(joined);
      const uploadId = freshId();
      const staging = await stageParts([randomBytes(10)], uploadId);
      await whileAway(async () => {
        for (const key of [whole, joined, freshKey()]) {
          await refused(scene.store.open(key));
          await refused(scene.store.stat(key));
        }
        await refused(opened.stream.toArray());
        await refused(piped.pipeTo(async () => {}));
        await refused(staging.parts());
        await refused(Array.fromAsync(scene.store.list('')));
        await refused(Array.fromAsync(scene.store.staged()));
      });
      expect(await scene.store.stat(whole)).toEqual({ size: 1000 });
      expect(await read(joined)).toHaveLength(2000);
      expect(await scene.store.stat(freshKey())).toBeNull();
    });

    test('an interrupted part or keep is not acknowledged', async () => {
      const uploadId = freshId();
      const staging = await scene.store.stage(uploadId);
      const started = Promise.withResolvers<void>();
      const gone = Promise.withResolvers<void>();
      const source = async function* () {
        yield randomBytes(1000);
        started.resolve();
        await gone.promise;
        yield randomBytes(1000);
      };
      const writing = staging.writePart(1, source());
      writing.catch(() => {}); // checked below
      await started.promise;
      await sleep(50); // the first bytes have been requested
      await whileAway(async () => {
        gone.resolve();
        await refused(writing);
      });
      const body = randomBytes(500);
      await staging.writePart(1, flow(body));
      const key = freshKey();
      await staging.keep(key, [{ number: 1, size: 500 }]);
      expect((await read(key)).equals(body)).toBe(true);
    });
  });
}
