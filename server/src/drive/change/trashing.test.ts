import { driveApi } from '@bowerbird/contract';
import { describe, expect, test, vi } from 'vitest';
import { eachDatabase } from '../../../testing/index.ts';
import type { Tx } from '../../foundation/database/index.ts';
import { freshDrives } from '../../../testing/fresh-drives.ts';

eachDatabase((dialect) => {
  const drive = freshDrives(dialect);
  const { grow, names, trashed, get, usage, done, trash, untrash, remove, agrees } = drive;

  describe('the trash', () => {
    test('takes a folder with its contents and restores it to its place', async () => {
      const ids = await grow({ p: { d: { 'f.txt': 'f' } } });
      await done(trash(ids['p/d']!));
      expect(await names(ids['p'])).toEqual([]);
      expect(await get(ids['p/d/f.txt']!)).toMatchObject({ trashed: true });
      await expect(
        drive.ann.call(driveApi.list, { query: { parent_id: ids['p/d']! } }),
      ).rejects.toMatchObject({
        id: 'file_not_found',
      });
      await done(trash(ids['p/d']!, ids['p/d/f.txt']!));
      await expect(untrash(ids['p/d/f.txt']!)).rejects.toMatchObject({ id: 'file_not_found' });
      await done(untrash(ids['p/d']!));
      await done(untrash(ids['p/d']!));
      expect(await names(ids['p/d'])).toEqual(['f.txt']);
    });

    test('keeps items of the same name and restores them without overwriting', async () => {
      const one = await grow({ 'a.txt': '1' });
      await trash(one['a.txt']!);
      const two = await grow({ 'a.txt': '2' });
      await trash(two['a.txt']!);
      const three = await grow({ 'a.txt': '3' });
      await done(untrash(one['a.txt']!, two['a.txt']!));
      expect((await get(three['a.txt']!)).name).toBe('a.txt');
      expect((await names()).toSorted()).toEqual(['a(1).txt', 'a(2).txt', 'a.txt']);
    });

    test('restores items to the root when their folder was trashed or deleted', async () => {
      const ids = await grow({ t: { 'a.txt': 'a' }, g: { 'b.txt': 'b' }, both: { 'c.txt': 'c' } });
      await trash(ids['t/a.txt']!, ids['g/b.txt']!, ids['both/c.txt']!);
      await trash(ids['t']!, ids['both']!);
      await remove(ids['g']!);
      await done(untrash(ids['t/a.txt']!, ids['g/b.txt']!));
      expect(await names()).toEqual(['a.txt', 'b.txt']);
      await done(untrash(ids['both/c.txt']!, ids['both']!));
      expect(await names(ids['both'])).toEqual(['c.txt']);
      await agrees();
    });

    test('restores items to another folder, without overwriting, and to no folder in the trash', async () => {
      const ids = await grow({
        a: { 'x.txt': 'x', s: { 'inside.txt': 'i' } },
        b: { 'x.txt': 'other' },
        c: {},
      });
      await trash(ids['a/x.txt']!, ids['a/s']!);
      await trash(ids['c']!);
      const to = (parent_id: string) => ({
        body: { ids: [ids['a/x.txt']!, ids['a/s']!], to: { parent_id } },
      });
      for (const nowhere of [ids['c']!, ids['a/s']!, 'VX'])
        await expect(drive.ann.call(driveApi.untrash, to(nowhere))).rejects.toMatchObject({
          id: 'file_not_found',
        });
      await done(drive.ann.call(driveApi.untrash, to(ids['b']!)));
      expect(await names(ids['b'])).toEqual(['s', 'x(1).txt', 'x.txt']);
      expect(await names(ids['a/s'])).toEqual(['inside.txt']);
      expect(await names(ids['a'])).toEqual([]);
      await agrees();
    });
    test('is measured, counts against the quota, and is empty at once when emptied', async () => {
      const ids = await grow({ d: { 'a.txt': 'aaaa', 'b.txt': 'bb' }, 'c.txt': 'c' });
      await trash(ids['d']!);
      expect(await usage()).toBe(7);
      await new Promise((resolve) => setTimeout(resolve, 2100));
      await drive.app.jobs.drain();
      expect((await drive.ann.call(driveApi.about, { query: {} })).quota).toMatchObject({
        usage: '7',
        usage_in_trash: '6',
        limit: expect.stringMatching(/^\d+$/) as string,
      });
      await done(drive.ann.call(driveApi.emptyTrash, {}));
      expect(await trashed()).toEqual([]);
      expect(await usage()).toBe(1);
      await expect(get(ids['d/a.txt']!)).rejects.toMatchObject({ id: 'file_not_found' });
      await agrees();
    });

    test('keeps items that were trashed separately when their folder is permanently deleted', async () => {
      const ids = await grow({ d: { 'kept.txt': 'kept', 'gone.txt': 'gone!' } });
      await trash(ids['d/kept.txt']!);
      await done(remove(ids['d']!));
      expect((await trashed()).map(({ id }) => id)).toEqual([ids['d/kept.txt']]);
      expect(await usage()).toBe(4);
      await done(remove(ids['d/kept.txt']!));
      expect(await usage()).toBe(0);
      await agrees();
    });

    test('permanently deletes items that were trashed separately together with their folder', async () => {
      const ids = await grow({ d: { t: { 'x.txt': 'xx' }, 'kept.txt': 'k' } });
      await trash(ids['d/t']!);
      await done(remove(ids['d']!, ids['d/t/x.txt']!));
      expect(await names(ids['d/t'], '{"trashed":{"eq":true}}').catch(() => [])).toEqual([]);
      await expect(get(ids['d/t/x.txt']!)).rejects.toMatchObject({ id: 'file_not_found' });
      expect((await trashed()).map(({ id }) => id)).toEqual([ids['d/t']]);
      expect(await usage()).toBe(0);
      await agrees();
    });

    test('restores nothing if one of several was trashed with its folder', async () => {
      const ids = await grow({ d: { 'inside.txt': 'i' }, 'alone.txt': 'a' });
      await trash(ids['d']!, ids['alone.txt']!);
      await expect(untrash(ids['alone.txt']!, ids['d/inside.txt']!)).rejects.toMatchObject({
        id: 'file_not_found',
      });
      expect(await names()).toEqual([]);
      await done(untrash(ids['alone.txt']!, ids['d']!, ids['d/inside.txt']!));
      expect(await names()).toEqual(['d', 'alone.txt']);
      expect(await names(ids['d'])).toEqual(['inside.txt']);
    });

    test('contains nothing that can be starred, and a request to star several items fails if one of them is trashed', async () => {
      const ids = await grow({ d: { 'inside.txt': 'i' }, 'live.txt': 'l' });
      await trash(ids['d']!);
      for (const id of [ids['d']!, ids['d/inside.txt']!])
        await expect(
          drive.ann.call(driveApi.star, { body: { ids: [ids['live.txt']!, id] } }),
        ).rejects.toMatchObject({ id: 'file_not_found' });
      expect((await get(ids['live.txt']!)).starred).toBe(false);
    });

    test('restores or permanently deletes items when both are requested at once, never some of each', async () => {
      for (let round = 0; round < 5; round++) {
        const ids = await grow({ [`d${round}`]: { 'a.txt': 'aa', s: { 'b.txt': 'bb' } } });
        const d = ids[`d${round}`]!;
        await trash(d);
        const [restored] = await Promise.allSettled([untrash(d), drive.ann.call(driveApi.emptyTrash, {})]);
        await drive.app.jobs.drain();
        if (restored.status === 'fulfilled' && (await names()).includes(`d${round}`))
          expect(await names(d)).toEqual(['s', 'a.txt']);
        else await expect(get(ids[`d${round}/a.txt`]!)).rejects.toMatchObject({ id: 'file_not_found' });
      }
      await agrees();
    });

    test('deletes items after their retention period', async () => {
      const ids = await grow({ 'a.txt': 'aa', 'b.txt': 'b' });
      await trash(ids['a.txt']!);
      await drive.app.database.transaction((tx) =>
        tx
          .on<{ node: { id: string; trashed_at: number } }>()
          .updateTable('node')
          .set({ trashed_at: Date.now() - 31 * 86_400_000 })
          .where('id', '=', ids['a.txt']!)
          .execute(),
      );
      await trash(ids['b.txt']!);
      await drive.app.database.transaction((tx) => drive.app.jobs.enqueue(tx, 'trash-retention', null));
      await drive.app.jobs.drain();
      expect((await trashed()).map(({ id }) => id)).toEqual([ids['b.txt']]);
      expect(await usage()).toBe(1);
    });

    test('keeps items that are restored while their retention period is checked', async () => {
      const { 'a.txt': id } = await grow({ 'a.txt': 'aa' });
      await trash(id!);
      const setTrashed = (tx: Tx, at: number | null) =>
        tx
          .on<{ node: { id: string; trashed_at: number | null } }>()
          .updateTable('node')
          .set({ trashed_at: at })
          .where('id', '=', id!)
          .execute();
      await drive.app.database.transaction((tx) => setTrashed(tx, Date.now() - 31 * 86_400_000));
      await drive.app.database.transaction((tx) => drive.app.jobs.enqueue(tx, 'trash-retention', null));
      // The owner restores it between the listing of expired nodes and the lock of the tree.
      const { transaction } = drive.app.database;
      const broughtBack = vi.fn<(key: string) => void>();
      const watching: typeof transaction = (work, options) =>
        transaction(
          (tx) =>
            work({
              ...tx,
              async lock(key) {
                if (key === `tree:${drive.ann.id}`) {
                  broughtBack(key);
                  await setTrashed(tx, null);
                }
                await tx.lock(key);
              },
            }),
          options,
        );
      Object.assign(drive.app.database, { transaction: watching });
      await drive.app.jobs.drain().finally(() => Object.assign(drive.app.database, { transaction }));
      expect(broughtBack).toHaveBeenCalledOnce();
      expect(await names()).toEqual(['a.txt']);
      expect(await usage()).toBe(2);
    });
  });
});
