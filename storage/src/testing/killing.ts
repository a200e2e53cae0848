import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { choicesOf, flow, sha256 } from './scene.ts';
import type { BlobStore, Staging } from '../blob-store.ts';
import type { Ground, Scene } from './scene.ts';

type Round = (doomed: BlobStore, died: () => boolean) => Promise<void>;

const roundsAtOnce = 10;

/** Runs rounds on stores that die after 0, 1, 2 … steps, until one of them survives. */
export async function diesAtEveryStep(openDying: Ground['openDying'], round: Round): Promise<void> {
  const lived: boolean[] = [];
  while (!lived.some(Boolean)) {
    const rounds = Array.from({ length: roundsAtOnce }, async (_, index) => {
      const { store: doomed, died } = await openDying(lived.length + index);
      await round(doomed, died);
      return !died();
    });
    lived.push(...(await Promise.all(rounds)));
  }
  expect(lived[0]).toBe(false);
}

/** The process dies between any two steps, and another one continues. */
export function judgeKilling(scene: Scene): void {
  const { freshId, freshKey, stageParts, read, stagedIds } = scene;

  describe('after a kill at any step', () => {
    const shapes = { 'no part': [], 'one part': [1000], 'two parts': [1000, 2000] };
    const patience = 120_000;
    const atEveryStep = (round: Round) => diesAtEveryStep(scene.ground.openDying, round);

    test.for(Object.entries(shapes))(
      'a keep of %s is completed by the next one',
      { timeout: patience },
      async ([, sizes]) => {
        const bodies = sizes.map((size) => randomBytes(size));
        const whole = Buffer.concat(bodies);
        await atEveryStep(async (doomed, died) => {
          const uploadId = freshId();
          const key = freshKey();
          await stageParts([...bodies, Buffer.from('unwanted')], uploadId);
          const kept = await succeeds((await stagingOf(doomed, uploadId)).keep(key, choicesOf(bodies)));
          if (!died()) expect(kept).toBe(true);
          // Before the next attempt, there is nothing or the complete blob.
          if (kept) expect(await scene.store.stat(key)).not.toBeNull();
          if (await scene.store.stat(key)) expect(sha256(await read(key))).toBe(sha256(whole));

          const next = await scene.ground.open();
          await (await next.stage(uploadId)).keep(key, choicesOf(bodies));
          expect(sha256(await read(key))).toBe(sha256(whole));
          expect(await stagedIds(next)).not.toContain(uploadId);
          await scene.store.discard(uploadId);
          expect(sha256(await read(key))).toBe(sha256(whole));
          await scene.store.remove(key);
        });
      },
    );

    test.for(Object.entries(shapes))(
      'a keep of %s followed by a discard leaves everything or nothing',
      { timeout: patience },
      async ([, sizes]) => {
        const bodies = sizes.map((size) => randomBytes(size));
        await atEveryStep(async (doomed, died) => {
          const uploadId = freshId();
          const key = freshKey();
          await stageParts(bodies, uploadId);
          const kept = await succeeds((await stagingOf(doomed, uploadId)).keep(key, choicesOf(bodies)));
          if (!died()) expect(kept).toBe(true);
          await scene.store.discard(uploadId);
          const found = await scene.store.stat(key);
          if (kept) expect(found).not.toBeNull();
          if (found) expect(sha256(await read(key))).toBe(sha256(Buffer.concat(bodies)));
          expect(await stagedIds()).not.toContain(uploadId);
          await scene.store.remove(key);
          expect(await scene.store.stat(key)).toBeNull();
        });
      },
    );

    test('a part written again has either its old or its new content', { timeout: patience }, async () => {
      await atEveryStep(async (doomed, died) => {
        const uploadId = freshId();
        const staging = await stageParts([Buffer.alloc(1000, 'a')], uploadId);
        const again = (await stagingOf(doomed, uploadId)).writePart(1, flow(Buffer.alloc(1000, 'b')));
        const written = await again.catch(() => null);
        if (!died()) expect(written).not.toBeNull();
        const [part] = await staging.parts();
        if (written) expect(part).toEqual({ number: 1, ...written });
        const key = freshKey();
        await staging.keep(key, [part!]);
        const kept = await read(key);
        const letters = written ? ['b'] : ['a', 'b'];
        expect(letters.some((letter) => kept.equals(Buffer.alloc(1000, letter)))).toBe(true);
        expect(await stagedIds()).not.toContain(uploadId);
        await scene.store.remove(key);
      });
    });

    test('a removal is completed by the next, or found by the collector', { timeout: patience }, async () => {
      await atEveryStep(async (doomed, died) => {
        const bodies = [randomBytes(10), randomBytes(20)];
        const uploadId = freshId();
        const key = freshKey();
        await (await stageParts(bodies, uploadId)).keep(key, choicesOf(bodies));
        const removed = await succeeds(doomed.remove(key));
        if (!died()) expect(removed).toBe(true);
        const allOrNothing = async () => {
          if (await scene.store.stat(key))
            expect(sha256(await read(key))).toBe(sha256(Buffer.concat(bodies)));
        };
        await allOrNothing();
        if ((await stagedIds()).includes(uploadId)) await scene.store.discard(uploadId);
        await allOrNothing();
        await scene.store.remove(key);
        expect(await scene.store.stat(key)).toBeNull();
      });
    });
  });
}

/** Opens the area with a store that is about to die, possibly while opening it. */
async function stagingOf(dying: BlobStore, uploadId: string): Promise<Staging> {
  const dead = () => Promise.reject(new Error('dead'));
  return dying.stage(uploadId).catch(() => ({ uploadId, writePart: dead, parts: dead, keep: dead }));
}

const succeeds = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  );
