import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase, type Database, type Tx } from './database.ts';

const MIB = 2 ** 20;

async function withFile(work: (database: Database, file: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-log-'));
  const file = join(folder, 'test.sqlite');
  const database = openDatabase(file);
  try {
    await work(database, file);
  } finally {
    await database.close();
    await rm(folder, { recursive: true });
  }
}

test('a long log is checkpointed while others write', async () => {
  await withFile(async (database, file) => {
    const say = (statement: string) => database.transaction((tx) => sql.raw(statement).execute(tx.on()));
    await say('create table heap (bytes blob)');
    for (let written = 0; written < 40; written++) await say(`insert into heap values (randomblob(${MIB}))`);
    for (let tries = 0; tries < 100 && (await stat(file)).size < 30 * MIB; tries++) {
      await sleep(50);
      await say('insert into heap values (randomblob(10))');
    }
    expect((await stat(file)).size).toBeGreaterThan(30 * MIB);
  });
});

test('only slices that ask for it commit without a flush', async () => {
  await withFile(async (database) => {
    const level = async (tx: Tx): Promise<unknown> =>
      (await sql<{ synchronous: number }>`pragma synchronous`.execute(tx.on())).rows[0]?.synchronous;
    const [full, normal] = [2, 1];
    expect(await database.transaction(level)).toBe(full);
    expect(await database.transaction(level, { durable: false })).toBe(normal);
    expect(await database.transaction(level, { durable: false })).toBe(normal);
    expect(await database.transaction(level)).toBe(full);
    const racing = await Promise.all(
      [true, false, true, false].map((durable) => database.transaction(level, { durable })),
    );
    expect(racing).toEqual([full, normal, full, normal]);
  });
});
