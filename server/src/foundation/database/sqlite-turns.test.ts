import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase, type Database } from './database.ts';
import { createTurns } from './sqlite-turns.ts';

let folder: string;
let database: Database;
let other: Database;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bowerbird-turns-'));
  const sharing = { isShared: true, isInUse: false };
  [database, other] = [1, 2].map(() => openDatabase(join(folder, 'test.sqlite'), sharing)) as [
    Database,
    Database,
  ];
  await database.transaction((tx) => sql`create table heap (name text)`.execute(tx.on()));
});
afterEach(async () => {
  await other.close();
  await database.close();
  await rm(folder, { recursive: true });
});

const add = (to: Database, name: string) =>
  to.transaction((tx) => sql`insert into heap values (${name})`.execute(tx.on()));
const names = async (from: Database): Promise<string[]> =>
  (await sql<{ name: string }>`select name from heap`.execute(from.on())).rows.map(({ name }) => name);

test('reads are answered while a change waits for a transaction of another process, after which it is made', async () => {
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  let begun = (): void => {};
  const started = new Promise<void>((resolve) => (begun = resolve));
  const long = other.transaction(async (tx) => {
    begun();
    await finished;
    await sql`insert into heap values ('long')`.execute(tx.on());
  });
  await started;
  const waiting = add(database, 'waiting');
  let isMade = false;
  void waiting.then(() => (isMade = true));
  for (let read = 0; read < 100; read++) {
    expect(await names(database)).toEqual([]);
    await nextTurn();
  }
  expect(isMade).toBe(false);
  finish();
  await Promise.all([long, waiting]);
  expect(await names(database)).toEqual(['long', 'waiting']);
});

test('parallel transactions of several processes are all made', async () => {
  const made = [database, other].flatMap((one, at) =>
    Array.from({ length: 100 }, (_, number) => add(one, `${at} ${number}`)),
  );
  await Promise.all(made);
  expect(await names(database)).toHaveLength(200);
});

test('a failed transaction leaves the turn to the others', async () => {
  await expect(
    database.transaction(async (tx) => {
      await sql`insert into heap values ('undone')`.execute(tx.on());
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  await add(other, 'made');
  expect(await names(database)).toEqual(['made']);
});

test('a process that writes all the time makes breaks for the others', async () => {
  const turns = createTurns({ isShared: true });
  let hasOtherHadItsTurn = false;
  setTimeout(() => (hasOtherHadItsTurn = true));
  for (let written = 0; written < 500 && !hasOtherHadItsTurn; written++) {
    await turns.take(async () => {});
    // A transaction of a millisecond, in which nothing else is done.
    for (const begun = performance.now(); performance.now() - begun < 1;);
    turns.end();
  }
  expect(hasOtherHadItsTurn).toBe(true);
});
