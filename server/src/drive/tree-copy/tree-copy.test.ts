import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { driveApi, taskApi, type Task } from '@bowerbird/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  eachDatabase,
  forest,
  growForest,
  openTestApp,
  plant,
  SAPLING_SIZE,
  type Member,
  type TestApp,
} from '../../../testing/index.ts';

eachDatabase((dialect) => {
  let app: TestApp;
  let ann: Member;
  let counter = 0;
  beforeAll(async () => {
    app = await openTestApp({ dialect });
  });
  beforeEach(async () => {
    counter += 1;
    ann = await app.signUp(`ann-${counter}`);
  });
  afterAll(() => app.close());

  const copy = async (id: string, parent = ''): Promise<Task> =>
    task((await ann.call(driveApi.copy, { body: { ids: [id], to: { parent_id: parent } } })).task_id);
  const task = (id: string): Promise<Task> => ann.call(taskApi.get, { params: { id } });
  const names = async (parent = ''): Promise<string[]> =>
    (
      await ann.call(driveApi.list, {
        query: { parent_id: parent, limit: 1000, order: 'name_asc', filters: '{"trashed":{"eq":false}}' },
      })
    ).files.map(({ name }) => name);
  const quota = () => app.quota.of(app.database, ann.id);
  const count = async (): Promise<number> =>
    Number(
      (
        await sql<{ n: number }>`select count(*) as n from node where account = ${ann.id}`.execute(
          app.database.on(),
        )
      ).rows[0]!.n,
    );
  const findings = async () =>
    (await app.drive.check({ repair: false })).filter(
      ({ what, id }) =>
        what.startsWith('node') || what === 'folder-size' || what.startsWith('graft') || id === ann.id,
    );
  const large = async (nodes: number): Promise<string> => {
    const { d } = await plant(app, ann.id, { d: {} });
    await growForest(app, ann.id, forest(app.ids, d!, nodes));
    return d!;
  };

  test('a small copy is complete in the response: new ids, same bytes, charged', async () => {
    const ids = await plant(app, ann.id, { d: { 'a.txt': 'aaa', s: { 'b.txt': 'bb', empty: {} } } });
    const done = await copy(ids['d']!);
    expect(done).toMatchObject({ phase: 'PHASE_TYPE_COMPLETE', type: 'copy' });
    const made = (JSON.parse(done.params['trace_file_ids']!) as Record<string, string>)[ids['d']!]!;
    const root = await ann.call(driveApi.get, { params: { id: made }, query: {} });
    expect(root).toMatchObject({ name: 'd(1)', parent_id: '' });
    expect(await names(made)).toEqual(['s', 'a.txt']);
    expect(await quota()).toMatchObject({ used: 10, reserved: 0 });
    expect(await findings()).toEqual([]);
  });

  test('a tree of 1000 nodes is copied within the request, a larger one by a job', async () => {
    const d = await large(999);
    expect((await copy(d)).phase).toBe('PHASE_TYPE_COMPLETE');
    await ann.call(driveApi.create, { body: { kind: 'drive#folder', name: 'one more', parent_id: d } });
    const begun = await copy(d);
    expect(begun.phase).not.toBe('PHASE_TYPE_COMPLETE');
    await app.jobs.drain();
    expect((await task(begun.id)).phase).toBe('PHASE_TYPE_COMPLETE');
    expect(await count()).toBe(1000 + 2 * 1001);
  });

  test('a copy that exceeds the quota is rejected and leaves nothing', async () => {
    const ids = await plant(app, ann.id, { d: { 'a.txt': 'aaa' } });
    await app.database.transaction((tx) => app.quota.setLimit(tx, ann.id, 5));
    await expect(copy(ids['d']!)).rejects.toMatchObject({ id: 'file_space_not_enough' });
    expect(await names()).toEqual(['d']);
    expect(await quota()).toMatchObject({ used: 3, reserved: 0 });
  });

  test('when twenty copies run at once, exactly as many succeed as fit the quota', async () => {
    const ids = await plant(app, ann.id, { 'a.txt': 'aaa' });
    await app.database.transaction((tx) => app.quota.setLimit(tx, ann.id, 3 + 3 * 7 + 2));
    const tries = await Promise.allSettled(Array.from({ length: 20 }, () => copy(ids['a.txt']!)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
    expect(await quota()).toMatchObject({ used: 24, reserved: 0 });
    expect(new Set(await names()).size).toBe(8);
  });

  test('a large copy is built hidden and appears complete', async () => {
    const d = await large(2500);
    const before = await quota();
    const begun = await copy(d);
    expect(begun.phase).toBe('PHASE_TYPE_PENDING');
    expect(await names()).toEqual(['d']);
    await app.jobs.drain();
    const done = await task(begun.id);
    expect(done).toMatchObject({ phase: 'PHASE_TYPE_COMPLETE', progress: 100 });
    expect(await names()).toEqual(['d', 'd(1)']);
    expect(await count()).toBe(2 * 2501);
    expect(await quota()).toMatchObject({ used: before.used * 2, reserved: 0 });
    expect(await findings()).toEqual([]);
  });

  test('a large copy that exceeds the quota ends as an error and leaves nothing', async () => {
    const d = await large(1500);
    const { used } = await quota();
    await app.database.transaction((tx) => app.quota.setLimit(tx, ann.id, used + SAPLING_SIZE));
    const begun = await copy(d);
    await app.jobs.drain();
    expect(await task(begun.id)).toMatchObject({
      phase: 'PHASE_TYPE_ERROR',
      params: { error: 'file_space_not_enough' },
    });
    expect(await count()).toBe(1501);
    expect(await quota()).toMatchObject({ used, reserved: 0 });
  });

  test('a canceled copy releases its reservation and leaves nothing', async () => {
    const d = await large(6000);
    const { used } = await quota();
    const begun = await copy(d);
    const working = app.jobs.drain();
    while ((await quota()).reserved === 0 && (await task(begun.id)).phase !== 'PHASE_TYPE_COMPLETE')
      await sleep(1);
    await ann.call(taskApi.remove, { query: { task_ids: begun.id } });
    await working;
    await app.jobs.drain();
    expect(await task(begun.id)).toMatchObject({ phase: 'PHASE_TYPE_ERROR', params: { error: 'cancelled' } });
    expect(await count()).toBe(6001);
    expect(await quota()).toMatchObject({ used, reserved: 0 });
    expect(await findings()).toEqual([]);
  });

  test('a copy whose destination is trashed meanwhile ends as an error and leaves nothing', async () => {
    const d = await large(1500);
    const { to } = await plant(app, ann.id, { to: {} });
    const begun = await copy(d, to);
    await ann.call(driveApi.trash, { body: { ids: [to!] } });
    await app.jobs.drain();
    expect((await task(begun.id)).phase).toBe('PHASE_TYPE_ERROR');
    expect(await count()).toBe(1502);
    expect((await quota()).reserved).toBe(0);
  });

  test('a copy whose source is deleted meanwhile copies the remaining files and charges only those', async () => {
    const d = await large(5000);
    const begun = await copy(d);
    const working = app.jobs.drain();
    while ((await quota()).reserved === 0) await sleep(1);
    await ann.call(driveApi.removeMany, { body: { all_in: d } });
    await working;
    await app.jobs.drain();
    expect((await task(begun.id)).phase).toBe('PHASE_TYPE_COMPLETE');
    expect((await quota()).reserved).toBe(0);
    expect(await findings()).toEqual([]);
  });

  test('a copy of a file whose content is replaced meanwhile has the new one, and is charged for it', async () => {
    const d = await large(1500);
    const { 'long.txt': id } = await plant(app, ann.id, { 'long.txt': 'x'.repeat(77) });
    const { rows } = await sql<{ id: string }>`
      select id from node where parent = ${d} and kind = 1 order by name limit 1`.execute(app.database.on());
    const [file, long] = [rows[0]!.id, id!];
    const begun = await copy(d);
    // Replaced between the counting and the copying: the job locks its task to clear, then to reserve what it counted.
    const { transaction } = app.database;
    let locks = 0;
    const replacing: typeof transaction = (work, options) =>
      transaction(
        (tx) =>
          work({
            ...tx,
            async lock(name) {
              await tx.lock(name);
              if (name !== `task:${begun.id}` || ++locks !== 2) return;
              await app.drive.nodes.lock(tx, ann.id);
              const [old, { blob, size }] = [
                (await app.drive.nodes.find(tx, ann.id, file))!,
                (await app.drive.nodes.find(tx, ann.id, long))!,
              ];
              const content = { blob: blob!, size, modifiedAt: 1, by: 'upload' } as const;
              await app.drive.placements.replaceContent(tx, old, content);
            },
          }),
        options,
      );
    Object.assign(app.database, { transaction: replacing });
    await app.jobs.drain().finally(() => Object.assign(app.database, { transaction }));
    expect(locks).toBe(3);
    expect((await task(begun.id)).phase).toBe('PHASE_TYPE_COMPLETE');
    const folders = (await ann.call(driveApi.list, { query: {} })).files.filter(({ name }) =>
      name.startsWith('d'),
    );
    expect(folders.map(({ folder_size }) => folder_size)).toEqual(
      Array.from({ length: 2 }, () => folders[0]!.folder_size),
    );
    expect((await quota()).reserved).toBe(0);
    expect(await findings()).toEqual([]);
  });

  test('a copy interrupted by kill -9 restarts from the beginning and completes once', async () => {
    const d = await large(20_000);
    const before = await quota();
    const begun = await copy(d);
    const environment = {
      ...process.env,
      DATA_DIR: app.config.DATA_DIR,
      SITE_URL: 'http://drive.test',
      LOG_LEVEL: 'silent',
      ...(app.config.DATABASE_URL ? { DATABASE_URL: app.config.DATABASE_URL } : {}),
    };
    const other = spawn(process.execPath, [join(import.meta.dirname, '../../../testing/jobs-alone.ts')], {
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const built = async (): Promise<number> => (await count()) - 20_001;
    while ((await built()) < 3000) await sleep(5);
    other.kill('SIGKILL');
    await new Promise((resolve) => void other.once('exit', resolve));
    expect(await names()).toEqual(['d']);
    expect(await built()).toBeLessThan(20_000);
    expect((await quota()).reserved).toBe(before.used);
    // The lease of the killed process expires by itself; the test ends it early.
    await app.database.transaction((tx) =>
      sql`update job set lease_until = 0 where lease_until is not null`.execute(tx.on()),
    );
    await app.jobs.drain();
    expect((await task(begun.id)).phase).toBe('PHASE_TYPE_COMPLETE');
    expect(await names()).toEqual(['d', 'd(1)']);
    expect(await count()).toBe(2 * 20_001);
    expect(await quota()).toMatchObject({ used: before.used * 2, reserved: 0 });
    expect(await findings()).toEqual([]);
  }, 180_000);
});
