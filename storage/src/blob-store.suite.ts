import fc from 'fast-check';
import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  BlobNotFound,
  KeyTaken,
  PartMissing,
  PartSuperseded,
  PartTooLarge,
  RangeUnsatisfiable,
  SizeMismatch,
  StagingGone,
  StorageError,
} from './storage-errors.ts';
import type { BlobStore, PartChoice, Staging } from './blob-store.ts';

/** A place for bytes that outlives the stores opened on it. */
export interface Ground {
  open(): Promise<BlobStore>;
  /**
   * Opens a store on it of which so many of the engine's own steps (system calls, requests) succeed; from then on all
   * fail, as if the process had been killed. `died` tells whether it came to that.
   */
  openDying(dieAfter: number): Promise<{ store: BlobStore; died: () => boolean }>;
  /** Takes everything away. */
  clear(): Promise<void>;
}

/** Judges an engine by the law of blob-store.ts; `durable` is what it says of itself, and decides whether it may be killed. */
export function judge(name: string, durable: boolean, prepare: () => Promise<Ground>): void {
  describe(name, () => {
    let ground: Ground;
    let store: BlobStore;
    let count = 0;
    const freshId = () => `up-${process.pid}-${count++}`;
    const freshKey = () => `blob/${randomBytes(1).toString('hex')}/${randomBytes(16).toString('hex')}`;

    beforeAll(async () => {
      ground = await prepare();
      store = await ground.open();
    }, 60_000);
    afterAll(async () => {
      await store?.close();
      await ground?.clear();
    });

    const stageParts = async (bodies: Uint8Array[], uploadId = freshId(), into = store) => {
      const staging = await into.stage(uploadId);
      for (const [index, body] of bodies.entries()) await staging.writePart(index + 1, flow(body));
      return staging;
    };
    const keepNew = async (bodies: Uint8Array[]) => {
      const key = freshKey();
      await (await stageParts(bodies)).keep(key, choicesOf(bodies));
      return key;
    };
    const read = async (key: string, range?: { start: number; end: number }, from = store) =>
      buffer((await from.open(key, range)).stream);
    const stagedIds = async (of = store) => (await Array.fromAsync(of.staged())).map(({ uploadId }) => uploadId);

    describe('staging', () => {
      test('parts that land out of order, in different sizes, become one blob in the order of their numbers', async () => {
        const bodies = [3, 70_000, 0, 1_500_000, 1].map((size) => randomBytes(size));
        const staging = await store.stage(freshId());
        for (const index of [3, 0, 4, 2, 1]) await staging.writePart(index + 1, flow(bodies[index]!));
        expect(await staging.parts()).toMatchObject(choicesOf(bodies));

        const key = freshKey();
        await staging.keep(key, choicesOf(bodies));
        expect(await store.stat(key)).toEqual({ size: 1_570_004 });
        expect(sha256(await read(key))).toBe(sha256(Buffer.concat(bodies)));
      });

      test('nothing is visible before it is kept, and nothing stays staged after', async () => {
        const uploadId = freshId();
        const key = freshKey();
        const staging = await stageParts([randomBytes(10)], uploadId);
        expect(await store.stat(key)).toBeNull();
        expect(await stagedIds()).toContain(uploadId);

        await staging.keep(key, [{ number: 1, size: 10 }]);
        expect(await stagedIds()).not.toContain(uploadId);
        expect(await staging.parts()).toEqual([]);
        expect(await (await store.stage(uploadId)).parts()).toEqual([]);
        await store.discard(uploadId);
        expect(await store.stat(key)).toEqual({ size: 10 });
        expect(await read(key)).toHaveLength(10);
      });

      test('an area opened again holds the parts of before', async () => {
        const uploadId = freshId();
        await stageParts([Buffer.from('one')], uploadId);
        const again = await (await ground.open()).stage(uploadId);
        expect(await again.parts()).toMatchObject([{ number: 1, size: 3 }]);
        await again.writePart(2, flow(Buffer.from('two')));
        const key = freshKey();
        await again.keep(key, [
          { number: 1, size: 3 },
          { number: 2, size: 3 },
        ]);
        expect((await read(key)).toString()).toBe('onetwo');
      });

      test('a part written again replaces the one before, in whatever size', async () => {
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

      test('a version that was replaced can no longer be kept, even in the same size', async () => {
        const staging = await store.stage(freshId());
        const hashed = await staging.writePart(1, flow(Buffer.from('hashed')));
        const sneaky = await staging.writePart(1, flow(Buffer.from('sneaky')));
        const key = freshKey();
        await expect(staging.keep(key, [{ number: 1, ...hashed }])).rejects.toThrow(PartMissing);
        expect(await store.stat(key)).toBeNull();
        await staging.keep(key, [{ number: 1, ...sneaky }]);
        expect((await read(key)).toString()).toBe('sneaky');
      });

      test('of writes of one part at the same time, one wins whole', async () => {
        const uploadId = freshId();
        const bodies = ['a', 'b', 'c', 'd'].map((letter) => Buffer.alloc(300_000, letter));
        const results = await Promise.allSettled(
          bodies.map(async (body) => (await store.stage(uploadId)).writePart(1, slowly(body))),
        );
        for (const result of results) {
          if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(PartSuperseded);
        }
        const staging = await store.stage(uploadId);
        const [part, ...others] = await staging.parts();
        expect(others).toEqual([]);
        expect(results.some((result) => result.status === 'fulfilled' && result.value.version === part!.version)).toBe(true);

        const key = freshKey();
        await staging.keep(key, [part!]);
        const kept = await read(key);
        expect(bodies.some((body) => body.equals(kept))).toBe(true);
      });

      test('a source that breaks leaves the part of before, and its own error comes out', async () => {
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

      test('a source longer or shorter than declared is refused, and closed', async () => {
        const staging = await store.stage(freshId());
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
        await expect(staging.writePart(1, watched(Buffer.alloc(5000)), { size: 12_000 })).rejects.toThrow(SizeMismatch);
        await expect(staging.writePart(1, watched(Buffer.alloc(5000)), { maxSize: 999 })).rejects.toThrow(PartTooLarge);
        expect(closed).toBe(2);
        expect(await staging.parts()).toEqual([]);
        await staging.writePart(1, flow(Buffer.alloc(100)), { size: 100, maxSize: 100 });
        expect(await staging.parts()).toMatchObject([{ number: 1, size: 100 }]);
      });

      test('the tap sees every byte once, in order, and may slow the write or end it', async () => {
        const body = randomBytes(3_000_000);
        const staging = await store.stage(freshId());
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
        await expect(staging.writePart(3, flow(body), { tap: () => Promise.reject(refusal) })).rejects.toBe(refusal);
        expect(await staging.parts()).toMatchObject([{ number: 1, size: body.length }]);
      });

      test('a discarded upload gives back its parts and refuses more', async () => {
        const uploadId = freshId();
        const staging = await stageParts([randomBytes(10), randomBytes(20)], uploadId);
        let go = () => {};
        const gate = new Promise<void>((resolve) => (go = resolve));
        const late = staging.writePart(3, gated(gate));
        const outcome = expect(late).rejects.toThrow(StagingGone);
        await turn();
        await store.discard(uploadId);
        go();
        await outcome;
        await store.discard(uploadId);
        expect(await stagedIds()).not.toContain(uploadId);
        await expect(staging.writePart(1, flow(Buffer.from('x')))).rejects.toThrow(StagingGone);
        await expect(staging.keep(freshKey(), [{ number: 1, size: 10 }])).rejects.toThrow(StorageError);
        await expect(staging.keep(freshKey(), [])).rejects.toThrow(StagingGone);
        expect(await (await store.stage(uploadId)).parts()).toEqual([]);
        await store.discard(uploadId);
      });

      test('ids and part numbers of another kind are refused', async () => {
        for (const id of ['', '..', 'a/b', 'a.b', 'ü', 'x'.repeat(129), 'a\n']) {
          await expect(store.stage(id)).rejects.toThrow(TypeError);
          await expect(store.discard(id)).rejects.toThrow(TypeError);
        }
        const staging = await store.stage(freshId());
        for (const number of [0, -1, 1.5, 100_000, NaN]) {
          await expect(staging.writePart(number, flow())).rejects.toThrow(TypeError);
        }
        for (const key of ['', '/', '/a', 'a/', 'a//b', '../a', 'a/../b', 'A', 'a.b', 'a b', 'ü', 'x'.repeat(513), 'a\n']) {
          await expect(staging.keep(key, [])).rejects.toThrow(TypeError);
          await expect(store.put(key, Buffer.alloc(1))).rejects.toThrow(TypeError);
          await expect(store.open(key)).rejects.toThrow(TypeError);
          await expect(store.stat(key)).rejects.toThrow(TypeError);
          await expect(store.remove(key)).rejects.toThrow(TypeError);
        }
      });
    });

    describe('keeping', () => {
      test('an upload without parts becomes an empty blob', async () => {
        const key = await keepNew([]);
        expect(await store.stat(key)).toEqual({ size: 0 });
        expect(await store.open(key)).toMatchObject({ size: 0, length: 0 });
        expect(await read(key)).toHaveLength(0);
        await expect(store.open(key, { start: 0, end: 0 })).rejects.toThrow(RangeUnsatisfiable);
      });

      test('parts that are missing or of another size are refused, and nothing is lost by it', async () => {
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
        expect(await store.stat(key)).toBeNull();
        expect(await staging.parts()).toMatchObject(choicesOf(bodies));
        await staging.keep(key, choicesOf(bodies));
        expect(sha256(await read(key))).toBe(sha256(Buffer.concat(bodies)));
      });

      test('parts that are not named are dropped', async () => {
        const staging = await stageParts(['one', 'two', 'three'].map((text) => Buffer.from(text)));
        const key = freshKey();
        await staging.keep(key, [
          { number: 1, size: 3 },
          { number: 3, size: 5 },
        ]);
        expect((await read(key)).toString()).toBe('onethree');
        expect(await staging.parts()).toEqual([]);
      });

      test('keeping twice is the same as keeping once', async () => {
        const bodies = [randomBytes(10), randomBytes(20)];
        const staging = await stageParts(bodies);
        const key = freshKey();
        await staging.keep(key, choicesOf(bodies));
        await staging.keep(key, choicesOf(bodies));
        expect(sha256(await read(key))).toBe(sha256(Buffer.concat(bodies)));
      });

      test('bytes that are there already are kept once, and are as young as new', async () => {
        const bodies = [randomBytes(10), randomBytes(20)];
        const key = await keepNew(bodies);
        const before = (await Array.fromAsync(store.list(key)))[0]!.modifiedAt;
        await new Promise((resolve) => setTimeout(resolve, 1100)); // S3 counts in seconds
        const uploadId = freshId();
        const whole = Buffer.concat(bodies);
        await (await stageParts([whole], uploadId)).keep(key, choicesOf([whole]));
        expect(sha256(await read(key))).toBe(sha256(whole));
        expect(await stagedIds()).not.toContain(uploadId);
        expect((await Array.fromAsync(store.list(key)))[0]!.modifiedAt.getTime()).toBeGreaterThan(before.getTime());
      });

      test('a key with bytes of another size is not overwritten', async () => {
        const key = await keepNew([Buffer.from('taken')]);
        const staging = await stageParts([Buffer.from('other bytes')]);
        await expect(staging.keep(key, [{ number: 1, size: 11 }])).rejects.toThrow(KeyTaken);
        expect((await read(key)).toString()).toBe('taken');
        expect(await staging.parts()).toMatchObject([{ number: 1, size: 11 }]);
      });

      test('two keeps of one upload at once give one whole blob', async () => {
        const bodies = [randomBytes(1000), randomBytes(2000), randomBytes(3000)];
        const uploadId = freshId();
        const key = freshKey();
        await stageParts(bodies, uploadId);
        const other = await ground.open();
        const results = await Promise.allSettled(
          [store, store, other].map(async (one) => (await one.stage(uploadId)).keep(key, choicesOf(bodies))),
        );
        expect(results.map(({ status }) => status)).toContain('fulfilled');
        expect(sha256(await read(key))).toBe(sha256(Buffer.concat(bodies)));
        // What one keeper staged anew after the other was done may remain, and is discarded without harm.
        await store.discard(uploadId);
        expect(sha256(await read(key))).toBe(sha256(Buffer.concat(bodies)));
        expect(await stagedIds()).not.toContain(uploadId);
      });

      test('two uploads of the same bytes at once give one whole blob', async () => {
        const whole = randomBytes(5000);
        const key = freshKey();
        const splits = [[whole], [whole.subarray(0, 2000), whole.subarray(2000)], [whole.subarray(0, 7), whole.subarray(7)]];
        const ids = splits.map(freshId);
        const stagings = await Promise.all(splits.map((bodies, index) => stageParts(bodies, ids[index])));
        await Promise.all(stagings.map((staging, index) => staging.keep(key, choicesOf(splits[index]!))));
        expect(sha256(await read(key))).toBe(sha256(whole));
        for (const id of ids) await store.discard(id);
        expect(sha256(await read(key))).toBe(sha256(whole));
        const staged = await stagedIds();
        for (const id of ids) expect(staged).not.toContain(id);
      });

      test.each(['one store', 'two stores'])('a discard racing with a keep (%s) leaves all of the blob or none', async (how) => {
        for (let round = 0; round < 8; round++) {
          const bodies = [randomBytes(1000), randomBytes(2000), randomBytes(3000)];
          const uploadId = freshId();
          const key = freshKey();
          const staging = await stageParts(bodies, uploadId);
          const discarder = how === 'one store' ? store : await ground.open();
          const [kept] = await Promise.allSettled([
            staging.keep(key, choicesOf(bodies)),
            pause(round).then(() => discarder.discard(uploadId)),
          ]);
          expect(await store.stat(key)).toEqual(kept.status === 'fulfilled' ? { size: 6000 } : null);
          await store.discard(uploadId);
          if (kept.status === 'fulfilled') expect(sha256(await read(key))).toBe(sha256(Buffer.concat(bodies)));
          else expect(kept.reason).toBeInstanceOf(StorageError);
          expect(await stagedIds()).not.toContain(uploadId);
        }
      });

      test('a part written again while it is being kept never mixes two bodies', async () => {
        for (let round = 0; round < 8; round++) {
          const uploadId = freshId();
          const staging = await store.stage(uploadId);
          const first = await staging.writePart(1, flow(Buffer.alloc(1000, 'a')));
          const second = await staging.writePart(2, flow(Buffer.alloc(1000, 'a')));
          const key = freshKey();
          const rewriter = await (await ground.open()).stage(uploadId);
          const [kept] = await Promise.allSettled([
            staging.keep(key, [
              { number: 1, ...first },
              { number: 2, ...second },
            ]),
            pause(round).then(() => rewriter.writePart(2, flow(Buffer.alloc(1000, 'b')))),
          ]);
          if (kept.status === 'fulfilled') expect(sha256(await read(key))).toBe(sha256(Buffer.alloc(2000, 'a')));
          else expect(await store.stat(key)).toBeNull();
          await store.discard(uploadId);
          if (kept.status === 'fulfilled') expect(sha256(await read(key))).toBe(sha256(Buffer.alloc(2000, 'a')));
        }
      });
    });

    describe('reading', () => {
      test('every range over the borders of parts is what an array would give', async () => {
        const bodies = [1, 1000, 0, 70_000, 3, 1_100_000, 2].map((size) => randomBytes(size));
        const whole = Buffer.concat(bodies);
        const borders = bodies.map((_, index) => Buffer.concat(bodies.slice(0, index + 1)).length);
        const keys = [await keepNew(bodies), await keepNew([whole])];
        const offset = fc.oneof(
          fc.nat(whole.length + 10),
          fc.tuple(fc.constantFrom(...borders), fc.integer({ min: -2, max: 2 })).map(([at, by]) => Math.max(0, at + by)),
        );
        await fc.assert(
          fc.asyncProperty(fc.constantFrom(...keys), offset, offset, async (key, start, end) => {
            const opening = store.open(key, { start, end });
            if (start >= whole.length || end < start) {
              await expect(opening).rejects.toThrow(RangeUnsatisfiable);
              return;
            }
            const { size, length, stream } = await opening;
            const wanted = whole.subarray(start, end + 1);
            expect({ size, length }).toEqual({ size: whole.length, length: wanted.length });
            expect(wanted.equals(await buffer(stream))).toBe(true);
          }),
          { numRuns: 100 },
        );
        for (const key of keys) {
          const whole = await store.open(key, { start: 0, end: Number.MAX_SAFE_INTEGER });
          expect(whole.length).toBe(whole.size);
          expect(await buffer(whole.stream)).toHaveLength(whole.size);
        }
      });

      test('absurd ranges are refused', async () => {
        const key = await keepNew([Buffer.from('ten bytes!')]);
        for (const [start, end] of [[10, 10], [-1, 3], [3, 2], [NaN, 1], [1, NaN]] as const) {
          await expect(store.open(key, { start, end })).rejects.toThrow(RangeUnsatisfiable);
        }
      });

      test('what is not kept is not found', async () => {
        const key = freshKey();
        await expect(store.open(key)).rejects.toThrow(BlobNotFound);
        expect(await store.stat(key)).toBeNull();
        await store.remove(key);
      });

      test('readers that leave early, or never begin, harm nobody', async () => {
        const bodies = [randomBytes(3_000_000), randomBytes(3_000_000)];
        const key = await keepNew(bodies);
        for (let round = 0; round < 10; round++) {
          const { stream } = await store.open(key);
          if (round % 2) for await (const chunk of stream) if ((chunk as Buffer).length > 0) break;
          stream.destroy();
        }
        expect(sha256(await read(key))).toBe(sha256(Buffer.concat(bodies)));
      });
    });

    describe('small bytes', () => {
      test('are replaced by a later put, and read in ranges', async () => {
        const key = freshKey().replace('blob', 'thumbnail');
        await store.put(key, Buffer.from('first'));
        await store.put(key, Buffer.from('0123456789'));
        expect((await read(key)).toString()).toBe('0123456789');
        expect((await read(key, { start: 3, end: 5 })).toString()).toBe('345');
        expect(await store.stat(key)).toEqual({ size: 10 });
        await store.put(key, Buffer.alloc(0));
        expect(await read(key)).toHaveLength(0);
        await store.remove(key);
        expect(await store.stat(key)).toBeNull();
      });

      test('never take the place of kept parts', async () => {
        const key = await keepNew([Buffer.from('one'), Buffer.from('two')]);
        await expect(store.put(key, Buffer.from('other'))).rejects.toThrow(KeyTaken);
        expect((await read(key)).toString()).toBe('onetwo');
      });
    });

    describe('removing and listing', () => {
      test('a removed blob is gone, can be removed again, and can be kept again', async () => {
        const bodies = [randomBytes(10), randomBytes(20)];
        const key = await keepNew(bodies);
        await store.remove(key);
        await store.remove(key);
        expect(await store.stat(key)).toBeNull();
        await expect(store.open(key)).rejects.toThrow(BlobNotFound);
        await (await stageParts(bodies)).keep(key, choicesOf(bodies));
        expect(sha256(await read(key))).toBe(sha256(Buffer.concat(bodies)));
      });

      test('a blob that is removed under its reader never ends short', async () => {
        const bodies = [randomBytes(4_000_000), randomBytes(4_000_000), randomBytes(4_000_000)];
        const key = await keepNew(bodies);
        const { stream, length } = await store.open(key);
        let received = 0;
        let failure: unknown;
        try {
          for await (const chunk of stream) {
            if (received === 0) await store.remove(key);
            received += (chunk as Buffer).length;
          }
        } catch (error) {
          failure = error;
        }
        if (failure) expect(failure).toBeInstanceOf(StorageError);
        else expect(received).toBe(length);
      });

      test('a list gives the keys of a prefix with their true sizes', async () => {
        const folder = `list-${process.pid}`;
        const sizes: Record<string, number> = { 'a/one': 3, 'a/two': 30, 'ab/one': 300, b: 0, 'a/deep/er/one': 7 };
        for (const [key, size] of Object.entries(sizes)) {
          const bodies = [Buffer.alloc(Math.floor(size / 2)), Buffer.alloc(Math.ceil(size / 2))];
          await (await stageParts(bodies)).keep(`${folder}/${key}`, choicesOf(bodies));
        }
        await store.put(`${folder}/a/small`, Buffer.alloc(5));
        sizes['a/small'] = 5;
        const since = Date.now() - 60_000;
        for (const prefix of ['', 'a', 'a/', 'a/d', 'a/deep/er/one', 'ab/one', 'b', 'c', 'a/deep/er/one/more']) {
          const listed = await Array.fromAsync(store.list(`${folder}/${prefix}`));
          const found = Object.fromEntries(listed.map(({ key, size }) => [key.slice(folder.length + 1), size]));
          expect(found).toEqual(Object.fromEntries(Object.entries(sizes).filter(([key]) => key.startsWith(prefix))));
          for (const { modifiedAt } of listed) expect(modifiedAt.getTime()).toBeGreaterThan(since);
        }
        const all = await Array.fromAsync(store.list(''));
        expect(all.filter(({ key }) => key.startsWith(`${folder}/`))).toHaveLength(Object.keys(sizes).length);
      });

      test('staged uploads are listed with the time of their last part', async () => {
        const uploadId = freshId();
        const since = Date.now() - 60_000;
        await stageParts([Buffer.from('x')], uploadId);
        const found = (await Array.fromAsync(store.staged())).filter((one) => one.uploadId === uploadId);
        expect(found).toHaveLength(1);
        expect(found[0]!.modifiedAt.getTime()).toBeGreaterThan(since);
        await store.discard(uploadId);
      });
    });

    test('the storage says how it is', async () => {
      expect(store.capabilities.durable).toBe(durable);
      await store.health();
      const free = await store.freeSpace();
      if (free !== null) expect(free).toBeGreaterThan(0);
    });

    describe.runIf(durable)('killed at any step', () => {
      const shapes = { 'no part': [], 'one part': [1000], 'two parts': [1000, 2000] };
      const patience = 120_000;
      const roundsAtOnce = 10;

      /** Runs rounds that die after 0, 1, 2 … steps, until one lives. */
      const atEveryStep = async (round: (doomed: BlobStore, died: () => boolean) => Promise<void>) => {
        const lived: boolean[] = [];
        while (!lived.some(Boolean)) {
          const rounds = Array.from({ length: roundsAtOnce }, async (_, index) => {
            const { store: doomed, died } = await ground.openDying(lived.length + index);
            await round(doomed, died);
            return !died();
          });
          lived.push(...(await Promise.all(rounds)));
        }
        expect(lived[0]).toBe(false);
      };

      test.for(Object.entries(shapes))(
        'a keep of %s is completed by the next',
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
            // Before the next try there is nothing, or all of it.
            if (kept) expect(await store.stat(key)).not.toBeNull();
            if (await store.stat(key)) expect(sha256(await read(key))).toBe(sha256(whole));

            const next = await ground.open();
            await (await next.stage(uploadId)).keep(key, choicesOf(bodies));
            expect(sha256(await read(key))).toBe(sha256(whole));
            expect(await stagedIds(next)).not.toContain(uploadId);
            await store.discard(uploadId);
            expect(sha256(await read(key))).toBe(sha256(whole));
            await store.remove(key);
          });
        },
      );

      test.for(Object.entries(shapes))(
        'a keep of %s and then a discard leave all or nothing',
        { timeout: patience },
        async ([, sizes]) => {
          const bodies = sizes.map((size) => randomBytes(size));
          await atEveryStep(async (doomed, died) => {
            const uploadId = freshId();
            const key = freshKey();
            await stageParts(bodies, uploadId);
            const kept = await succeeds((await stagingOf(doomed, uploadId)).keep(key, choicesOf(bodies)));
            if (!died()) expect(kept).toBe(true);
            await store.discard(uploadId);
            const found = await store.stat(key);
            if (kept) expect(found).not.toBeNull();
            if (found) expect(sha256(await read(key))).toBe(sha256(Buffer.concat(bodies)));
            expect(await stagedIds()).not.toContain(uploadId);
            await store.remove(key);
            expect(await store.stat(key)).toBeNull();
          });
        },
      );

      test('a part written again counts in one of its bodies', { timeout: patience }, async () => {
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
          await store.remove(key);
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
            if (await store.stat(key)) expect(sha256(await read(key))).toBe(sha256(Buffer.concat(bodies)));
          };
          await allOrNothing();
          if ((await stagedIds()).includes(uploadId)) await store.discard(uploadId);
          await allOrNothing();
          await store.remove(key);
          expect(await store.stat(key)).toBeNull();
        });
      });
    });
  });
}

/** The area in the eyes of a store about to die; opening it may be the end already. */
async function stagingOf(dying: BlobStore, uploadId: string): Promise<Staging> {
  const dead = () => Promise.reject(new Error('dead'));
  return dying.stage(uploadId).catch(() => ({ uploadId, writePart: dead, parts: dead, keep: dead }));
}

const succeeds = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  );

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const choicesOf = (bodies: readonly Uint8Array[]) =>
  bodies.map((body, index) => ({ number: index + 1, size: body.byteLength }));

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

async function* flow(...chunks: Uint8Array[]): AsyncGenerator<Uint8Array, void, undefined> {
  yield* chunks;
}

async function* slowly(body: Buffer): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < body.length; at += 65_536) {
    await turn();
    yield body.subarray(at, at + 65_536);
  }
}

async function* gated(gate: Promise<void>): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from('before');
  await gate;
  yield Buffer.from('after');
}
