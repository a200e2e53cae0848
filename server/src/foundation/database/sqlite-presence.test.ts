import { cp, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from './database.ts';
import { databaseTrouble } from './database-trouble.ts';

async function opened() {
  const place = await mkdtemp(join(tmpdir(), 'bowerbird-presence-'));
  const folder = join(place, 'data');
  const file = join(folder, 'test.sqlite');
  const database = openDatabase(file);
  onTestFinished(async () => {
    await database.close();
    await rm(place, { recursive: true, force: true });
  });
  const effects: string[] = [];
  const write = (name: string) =>
    database.transaction(async (tx) => {
      await sql`insert into word values (${name})`.execute(tx.on());
      tx.afterCommit(() => void effects.push(name));
    });
  const words = async () =>
    (await sql<{ word: string }>`select word from word`.execute(database.on())).rows.map(({ word }) => word);
  await database.transaction((tx) => sql`create table word (word text)`.execute(tx.on()));
  await write('before');
  return { place, folder, file, database, write, words, effects };
}

const busy = (work: Promise<unknown>) =>
  expect(work.catch((error: unknown) => databaseTrouble(error))).resolves.toBe('busy');

test('nothing is acknowledged while the database folder is missing, and writes resume when it is back', async () => {
  const { place, folder, database, write, words, effects } = await opened();
  await rename(folder, join(place, 'away'));
  await busy(write('away'));
  await busy(database.ping());
  expect(await readdir(place)).toEqual(['away']);
  await rename(join(place, 'away'), folder);
  await database.ping();
  await write('back');
  expect(await words()).toEqual(['before', 'back']);
  expect(effects).toEqual(['before', 'back']);
});

test('a commit during which the file disappears is not acknowledged', async () => {
  const { place, folder, database, effects } = await opened();
  const committing = database.transaction(async (tx) => {
    await sql`insert into word values ('during')`.execute(tx.on());
    tx.afterCommit(() => void effects.push('during'));
    await rename(folder, join(place, 'away'));
  });
  await busy(committing);
  expect(effects).toEqual(['before']);
});

test.each(['test.sqlite', 'test.sqlite-wal'])(
  'a copy in place of %s is not accepted as the original',
  async (name) => {
    const { folder, database, write } = await opened();
    const path = join(folder, name);
    await cp(path, `${path}-copy`);
    await rm(path);
    await busy(write('removed'));
    await rename(`${path}-copy`, path);
    await busy(write('replaced'));
    await busy(database.ping());
  },
);
