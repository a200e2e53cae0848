import { driveApi } from '@bowerbird/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  eachDatabase,
  forest,
  growForest,
  openTestApp,
  plant,
  turnableClock,
  type TestApp,
} from '../../../testing/index.ts';

eachDatabase((dialect) => {
  const say = (app: TestApp, statement: ReturnType<typeof sql>) =>
    app.database.transaction((tx) => statement.execute(tx.on()));
  const findings = async (app: TestApp, repair = false) =>
    (await app.drive.check({ repair })).map(({ what, id }) => [what, id]);

  test('a consistent drive has no findings; inconsistencies are found, and repaired where possible', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const ids = await plant(app, ann.id, {
      d: { 'a.txt': 'aa', e: { 'b.txt': 'bb' } },
      r: { s: {} },
      'c.txt': 'cccc',
    });
    expect(await findings(app)).toEqual([]);

    // Plants a missing folder, a cycle, a wrong size, a wrong counter, a forgotten reservation, and unreferenced
    // bytes.
    await say(app, sql`update node set parent = 'VGONE' where id = ${ids['d']!}`);
    await say(app, sql`update node set parent = ${ids['r/s']!} where id = ${ids['r']!}`);
    await say(app, sql`update node set size = 7 where id = ${ids['c.txt']!}`);
    await say(app, sql`update quota set storage_used = 99, storage_reserved = 5 where account = ${ann.id}`);
    await say(app, sql`update quota set storage_limit = storage_limit + 1 where account = ${ann.id}`);
    await say(
      app,
      sql`insert into blob (hash, size, gcid, cid, store_key, created_at) values (${'0'.repeat(64)}, 1, 'G', 'C', 'blob/00/none', 1)`,
    );
    const found = await findings(app);
    expect(new Set(found.map(([what]) => what))).toEqual(
      new Set([
        'node-unreachable',
        'node-size',
        'folder-size',
        'quota-used',
        'quota-reserved',
        'quota-limit',
        'ledger',
        'blob-missing',
        'blob-forgotten',
      ]),
    );
    await expect(
      ann.call(driveApi.get, { params: { id: ids['d/a.txt']! }, query: {} }),
    ).rejects.toMatchObject({ id: 'file_not_found' });

    await findings(app, true);
    expect((await findings(app)).map(([what]) => what)).toEqual(['blob-missing']);
    const { files } = await ann.call(driveApi.list, { query: { order: 'name_asc' } });
    expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(['d', 'c.txt']));
    expect(await ann.call(driveApi.get, { params: { id: ids['d/a.txt']! }, query: {} })).toMatchObject({
      size: '2',
    });
    expect((await app.quota.of(app.database, ann.id)).used).toBe(8);
  });

  test('deletions and copies that a killed process left unfinished are completed', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const { d, e } = await plant(app, ann.id, { d: {}, e: {} });
    await growForest(app, ann.id, forest(app.ids, d!, 1200));
    await growForest(app, ann.id, forest(app.ids, e!, 1200));
    await ann.call(driveApi.remove, { params: { id: d! } });
    await say(app, sql`update node set parent = ${`!graft/VTASK/${e!}`} where id = ${e!}`);
    await say(
      app,
      sql`insert into graft (task, account, reserved, created_at) values ('VTASK', ${ann.id}, 100, 1)`,
    );
    await say(app, sql`update quota set storage_reserved = 100 where account = ${ann.id}`);
    await say(app, sql`delete from job`);
    expect((await findings(app)).map(([what]) => what)).toEqual(
      expect.arrayContaining(['purge-unfinished', 'graft-abandoned']),
    );
    await findings(app, true);
    expect((await findings(app)).filter(([what]) => what !== 'blob-missing')).toEqual([]);
    expect(await app.quota.of(app.database, ann.id)).toMatchObject({ used: 0, reserved: 0 });
  });

  test('bytes are deleted a day after the last file that refers to them, and not before', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const ids = await plant(app, ann.id, { 'a.txt': 'same', b: { 'c.txt': 'same' }, 'd.txt': 'other' });
    const collect = (graceMs?: number) => app.drive.collector.collect(new AbortController().signal, graceMs);
    const objects = async () => (await Array.fromAsync(app.storage.list('blob/'))).length;
    await ann.call(driveApi.remove, { params: { id: ids['a.txt']! } });
    expect([await collect(0), await objects()]).toEqual([0, 2]);
    await ann.call(driveApi.remove, { params: { id: ids['b']! } });
    expect([await collect(), await objects()]).toEqual([0, 2]);
    expect([await collect(0), await objects()]).toEqual([1, 1]);
    expect(await collect(0)).toBe(0);
    await ann.call(driveApi.remove, { params: { id: ids['d.txt']! } });
    // Referenced again within the grace period: it is kept.
    await plant(app, ann.id, { 'f.txt': 'other' });
    expect(await collect(0)).toBe(0);
    expect(await findings(app)).toEqual([]);
  });

  test('collecting bytes while new files refer to them leaves no row without bytes', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    for (let round = 0; round < 6; round++) {
      const { f } = await plant(app, ann.id, { f: `same ${round}` });
      await ann.call(driveApi.remove, { params: { id: f! } });
      await Promise.allSettled([
        app.drive.collector.collect(new AbortController().signal, 0),
        plant(app, ann.id, { g: `same ${round}` }),
        plant(app, ann.id, { h: `same ${round}` }),
      ]);
    }
    await app.drive.collector.collect(new AbortController().signal, 0);
    expect((await findings(app)).filter(([what]) => what !== 'object-orphaned')).toEqual([]);
  });

  test('bytes without a row are deleted only after a grace period', async () => {
    const clock = turnableClock(Date.now());
    await using app = await openTestApp({ dialect, clock });
    await app.storage.put('blob/ab/stray', new Uint8Array(3));
    await app.storage.put(`thumbnail/${'0'.repeat(64)}/small`, new Uint8Array(3));
    expect(await findings(app, true)).toEqual([['object-orphaned', `thumbnail/${'0'.repeat(64)}/small`]]);
    const objects = async () => (await Array.fromAsync(app.storage.list('blob/'))).map(({ key }) => key);
    expect(await objects()).toEqual(['blob/ab/stray']);
    const ann = await app.signUp('ann');
    await plant(app, ann.id, { 'kept.txt': 'kept' });
    clock.advance(25 * 3600 * 1000);
    expect(await findings(app)).toEqual([['object-orphaned', 'blob/ab/stray']]);
    expect(await app.drive.collector.sweep(new AbortController().signal)).toBe(1);
    expect((await objects()).length).toBe(1);
    expect(await findings(app)).toEqual([]);
  });
});
