import { driveApi, taskApi, type Renaming } from '@bowerbird/contract';
import { describe, expect, test } from 'vitest';
import { eachDatabase, forest, growForest } from '../../../testing/index.ts';
import { freshDrives } from '../../../testing/fresh-drives.ts';

eachDatabase((dialect) => {
  const drive = freshDrives(dialect);
  const { grow, names, get, agrees, trash } = drive;

  async function rename(renames: readonly Renaming[], parent = ''): Promise<Record<string, string>> {
    const { task_id: id } = await drive.ann.call(driveApi.renameMany, {
      body: { parent_id: parent, renames: [...renames] },
    });
    await drive.app.jobs.drain();
    const task = await drive.ann.call(taskApi.get, { params: { id } });
    expect(task).toMatchObject({ type: 'rename', phase: 'PHASE_TYPE_COMPLETE' });
    expect(task.params['failed_count']).toBe(
      String(Object.keys(JSON.parse(task.params['failed']!) as object).length),
    );
    return JSON.parse(task.params['failed']!) as Record<string, string>;
  }

  describe('renaming many items', () => {
    test('gives names that other items of the batch have, in a circle as well', async () => {
      const ids = await grow({ d: { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c', '1': {}, '2': {} } });
      const of = (name: string, to: string): Renaming => ({ id: ids[`d/${name}`]!, from: name, to });
      const before = await get(ids['d/a.txt']!);
      expect(
        await rename(
          [of('a.txt', 'b.txt'), of('b.txt', 'c.txt'), of('c.txt', 'a.txt'), of('1', '2'), of('2', '3')],
          ids['d'],
        ),
      ).toEqual({});
      expect(await names(ids['d'])).toEqual(['2', '3', 'a.txt', 'b.txt', 'c.txt']);
      expect(await get(ids['d/a.txt']!)).toMatchObject({
        name: 'b.txt',
        hash: before.hash,
        modified_time: before.modified_time,
      });
      expect(await get(ids['d/1']!)).toMatchObject({ name: '2' });
      expect(
        (await drive.ann.call(driveApi.conflicts, { body: { parent_id: ids['d']!, names: ['1', '2'] } }))
          .taken,
      ).toMatchObject([{ name: '2', id: ids['d/1'] }]);
      await agrees();
    });

    test('leaves items alone whose new name is taken, invalid or given twice, and reports each', async () => {
      const ids = await grow({
        'a.txt': 'a',
        'b.txt': 'b',
        'c.txt': 'c',
        'd.txt': 'd',
        'e.txt': 'e',
        'f.txt': 'f',
      });
      const of = (name: string, to: string): Renaming => ({ id: ids[name]!, from: name, to });
      expect(
        await rename([
          of('a.txt', 'f.txt'),
          // This one would only be possible after the first.
          of('b.txt', 'a.txt'),
          of('c.txt', 'x/y'),
          of('d.txt', 'new.txt'),
          of('e.txt', 'new.txt'),
        ]),
      ).toEqual({
        [ids['a.txt']!]: 'file_duplicated_name',
        [ids['b.txt']!]: 'file_duplicated_name',
        [ids['c.txt']!]: 'file_name_invalid',
        [ids['e.txt']!]: 'file_duplicated_name',
      });
      expect(await names()).toEqual(['a.txt', 'b.txt', 'c.txt', 'e.txt', 'f.txt', 'new.txt']);
      await agrees();
    });

    test('does not touch items that were renamed, moved or trashed meanwhile, or that belong to somebody else', async () => {
      const ids = await grow({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c', d: { 'd.txt': 'd' } });
      await trash(ids['b.txt']!);
      const bob = await drive.app.signUp(`bob-${drive.ann.id}`);
      const { file } = await bob.call(driveApi.create, { body: { kind: 'drive#folder', name: 'bob' } });
      expect(
        await rename([
          { id: ids['a.txt']!, from: 'before.txt', to: 'x.txt' },
          { id: ids['b.txt']!, from: 'b.txt', to: 'y.txt' },
          { id: ids['d/d.txt']!, from: 'd.txt', to: 'z.txt' },
          { id: file!.id, from: 'bob', to: 'ann' },
          { id: ids['c.txt']!, from: 'c.txt', to: 'fine.txt' },
        ]),
      ).toEqual({
        [ids['a.txt']!]: 'file_renamed_meanwhile',
        [ids['b.txt']!]: 'file_not_found',
        [ids['d/d.txt']!]: 'file_not_found',
        [file!.id]: 'file_not_found',
      });
      expect(await names()).toEqual(['d', 'a.txt', 'fine.txt']);
      const twice = { id: ids['c.txt']!, from: 'fine.txt', to: '1' };
      await expect(rename([twice, { ...twice, to: '2' }])).rejects.toMatchObject({ id: 'invalid_argument' });
      await expect(rename([twice], 'VX')).rejects.toMatchObject({ id: 'file_not_found' });
    });

    test('renames thousands in a job, and finishes what a killed one has begun', async () => {
      const { d } = await grow({ d: {} });
      const saplings = Array.from({ length: 2600 }, (_, at) => ({
        id: drive.app.ids.next(),
        parent: d!,
        kind: 1 as const,
        name: `img ${at}.jpg`,
      }));
      await growForest(drive.app, drive.ann.id, saplings);
      // Each takes the name of the next one.
      const renames = saplings.map(({ id, name }, at) => ({ id, from: name, to: `img ${at + 1}.jpg` }));
      const key = { 'idempotency-key': 'once' };
      const body = { parent_id: d!, renames };
      const { task_id: id } = await drive.ann.call(driveApi.renameMany, { body }, key);
      expect(await drive.ann.call(driveApi.renameMany, { body }, key)).toEqual({ task_id: id });

      const { transaction } = drive.app.database;
      let slices = 0;
      Object.assign(drive.app.database, {
        transaction: (...[work, options]: Parameters<typeof transaction>) =>
          transaction(
            (tx) =>
              work({
                ...tx,
                async lock(name) {
                  if (name === `task:${id}` && ++slices === 3) throw new Error('killed');
                  await tx.lock(name);
                },
              }),
            options,
          ),
      });
      await drive.app.jobs.drain().finally(() => Object.assign(drive.app.database, { transaction }));
      expect(slices).toBe(3);
      expect(await get(saplings[2599]!.id)).toMatchObject({ name: 'img 2600.jpg' });
      expect(await get(saplings[0]!.id)).toMatchObject({ name: 'img 0.jpg' });
      await drive.app.database.transaction((tx) => drive.app.jobs.enqueue(tx, 'rename', { task: id }));
      await drive.app.jobs.drain();
      const task = await drive.ann.call(taskApi.get, { params: { id } });
      expect(task).toMatchObject({ phase: 'PHASE_TYPE_COMPLETE', progress: 100 });
      expect(task.params).toMatchObject({ count: '2600', failed_count: '0', failed: '{}' });
      expect(await get(saplings[0]!.id)).toMatchObject({ name: 'img 1.jpg' });
      expect(await get(saplings[2599]!.id)).toMatchObject({ name: 'img 2600.jpg' });
      await agrees();
    });
  });

  describe('finding items to select', () => {
    const select = async (body: Parameters<typeof drive.ann.call<typeof driveApi.select>>[1]['body']) =>
      (await drive.ann.call(driveApi.select, { body })).items.map(({ name }) => name);

    test('matches patterns without regard to case, accents and width, and anywhere in a name without wildcards', async () => {
      await grow({
        'IMG_1.JPG': 'a',
        'img_22.jpg': 'b',
        'Café.txt': 'c',
        'ｶﾀｶﾅ.txt': 'd',
        'Image notes': {},
      });
      const named = (name: string) => select({ where: { name }, order: 'name_asc' });
      expect(await named('img_?.jpg')).toEqual(['IMG_1.JPG']);
      expect(await named('*.jpg')).toEqual(['IMG_1.JPG', 'img_22.jpg']);
      expect(await named('cafe*')).toEqual(['Café.txt']);
      expect(await named('カタ')).toEqual(['ｶﾀｶﾅ.txt']);
      expect(await named('im')).toEqual(['Image notes', 'IMG_1.JPG', 'img_22.jpg']);
      expect(await named('.')).toHaveLength(4);
      expect(await named('(')).toEqual([]);
    });

    test('combines kinds, sizes and dates; folders have no size', async () => {
      const ids = await grow({ 'a.jpg': 'aaaa', 'b.png': 'b', 'c.mp4': 'cc', d: { 'inside.jpg': 'i' } });
      expect(await select({ where: { categories: ['image'] }, order: 'name_asc' })).toEqual([
        'a.jpg',
        'b.png',
      ]);
      expect(await select({ where: { categories: ['folder', 'video'] } })).toEqual(['d', 'c.mp4']);
      expect(await select({ where: { min_size: '2' }, order: 'size_desc' })).toEqual(['a.jpg', 'c.mp4']);
      expect(await select({ where: { min_size: 2, max_size: 2 } })).toEqual(['c.mp4']);
      expect(await select({ where: { modified_from: '2100-01-01T00:00:00Z' } })).toEqual([]);
      expect(await select({ where: { modified_before: '2100-01-01T00:00:00Z' } })).toHaveLength(4);
      expect(await select({ except_ids: [ids['a.jpg']!], order: 'name_asc' })).toEqual([
        'd',
        'b.png',
        'c.mp4',
      ]);
      await expect(select({ where: { min_size: 'much' } })).rejects.toMatchObject({ id: 'invalid_argument' });
    });

    test('returns the given items in the order of the list, and none of others', async () => {
      const ids = await grow({ b: {}, a: {}, 'z.txt': 'z', 'y.txt': 'yy' });
      const asked = [ids['z.txt']!, ids['b']!, 'VX', ids['y.txt']!, ids['a']!];
      expect(await select({ ids: asked, order: 'name_asc' })).toEqual(['a', 'b', 'y.txt', 'z.txt']);
      expect(await select({ ids: asked, order: 'name_desc' })).toEqual(['b', 'a', 'z.txt', 'y.txt']);
      expect(await select({ ids: asked, order: 'name_desc', folders_first: 'false' })).toEqual([
        'z.txt',
        'y.txt',
        'b',
        'a',
      ]);
      const bob = await drive.app.signUp(`bob-${drive.ann.id}`);
      expect((await bob.call(driveApi.select, { body: { ids: asked } })).items).toEqual([]);
    });

    test('reads folders of any size, page after page', async () => {
      const { d } = await grow({ d: {} });
      await growForest(drive.app, drive.ann.id, forest(drive.app.ids, d!, 2500));
      const { items } = await drive.ann.call(driveApi.select, { body: { parent_id: d! } });
      expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
      const all = await drive.ann.call(driveApi.list, { query: { parent_id: d!, with_total: 'true' } });
      expect(items).toHaveLength(Number(all.total));
    });
  });
});
