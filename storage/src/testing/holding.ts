import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { BlobNotFound, KeyTaken, StorageError } from '../storage-errors.ts';
import { choicesOf, sha256 } from './scene.ts';
import type { Scene } from './scene.ts';

/** Small bytes, removals and listings. */
export function judgeHolding(scene: Scene): void {
  const { freshId, freshKey, stageParts, keepNew, read } = scene;

  describe('stored objects', () => {
    test('are replaced by a later put, and read in ranges', async () => {
      const key = freshKey().replace('blob', 'thumbnail');
      await scene.store.put(key, Buffer.from('first'));
      await scene.store.put(key, Buffer.from('0123456789'));
      expect((await read(key)).toString()).toBe('0123456789');
      expect((await read(key, { start: 3, end: 5 })).toString()).toBe('345');
      expect(await scene.store.stat(key)).toEqual({ size: 10 });
      await scene.store.put(key, Buffer.alloc(0));
      expect(await read(key)).toHaveLength(0);
      await scene.store.remove(key);
      expect(await scene.store.stat(key)).toBeNull();
    });

    test('never replace kept blobs', async () => {
      const key = await keepNew([Buffer.from('one'), Buffer.from('two')]);
      await expect(scene.store.put(key, Buffer.from('other'))).rejects.toThrow(KeyTaken);
      expect((await read(key)).toString()).toBe('onetwo');
    });

    test('can be removed, removed again, and kept again', async () => {
      const bodies = [randomBytes(10), randomBytes(20)];
      const key = await keepNew(bodies);
      await scene.store.remove(key);
      await scene.store.remove(key);
      expect(await scene.store.stat(key)).toBeNull();
      await expect(scene.store.open(key)).rejects.toThrow(BlobNotFound);
      await (await stageParts(bodies)).keep(key, choicesOf(bodies));
      expect(sha256(await read(key))).toBe(sha256(Buffer.concat(bodies)));
    });

    test('never end early for a reader if they are removed', async () => {
      const bodies = [randomBytes(4_000_000), randomBytes(4_000_000), randomBytes(4_000_000)];
      const key = await keepNew(bodies);
      const { stream, length } = await scene.store.open(key);
      let received = 0;
      let failure: unknown;
      try {
        for await (const chunk of stream) {
          if (received === 0) await scene.store.remove(key);
          received += (chunk as Buffer).length;
        }
      } catch (error) {
        failure = error;
      }
      if (failure) expect(failure).toBeInstanceOf(StorageError);
      else expect(received).toBe(length);
    });

    test('are listed by prefix with their sizes', async () => {
      const folder = `list-${process.pid}`;
      const sizes: Record<string, number> = {
        'a/one': 3,
        'a/two': 30,
        'ab/one': 300,
        b: 0,
        'a/deep/er/one': 7,
      };
      for (const [key, size] of Object.entries(sizes)) {
        const bodies = [Buffer.alloc(Math.floor(size / 2)), Buffer.alloc(Math.ceil(size / 2))];
        await (await stageParts(bodies)).keep(`${folder}/${key}`, choicesOf(bodies));
      }
      await scene.store.put(`${folder}/a/small`, Buffer.alloc(5));
      sizes['a/small'] = 5;
      const since = Date.now() - 60_000;
      for (const prefix of [
        '',
        'a',
        'a/',
        'a/d',
        'a/deep/er/one',
        'ab/one',
        'b',
        'c',
        'a/deep/er/one/more',
      ]) {
        const listed = await Array.fromAsync(scene.store.list(`${folder}/${prefix}`));
        const found = Object.fromEntries(listed.map(({ key, size }) => [key.slice(folder.length + 1), size]));
        expect(found).toEqual(
          Object.fromEntries(Object.entries(sizes).filter(([key]) => key.startsWith(prefix))),
        );
        for (const { modifiedAt } of listed) expect(modifiedAt.getTime()).toBeGreaterThan(since);
      }
      const all = await Array.fromAsync(scene.store.list(''));
      expect(all.filter(({ key }) => key.startsWith(`${folder}/`))).toHaveLength(Object.keys(sizes).length);
    });

    test('in staging are listed with the time of their last part', async () => {
      const uploadId = freshId();
      const since = Date.now() - 60_000;
      await stageParts([Buffer.from('x')], uploadId);
      const found = (await Array.fromAsync(scene.store.staged())).filter((one) => one.uploadId === uploadId);
      expect(found).toHaveLength(1);
      expect(found[0]!.modifiedAt.getTime()).toBeGreaterThan(since);
      await scene.store.discard(uploadId);
    });
  });
}
