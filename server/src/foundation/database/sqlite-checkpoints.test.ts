import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase, type Database } from './database.ts';

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

test('a log does not outlive a stop, and one that a killed process left is moved into the database', async () => {
  await withFile(async (database, file) => {
    const say = (statement: string) => database.transaction((tx) => sql.raw(statement).execute(tx.on()));
    await say('create table heap (bytes blob)');
    for (let written = 0; written < 10; written++) await say(`insert into heap values (randomblob(${MIB}))`);
    const left = `${file}.left`;
    for (const ending of ['', '-wal']) await copyFile(file + ending, left + ending);
    expect((await stat(`${left}-wal`)).size).toBeGreaterThan(8 * MIB);

    const again = openDatabase(left);
    expect((await stat(`${left}-wal`)).size).toBeLessThan(MIB);
    const count = await sql<{ rows: number }>`select count(*) as rows from heap`.execute(again.on());
    expect(count.rows).toEqual([{ rows: 10 }]);
    await again.transaction((tx) => sql`insert into heap values (x'00')`.execute(tx.on()));
    await again.close();
    await expect(stat(`${left}-wal`)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
