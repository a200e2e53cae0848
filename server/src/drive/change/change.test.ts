import { driveApi, taskApi } from '@bowerbird/contract';
import { describe, expect, test } from 'vitest';
import { SAPLING_SIZE, eachDatabase, forest, growForest, plant } from '../../../testing/index.ts';
import { freshDrives } from '../../../testing/fresh-drives.ts';

eachDatabase((dialect) => {
  const drive = freshDrives(dialect);
  const { grow, names, trashed, get, usage, done, move, copy, trash, remove, untrash, agrees } = drive;

  describe('names', () => {
    test('a new folder whose name is taken is numbered, rejected, or returns the existing folder, as requested', async () => {
      const create = async (conflict?: 'fail' | 'skip') =>
        (
          await drive.ann.call(driveApi.create, {
            body: { kind: 'drive#folder', name: 'new.d', ...(conflict ? { conflict } : {}) },
          })
        ).file!;
      const first = await create();
      expect((await create()).name).toBe('new.d(1)');
      expect((await create()).name).toBe('new.d(2)');
      await expect(create('fail')).rejects.toMatchObject({ id: 'file_duplicated_name' });
      expect((await create('skip')).id).toBe(first.id);
    });

    test('invalid names are rejected when creating and when renaming', async () => {
      const { a } = await grow({ a: {} });
      for (const [name, id] of [
        ['', 'file_name_empty'],
        ['a/b', 'invalid_argument'],
        ['..', 'invalid_argument'],
        ['a\0', 'invalid_argument'],
        ['x'.repeat(256), 'file_name_too_long'],
        ['é'.repeat(128), 'file_name_too_long'],
      ] as const) {
        await expect(
          drive.ann.call(driveApi.create, { body: { kind: 'drive#folder', name } }),
        ).rejects.toMatchObject({ id });
        await expect(
          drive.ann.call(driveApi.rename, { params: { id: a! }, body: { name } }),
        ).rejects.toMatchObject({ id });
      }
      expect(await names()).toEqual(['a']);
    });

    test('renaming returns the new state; the same name and a taken name are rejected', async () => {
      const ids = await grow({ 'a.txt': 'a', 'b.txt': 'b' });
      const before = await get(ids['a.txt']!);
      expect(
        await drive.ann.call(driveApi.rename, { params: { id: ids['a.txt']! }, body: { name: 'c.png' } }),
      ).toMatchObject({
        id: ids['a.txt'],
        name: 'c.png',
        mime_type: 'image/png',
        links: { 'application/octet-stream': {} },
        created_time: before.created_time,
      });
      await expect(
        drive.ann.call(driveApi.rename, { params: { id: ids['a.txt']! }, body: { name: 'c.png' } }),
      ).rejects.toMatchObject({ id: 'file_rename_to_same_name' });
      await expect(
        drive.ann.call(driveApi.rename, { params: { id: ids['a.txt']! }, body: { name: 'b.txt' } }),
      ).rejects.toMatchObject({ id: 'file_duplicated_name' });
      await expect(
        drive.ann.call(driveApi.rename, { params: { id: 'VX' }, body: { name: 'd' } }),
      ).rejects.toMatchObject({ id: 'file_not_found' });
    });

    test('names in any Unicode normalization form are the same, but names in different case are not', async () => {
      await grow({ 'caf\u00e9': {} });
      expect(
        (await drive.ann.call(driveApi.create, { body: { kind: 'drive#folder', name: 'cafe\u0301' } })).file!
          .name,
      ).toBe('cafe\u0301(1)');
      expect(
        (await drive.ann.call(driveApi.create, { body: { kind: 'drive#folder', name: 'Caf\u00e9' } })).file!
          .name,
      ).toBe('Caf\u00e9');
    });

    test('names stay unique under parallel requests: of twenty renames to one name one succeeds, and twenty new folders get different names', async () => {
      const ids = await grow(Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`f${at}`, {}])));
      const tries = await Promise.allSettled(
        Object.values(ids).map((id) =>
          drive.ann.call(driveApi.rename, { params: { id }, body: { name: 'one' } }),
        ),
      );
      expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(
        new Set(
          tries.flatMap((result) =>
            result.status === 'rejected' ? [(result.reason as { id: string }).id] : [],
          ),
        ),
      ).toEqual(new Set(['file_duplicated_name']));
      const made = await Promise.all(
        Array.from({ length: 20 }, () =>
          drive.ann.call(driveApi.create, { body: { kind: 'drive#folder', name: 'twin' } }),
        ),
      );
      expect(new Set(made.map(({ file }) => file!.name)).size).toBe(20);
    });
  });

  describe('moving', () => {
    test('moving into a folder and back to the root works', async () => {
      const ids = await grow({ d: {}, 'a.txt': 'a', e: { 'b.txt': 'b' } });
      await done(move({ ids: [ids['a.txt']!, ids['e']!], to: { parent_id: ids['d']! } }));
      expect(await names(ids['d'])).toEqual(['e', 'a.txt']);
      expect(await names(ids['e'])).toEqual(['b.txt']);
      await done(move({ ids: [ids['a.txt']!], to: {} }));
      expect(await get(ids['a.txt']!)).toMatchObject({ parent_id: '' });
      await expect(move({ ids: [ids['a.txt']!] })).rejects.toMatchObject({ id: 'file_move_or_copy_to_cur' });
    });

    test('moving a folder into itself or below itself is rejected and changes nothing', async () => {
      const ids = await grow({ a: { b: { c: {} } }, d: {} });
      for (const parent_id of [ids['a']!, ids['a/b']!, ids['a/b/c']!]) {
        await expect(move({ ids: [ids['d']!, ids['a']!], to: { parent_id } })).rejects.toMatchObject({
          id: 'file_move_into_itself',
        });
        await expect(copy({ ids: [ids['a']!], to: { parent_id } })).rejects.toMatchObject({
          id: 'file_move_into_itself',
        });
      }
      expect(await names()).toEqual(['a', 'd']);
      await agrees();
    });

    test('moving to a taken name numbers, rejects, skips or replaces, as requested', async () => {
      const ids = await grow({
        'x.txt': 'old',
        from: { 'x.txt': 'new', 'y.txt': 'y' },
        more: { 'x.txt': 'newer' },
      });
      const [x, y] = [ids['from/x.txt']!, ids['from/y.txt']!];
      await expect(move({ ids: [x, y], conflict: 'fail' })).rejects.toMatchObject({
        id: 'file_duplicated_name',
      });
      expect(await names(ids['from'])).toEqual(['x.txt', 'y.txt']);
      await done(move({ ids: [x, y], conflict: 'skip' }));
      expect(await names(ids['from'])).toEqual(['x.txt']);
      await done(move({ ids: [x], conflict: 'rename' }));
      expect(await get(x)).toMatchObject({ name: 'x(1).txt' });
      await done(move({ ids: [ids['more/x.txt']!], conflict: 'replace' }));
      expect(await names()).toEqual(['from', 'more', 'x(1).txt', 'x.txt', 'y.txt']);
      expect((await trashed()).map(({ id }) => id)).toEqual([ids['x.txt']]);
    });

    test('moving never replaces the folder that the item is moved out of', async () => {
      const ids = await grow({ a: { a: { 'deep.txt': 'x' } } });
      await expect(move({ ids: [ids['a/a']!], conflict: 'replace' })).rejects.toMatchObject({
        id: 'file_move_into_itself',
      });
      await expect(copy({ ids: [ids['a/a']!], conflict: 'replace' })).rejects.toMatchObject({
        id: 'file_move_into_itself',
      });
      expect(await names(ids['a/a'])).toEqual(['deep.txt']);
    });

    test('moving items of the same name from different folders keeps all of them', async () => {
      const ids = await grow({
        a: { 'n.txt': '1' },
        b: { 'n.txt': '2' },
        c: { 'n.txt': '3', 'n(1).txt': '4' },
        to: {},
      });
      await done(
        move({
          ids: [ids['a/n.txt']!, ids['b/n.txt']!, ids['c/n.txt']!, ids['c/n(1).txt']!],
          to: { parent_id: ids['to']! },
        }),
      );
      expect((await names(ids['to'])).toSorted()).toEqual(['n(1).txt', 'n(2).txt', 'n(3).txt', 'n.txt']);
    });

    test('moving in batches handles duplicates, parents with children, the root, foreign and unknown ids, and too many ids', async () => {
      const ids = await grow({ a: { b: { 'c.txt': 'c' } }, to: {} });
      await done(
        move({ ids: [ids['a/b']!, ids['a']!, ids['a']!, ids['a/b/c.txt']!], to: { parent_id: ids['to']! } }),
      );
      expect(await names(ids['to'])).toEqual(['a']);
      expect(await names(ids['a'])).toEqual(['b']);
      const bob = await drive.app.signUp(`bob-${drive.ann.id}`);
      const foreign = (await bob.call(driveApi.create, { body: { kind: 'drive#folder', name: 'his' } })).file!
        .id;
      for (const bad of [foreign, 'VUNKNOWN', drive.ann.id]) {
        for (const call of [move, copy])
          await expect(call({ ids: [ids['a']!, bad] })).rejects.toMatchObject({ id: 'file_not_found' });
        for (const call of [trash, untrash, remove])
          await expect(call(ids['a']!, bad)).rejects.toMatchObject({ id: 'file_not_found' });
        await expect(
          move({ ids: [ids['a']!], to: { parent_id: bad === drive.ann.id ? 'VX' : bad } }),
        ).rejects.toMatchObject({ id: 'file_not_found' });
      }
      expect(await names(ids['to'])).toEqual(['a']);
      await expect(trash(...Array.from({ length: 1001 }, () => ids['a']!))).rejects.toMatchObject({
        id: 'operating_file_count_exceeded',
      });
      await expect(trash()).rejects.toMatchObject({ id: 'invalid_argument' });
      await expect(trash('')).rejects.toMatchObject({ id: 'invalid_argument' });
    });

    test('moving, restoring and deleting do not reach another member’s trash', async () => {
      const ids = await grow({ own: {} });
      const bob = await drive.app.signUp(`bob-${drive.ann.id}`);
      const his = await plant(drive.app, bob.id, { folder: { 'file.txt': 'his' } });
      await bob.call(driveApi.trash, { body: { ids: [his['folder']!] } });
      for (const id of [his['folder']!, his['folder/file.txt']!]) {
        for (const call of [trash, untrash, remove])
          await expect(call(ids['own']!, id)).rejects.toMatchObject({ id: 'file_not_found' });
        await expect(drive.ann.call(driveApi.remove, { params: { id } })).rejects.toMatchObject({
          id: 'file_not_found',
        });
        await expect(get(id)).rejects.toMatchObject({ id: 'file_not_found' });
        await expect(names(id, '{"trashed":{"eq":true}}')).rejects.toMatchObject({ id: 'file_not_found' });
      }
      const { files } = await bob.call(driveApi.list, {
        query: { parent_id: '*', filters: '{"trashed":{"eq":true}}' },
      });
      expect(files.map(({ name }) => name)).toEqual(['folder']);
    });

    test('moving two folders into each other at once creates no cycle', async () => {
      for (let round = 0; round < 5; round++) {
        const ids = await grow({ [`a${round}`]: { x: {} }, [`b${round}`]: { y: {} } });
        const [a, b] = [ids[`a${round}`]!, ids[`b${round}`]!];
        const results = await Promise.allSettled([
          move({ ids: [a], to: { parent_id: ids[`b${round}/y`]! } }),
          move({ ids: [b], to: { parent_id: ids[`a${round}/x`]! } }),
        ]);
        expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      }
      await agrees();
    });

    test('moving, deleting and adding files at the same time leaves no unreachable rows', async () => {
      for (let round = 0; round < 5; round++) {
        const ids = await grow({ [`d${round}`]: { in: {} }, [`m${round}`]: { 'f.txt': 'f' } });
        const inside = ids[`d${round}/in`]!;
        await Promise.allSettled([
          remove(ids[`d${round}`]!),
          move({ ids: [ids[`m${round}`]!], to: { parent_id: inside } }),
          drive.ann.call(driveApi.create, {
            body: { kind: 'drive#folder', name: 'late', parent_id: inside },
          }),
          copy({ ids: [ids[`m${round}`]!], to: { parent_id: inside } }),
        ]);
      }
      await agrees();
    });
  });

  describe('whole folders', () => {
    test('can be moved, trashed, restored and deleted without excluded children', async () => {
      const ids = await grow({ from: { a: {}, b: {}, 'c.txt': 'c' }, to: {} });
      await done(move({ all_in: ids['from']!, except_ids: [ids['from/b']!], to: { parent_id: ids['to']! } }));
      expect(await names(ids['from'])).toEqual(['b']);
      await expect(move({ all_in: '', to: { parent_id: ids['to']! } })).rejects.toMatchObject({
        id: 'file_move_into_itself',
      });
      await done(drive.ann.call(driveApi.trash, { body: { all_in: ids['to']! } }));
      expect(await names(ids['to'])).toEqual([]);
      await done(drive.ann.call(driveApi.untrash, { body: { all_in: '*', except_ids: [ids['from/a']!] } }));
      expect(await names(ids['to'])).toEqual(['c.txt']);
      await done(drive.ann.call(driveApi.removeMany, { body: { all_in: ids['to']! } }));
      expect(await names(ids['to'])).toEqual([]);
    });

    test('folders with more children than one request handles continue in the background, and the task reports completion', async () => {
      const ids = await grow({ from: {}, to: {} });
      await growForest(
        drive.app,
        drive.ann.id,
        forest(drive.app.ids, ids['from']!, 1300, { perFolder: 1300, depth: 1 }),
      );
      const { task_id: id } = await move({ all_in: ids['from']!, to: { parent_id: ids['to']! } });
      expect((await drive.ann.call(taskApi.get, { params: { id } })).phase).toBe('PHASE_TYPE_PENDING');
      await drive.app.jobs.drain();
      expect((await drive.ann.call(taskApi.get, { params: { id } })).phase).toBe('PHASE_TYPE_COMPLETE');
      expect(await names(ids['from'])).toEqual([]);
      const copied = await copy({ all_in: ids['to']!, to: { parent_id: ids['from']! } });
      await drive.app.jobs.drain();
      expect(await drive.ann.call(taskApi.get, { params: { id: copied.task_id } })).toMatchObject({
        phase: 'PHASE_TYPE_COMPLETE',
        type: 'copy',
      });
      const before = await usage();
      await drive.ann.call(driveApi.trash, { body: { all_in: ids['from']! } });
      await drive.app.jobs.drain();
      await drive.ann.call(driveApi.emptyTrash, {});
      await drive.app.jobs.drain();
      expect(before - (await usage())).toBe((1300 - 26) * SAPLING_SIZE);
      await agrees();
    });
  });

  test('a folder with very many children is copied without the excluded ones, and moved into one of the excluded ones', async () => {
    const ids = await grow({ from: { left: {}, 'out.txt': 'o' }, to: {} });
    await growForest(
      drive.app,
      drive.ann.id,
      forest(drive.app.ids, ids['from']!, 1300, { perFolder: 1300, depth: 1 }),
    );
    const except_ids = [ids['from/left']!, ids['from/out.txt']!];
    await copy({ all_in: ids['from']!, except_ids, to: { parent_id: ids['to']! } });
    await drive.app.jobs.drain();
    const countIn = async (folder: string): Promise<number> => {
      const query = { parent_id: folder, with_total: 'true', limit: 1 };
      return Number((await drive.ann.call(driveApi.list, { query })).total);
    };
    expect(await countIn(ids['from']!)).toBeGreaterThan(1002);
    expect(await countIn(ids['to']!)).toBe((await countIn(ids['from']!)) - 2);
    await expect(
      move({ all_in: ids['from']!, except_ids: [], to: { parent_id: ids['from/left']! } }),
    ).rejects.toMatchObject({ id: 'file_move_into_itself' });
    await move({ all_in: ids['from']!, except_ids, to: { parent_id: ids['from/left']! } });
    await drive.app.jobs.drain();
    expect(await names(ids['from'])).toEqual(['left', 'out.txt']);
    expect(await countIn(ids['from/left']!)).toBe(await countIn(ids['to']!));
    await agrees();
  });

  test('can’t be nested deeper than five hundred levels', async () => {
    const chain = Array.from({ length: 499 }, () => drive.app.ids.next());
    await growForest(
      drive.app,
      drive.ann.id,
      chain.map((id, at) => ({ id, parent: chain[at - 1] ?? drive.ann.id, kind: 0 as const, name: 'down' })),
    );
    const make = (parent_id: string) =>
      drive.ann.call(driveApi.create, { body: { kind: 'drive#folder', name: 'deeper', parent_id } });
    const { file: deepest } = await make(chain.at(-1)!);
    await expect(make(deepest!.id)).rejects.toMatchObject({
      id: 'invalid_argument',
      facts: { field: 'parent_id' },
    });
  });

  test('can’t be placed in a file', async () => {
    const ids = await grow({ 'a.txt': 'a', 'b.txt': 'b' });
    const to = { parent_id: ids['a.txt']! };
    const refused = { id: 'file_not_found' };
    await expect(move({ ids: [ids['b.txt']!], to })).rejects.toMatchObject(refused);
    await expect(copy({ ids: [ids['b.txt']!], to })).rejects.toMatchObject(refused);
    await expect(names(ids['a.txt'])).rejects.toMatchObject(refused);
    await expect(
      drive.ann.call(driveApi.create, { body: { kind: 'drive#folder', name: 'in', ...to } }),
    ).rejects.toMatchObject(refused);
    await expect(
      drive.ann.call(driveApi.create, { body: { kind: 'drive#file', name: 'in', size: 1, ...to } }),
    ).rejects.toMatchObject(refused);
  });

  test('with many nodes disappear at once, and their space is freed in the background', async () => {
    const { d } = await grow({ d: {} });
    await growForest(drive.app, drive.ann.id, forest(drive.app.ids, d!, 2500));
    const before = await usage();
    await done(remove(d!));
    expect(await names()).toEqual([]);
    await expect(get(d!)).rejects.toMatchObject({ id: 'file_not_found' });
    expect(await usage()).toBe(before);
    await drive.app.jobs.drain();
    expect(await usage()).toBe(0);
    await agrees();
  });

  test('report which names are taken before an upload starts', async () => {
    const ids = await grow({ d: { 'a.txt': 'abc', s: {} } });
    const { taken } = await drive.ann.call(driveApi.conflicts, {
      body: { parent_id: ids['d']!, names: ['a.txt', 's', 'b.txt', 'A.txt'] },
    });
    const { user_modified_time: modified_time } = await get(ids['d/a.txt']!);
    expect(taken).toEqual([
      { name: 'a.txt', id: ids['d/a.txt'], kind: 'drive#file', size: '3', modified_time },
      expect.objectContaining({ name: 's', id: ids['d/s'], kind: 'drive#folder', size: '0' }),
    ]);
  });

  test('return their path for breadcrumbs', async () => {
    const ids = await grow({ a: { b: { c: {} } } });
    expect((await drive.ann.call(driveApi.ancestors, { params: { id: ids['a/b/c']! } })).ancestors).toEqual([
      { id: '', name: '' },
      { id: ids['a'], name: 'a' },
      { id: ids['a/b'], name: 'b' },
      { id: ids['a/b/c'], name: 'c' },
    ]);
  });
});
