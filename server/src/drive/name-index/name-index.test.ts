import { driveApi } from '@bowerbird/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  eachDatabase,
  forest,
  growForest,
  openTestApp,
  plant,
  type Member,
  type TestApp,
} from '../../../testing/index.ts';

eachDatabase((dialect) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp({ dialect });
  });
  afterAll(() => app.close());

  const blocks = async (account: string): Promise<{ blocks: number; entries: number; raw: number }> => {
    const { rows } = await sql<{ blocks: number; entries: number; raw: number }>`
      select count(*) as blocks, coalesce(sum(entries), 0) as entries, coalesce(sum(case when filter is null then 1 else 0 end), 0) as raw
      from name_block where account = ${account}`.execute(app.database.on());
    const { blocks: count, entries, raw } = rows[0]!;
    return { blocks: Number(count), entries: Number(entries), raw: Number(raw) };
  };
  const names = async (who: Member, q: string): Promise<string[]> => {
    const found: string[] = [];
    let token = '';
    do {
      const page = await who.call(driveApi.search, { query: { q, limit: 100, page_token: token } });
      found.push(...page.files.map(({ name }) => name));
      token = page.next_page_token;
    } while (token !== '');
    return found.toSorted();
  };
  const findings = async (): Promise<string[]> =>
    (await app.drive.check({ repair: false })).map(({ what }) => what);
  const execute = (statement: ReturnType<typeof sql>): Promise<unknown> =>
    app.database.transaction((tx) => statement.execute(tx.on()));

  test('many changes are merged into few blocks', async () => {
    const ann = await app.signUp('ann');
    await plant(
      app,
      ann.id,
      Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`cat ${at}.txt`, 'x'])),
    );
    expect(await blocks(ann.id)).toEqual({ blocks: 100, entries: 100, raw: 100 });
    const before = await names(ann, 'cat');
    await app.jobs.drain();
    expect(await blocks(ann.id)).toEqual({ blocks: 1, entries: 100, raw: 0 });
    expect(before).toHaveLength(100);
    expect(await names(ann, 'cat')).toEqual(before);
    expect(await findings()).toEqual([]);
  });

  test('entries of deleted and renamed nodes are removed when there are many', async () => {
    const ann = await app.signUp('ann2');
    const { d } = await plant(app, ann.id, { d: {}, 'cat.txt': 'x' });
    await growForest(app, ann.id, forest(app.ids, d!, 3000));
    await app.jobs.drain();
    await ann.call(driveApi.remove, { params: { id: d! } });
    await app.jobs.drain();
    expect((await blocks(ann.id)).entries).toBe(1);
    expect(await names(ann, 'cat')).toEqual(['cat.txt']);
    expect(await findings()).toEqual([]);
  });

  test('nodes that existed before the index are found before it is filled, and after', async () => {
    // Another process, because this one may have seen the index complete.
    await using fresh = await openTestApp({ dialect });
    const eve = await fresh.signUp('eve');
    const ids = await plant(fresh, eve.id, {
      'old cat.txt': 'x',
      box: { 'old cat 2.txt': 'x' },
      'dog.txt': 'x',
    });
    await fresh.database.transaction(async (tx) => {
      await sql`delete from name_block`.execute(tx.on());
      await sql`update name_filling set done = 0, version = 0`.execute(tx.on());
    });
    expect(await names(eve, 'cat')).toEqual(['old cat 2.txt', 'old cat.txt']);
    await eve.call(driveApi.rename, { params: { id: ids['dog.txt']! }, body: { name: 'new cat.txt' } });
    expect(await names(eve, 'cat')).toEqual(['new cat.txt', 'old cat 2.txt', 'old cat.txt']);
    await fresh.database.transaction((tx) => fresh.jobs.enqueue(tx, 'fill-names', {}));
    await fresh.jobs.drain();
    expect(await names(eve, 'cat')).toEqual(['new cat.txt', 'old cat 2.txt', 'old cat.txt']);
    const { rows } = await sql<{ done: number }>`select done from name_filling`.execute(fresh.database.on());
    expect(Number(rows[0]!.done)).toBe(1);
    expect(await fresh.drive.check({ repair: false })).toEqual([]);
  });

  test('an entry that is missing is found by the check, and repaired', async () => {
    const ann = await app.signUp('ann4');
    await plant(app, ann.id, { 'cat.txt': 'x' });
    await execute(sql`delete from name_block where account = ${ann.id}`);
    expect(await names(ann, 'cat')).toEqual([]);
    expect(await findings()).toEqual(['node-unindexed']);
    expect(await app.drive.check({ repair: true })).toMatchObject([
      { what: 'node-unindexed', repaired: true },
    ]);
    expect(await names(ann, 'cat')).toEqual(['cat.txt']);
    expect(await findings()).toEqual([]);
  });
});
