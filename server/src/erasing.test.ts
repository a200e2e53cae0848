import {
  accountApi,
  closingApi,
  driveApi,
  preferenceApi,
  securityApi,
  shareApi,
  subscriptionApi,
  takeoutApi,
} from '@bowerbird/contract';
import { sql } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { databaseUrl, openApp, type App } from './app.ts';
import { openDatabase, type Database } from './foundation/database/index.ts';
import { createLog, readConfig } from './foundation/index.ts';
import {
  askTicket,
  eachDatabase,
  forest,
  growForest,
  LOOPBACK_ALLOWED,
  openTestApp,
  PASSWORD,
  plant,
  realServer,
  turnableClock,
  visitingApp,
  type Member,
  type TestApp,
  writeAccount,
} from '../testing/index.ts';

const DAY = 24 * 3600 * 1000;
const NODES = 12_000;
const never = new AbortController().signal;

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
}

/** Every column of every table, from the database's own catalog. */
async function columnsOf(database: Database): Promise<Column[]> {
  const { rows } =
    database.dialect === 'postgres'
      ? await sql<{ table: string; name: string; type: string; required: number }>`
          select table_name as "table", column_name as "name", data_type as "type",
            case when is_nullable = 'NO' and column_default is null and is_identity = 'NO' then 1 else 0 end as required
          from information_schema.columns where table_schema = 'public'`.execute(database.on())
      : await sql<{ table: string; name: string; type: string; required: number }>`
          select tables.name as "table", columns.name as "name", columns.type as "type",
            columns."notnull" and columns.dflt_value is null or columns.pk > 0 as required
          from sqlite_master as tables, pragma_table_info(tables.name) as columns
          where tables.type = 'table' and tables.name not like 'sqlite_%'`.execute(database.on());
  return rows.map(({ required, ...column }) => ({ ...column, isRequired: required === 1 }));
}

async function rowsOf(database: Database, table: string, account: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)} where account = ${account}`.execute(database.on());
  return Number(rows[0]!.count);
}

/** Adds a row to tables that no test fills, so that future tables are checked too. */
async function fill(database: Database, columns: readonly Column[], account: string): Promise<void> {
  for (const table of tablesOf(columns)) {
    if ((await rowsOf(database, table, account)) > 0) continue;
    const needed = columns.filter((column) => column.table === table && column.isRequired);
    const values = new Map<string, unknown>(
      needed.map(({ name, type }) => [name, /int|numeric/i.test(type) ? 1 : `filled ${account}`]),
    );
    values.set('account', account);
    await database.transaction((tx) =>
      sql`insert into ${sql.table(table)} (${sql.join([...values.keys()].map((name) => sql.ref(name)))})
        values (${sql.join([...values.values()])})`.execute(tx.on()),
    );
  }
}

const tablesOf = (columns: readonly Column[]): string[] =>
  columns.filter(({ name }) => name === 'account').map(({ table }) => table);

/**
 * Tables that contain no content of members, and whose rows expire by age, or when a payment service has ended what they
 * name by its own ids; `fill` gives it an id with the account.
 */
const AGING = new Set(['job', 'throttle', 'replay', 'captcha_spent', 'source', 'payment_ending']);

/** Tables that still contain a reference to a member. */
async function mentions(
  database: Database,
  columns: readonly Column[],
  words: readonly string[],
): Promise<string[]> {
  const tables = [...new Set(columns.map(({ table }) => table))].filter((table) => !AGING.has(table));
  const found = await Promise.all(
    tables.map(async (table) => {
      const { rows } = await sql<object>`select * from ${sql.table(table)}`.execute(database.on());
      const text = JSON.stringify(rows);
      return words.some((word) => text.includes(word)) ? [table] : [];
    }),
  );
  return found.flat();
}

const problems = async (app: App) => [
  ...(await app.drive.check({ repair: false })),
  ...(await app.share.check({ repair: false })),
];

/** Creates data of every kind for a member. */
async function liveALittle(app: TestApp, ann: Member): Promise<{ shareId: string }> {
  const ids = await plant(app, ann.id, {
    photos: { 'sea.jpg': 'the sea', deep: { 'pit.txt': 'far down' } },
    'common.txt': 'everybody has this',
    'old.txt': 'thrown away',
    bin: { 'inside.txt': 'thrown away with its folder' },
  });
  await ann.call(driveApi.trash, { body: { ids: [ids['old.txt']!, ids['bin']!] } });
  const share = await ann.call(shareApi.create, { body: { file_ids: [ids['photos']!, ids['common.txt']!] } });
  await askTicket(ann, { name: 'never comes.bin', size: 1_000_000 });
  await ann.call(driveApi.create, {
    body: { kind: 'drive#file', upload_type: 'UPLOAD_TYPE_URL', url: { url: 'http://127.0.0.1:9/a.zip' } },
  });
  await ann.call(subscriptionApi.create, { body: { kind: 'link', url: 'http://127.0.0.1:9/feed' } });
  await ann.call(preferenceApi.change, { body: { TEST_MODE: true } });
  await ann.call(securityApi.createPass, {
    body: { password: PASSWORD, kind: 'app_password', name: 'rclone', scopes: ['dav'] },
  });
  await ann.call(securityApi.beginSecondFactor, { body: { password: PASSWORD } });
  await (await visitingApp(app)).letIn(ann);
  await ann.call(takeoutApi.begin, {});
  await app.jobs.drain();
  return { shareId: share.share_id };
}

eachDatabase((dialect) => {
  test(
    'erasing a closed account leaves no row of it in any table and keeps the data of others',
    { timeout: 180_000 },
    async () => {
      const clock = turnableClock();
      await using app = await openTestApp({ dialect, clock, environment: LOOPBACK_ALLOWED });
      const bob = await app.signUp('bob');
      await plant(app, bob.id, { 'own.txt': 'only mine' });
      const ann = await app.signUp('ann');
      const { shareId } = await liveALittle(app, ann);
      const save = { share_id: shareId, file_ids: [], pass_code_token: '' };
      await bob.call(shareApi.restore, { body: save });
      const before = await app.quota.of(app.database, bob.id);
      const columns = await columnsOf(app.database);
      await fill(app.database, columns, ann.id);
      for (const table of tablesOf(columns))
        expect(await rowsOf(app.database, table, ann.id), table).toBeGreaterThan(0);

      await ann.call(closingApi.begin, { body: { password: PASSWORD } });
      clock.advance(14 * DAY - 1);
      await app.erasing.askDue();
      await app.jobs.drain();
      expect(await rowsOf(app.database, 'node', ann.id)).toBeGreaterThan(0);
      clock.advance(2);
      await app.erasing.askDue();
      await app.jobs.drain();

      for (const table of tablesOf(columns)) expect(await rowsOf(app.database, table, ann.id), table).toBe(0);
      expect(await mentions(app.database, columns, [ann.id, ann.email])).toEqual([]);
      expect(await problems(app)).toEqual([]);
      await app.drive.collector.collect(never, 0);
      expect(await problems(app)).toEqual([]);
      const keys: string[] = [];
      for await (const { key } of app.storage.list('takeout/')) keys.push(key);
      for await (const { uploadId } of app.storage.staged()) keys.push(uploadId);
      expect(keys).toEqual([]);

      // Bob's files are complete, including those saved from her share.
      expect(await app.quota.of(app.database, bob.id)).toEqual(before);
      const signedIn = await app.visitor.call(accountApi.signIn, {
        body: { username: bob.email, password: PASSWORD },
      });
      const held: string[] = [];
      for await (const { path, node } of app.drive.inventory(signedIn.sub)) {
        if (node.kind === 0) continue;
        const blob = await app.blobs.byHash(app.database, node.blob!, node.size);
        const { stream } = await app.storage.open(blob!.store_key);
        held.push(`${path}: ${Buffer.concat(await stream.toArray()).toString()}`);
      }
      expect(held).toContain('/own.txt: only mine');
      expect(held).toContain('/Pack From Shared/common.txt: everybody has this');
      expect(held).toContain('/Pack From Shared/photos/sea.jpg: the sea');

      // Her email address is free, and its new account is empty.
      const another = await app.signUp('ann');
      expect(another.id).not.toBe(ann.id);
      expect(await app.quota.of(app.database, another.id)).toMatchObject({ used: 0, reserved: 0 });
    },
  );

  test('codes on their way to an email address or a phone are deleted with the account', async () => {
    const number = '+4915112345678';
    const environment = { SMS_URL: 'outbox:', SMS_COUNTRIES: 'DE' };
    await using app = await openTestApp({ dialect, environment });
    const ann = await app.signUp('ann');
    await ann.call(securityApi.sendPhoneCode, { body: { phone_number: number } });
    await writeAccount(app.database, ann.id, { phone: number });
    const columns = await columnsOf(app.database);
    expect(await mentions(app.database, columns, [number])).toContain('verification');
    await app.closings.order((await app.accounts.find(app.database, ann.id))!, 'now');
    await app.erasing.erase(ann.id, never);
    expect(await mentions(app.database, columns, [ann.id, ann.email, number])).toEqual([]);
  });

  test('an interrupted erasure resumes where it stopped, and nobody signs in meanwhile', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    await growForest(app, ann.id, forest(app.ids, ann.id, 3000));
    const account = (await app.accounts.find(app.database, ann.id))!;
    await app.closings.order(account, 'now');
    const stop = new AbortController();
    const erasing = app.erasing.erase(ann.id, stop.signal);
    while ((await rowsOf(app.database, 'node', ann.id)) > 2500) await sleep(1);
    stop.abort();
    await expect(erasing).rejects.toThrow();
    const left = await rowsOf(app.database, 'node', ann.id);
    expect(left).toBeGreaterThan(0);
    await expect(
      app.visitor.call(accountApi.signIn, { body: { username: ann.email, password: PASSWORD } }),
    ).rejects.toMatchObject({ id: 'invalid_account_or_password' });
    expect(await app.closings.takeBack(ann.id)).toBe(false);
    await app.erasing.askDue();
    await app.jobs.drain();
    expect(await rowsOf(app.database, 'node', ann.id)).toBe(0);
    expect(await app.accounts.find(app.database, ann.id)).toBeUndefined();
  });
});

test(
  'a server killed while it erases an account resumes when it is back, and leaves nothing',
  { timeout: 180_000 },
  async () => {
    await using server = await realServer();
    const here = (): Promise<App> => openApp(readConfig(server.environment), { log: createLog('fatal') });
    const before = await here();
    const { id } = await before.accounts.add({ email: 'ann@example.org', password: PASSWORD }, 'member');
    await growForest(before, id, forest(before.ids, id, NODES));
    await before.closings.order((await before.accounts.find(before.database, id))!, 'now');
    await before.erasing.askDue();
    await before.close();
    const look = openDatabase(databaseUrl(readConfig(server.environment)));
    const left = (): Promise<number> => rowsOf(look, 'node', id);
    // The server may be killed before it reports that it is ready.
    await server.start({ killedAfter: 'delete from node' }).catch(() => {});
    await server.ended();
    expect(await left()).toBeGreaterThan(0);
    expect(await left()).toBeLessThan(NODES);
    await server.start();
    const isGone = async () =>
      (await look.on<{ account: { id: string } }>().selectFrom('account').select('id').execute()).length ===
      0;
    for (let looks = 0; looks < 2000 && !(await isGone()); looks++) await sleep(25);
    expect(await isGone()).toBe(true);
    await look.close();
    await server.kill();
    const after = await here();
    expect(await problems(after)).toEqual([]);
    await after.close();
  },
);
