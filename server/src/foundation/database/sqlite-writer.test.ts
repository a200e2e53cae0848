import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { databaseTrouble } from './database-trouble.ts';
import { openDatabase, type Database, type Tx } from './database.ts';

let folder: string;
let database: Database;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bowerbird-writer-'));
  database = openDatabase(join(folder, 'test.sqlite'));
  await database.transaction((tx) => sql`create table heap (name text primary key)`.execute(tx.on()));
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const insert = (tx: Tx, name: string) => sql`insert into heap values (${name})`.execute(tx.on());
const add = (name: string) => database.transaction((tx) => insert(tx, name));
const names = async (from = database): Promise<string[]> =>
  (await sql<{ name: string }>`select name from heap order by name`.execute(from.on())).rows.map(
    ({ name }) => name,
  );

test('a transaction that fails is rolled back alone, and its effects never run', async () => {
  const effects: string[] = [];
  const adding = (name: string) =>
    database.transaction(async (tx) => {
      await insert(tx, name);
      tx.afterCommit(() => effects.push(name));
      if (name === 'c') throw new Error('no');
    });
  const results = await Promise.allSettled(['a', 'b', 'c', 'd', 'b', 'e'].map(adding));
  expect(results.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  expect(await names()).toEqual(['a', 'b', 'd', 'e']);
  expect(effects).toEqual(['a', 'b', 'd', 'e']);
});

test('a transaction sees what those before it wrote, and others see it once it is acknowledged', async () => {
  const seen: string[][] = [];
  const adding = (name: string) =>
    database.transaction(async (tx) => {
      seen.push(await names(tx as never));
      await insert(tx, name);
    });
  await Promise.all(
    ['a', 'b', 'c'].map(async (name) => {
      await adding(name);
      expect(await names()).toContain(name);
    }),
  );
  expect(seen).toEqual([[], ['a'], ['a', 'b']]);
});

test('if the database is full, nobody is told that a change was made which SQLite has rolled back', async () => {
  const effects: string[] = [];
  const adding = (name: string) =>
    database.transaction(async (tx) => {
      if (name === 'large') await sql`pragma max_page_count = 4`.execute(tx.on());
      await insert(tx, name === 'large' ? 'x'.repeat(100_000) : name);
      tx.afterCommit(() => effects.push(name));
    });
  const [first, large] = await Promise.allSettled([adding('first'), adding('large')]);
  expect(first).toMatchObject({ status: 'fulfilled' });
  expect(databaseTrouble((large as PromiseRejectedResult).reason)).toBe('full');
  expect(await names()).toEqual(['first']);
  expect(effects).toEqual(['first']);
  await database.transaction((tx) => sql`pragma max_page_count = 1000000`.execute(tx.on()));
  await add('second');
  expect(await names()).toEqual(['first', 'second']);
});

test('work that goes on after its transaction can’t write in that of another', async () => {
  let late: Tx | undefined;
  await database.transaction(async (tx) => {
    late = tx;
    await insert(tx, 'a');
  });
  const other = database.transaction(async (tx) => {
    await expect(insert(late!, 'late')).rejects.toThrow('over');
    await insert(tx, 'b');
  });
  await other;
  expect(await names()).toEqual(['a', 'b']);
});

test('a database that is closed has kept what was about to be committed', async () => {
  const adding = Promise.all(['a', 'b', 'c'].map((name) => add(name)));
  await database.close();
  await adding.catch(() => {});
  database = openDatabase(join(folder, 'test.sqlite'));
  expect(await names()).toEqual(['a', 'b', 'c']);
});
