import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { describe } from 'vitest';
import { migrate, openDatabase, type Dialect } from '../src/foundation/database/index.ts';
import type { Config } from '../src/foundation/index.ts';

/** Runs the same tests on both databases. */
export function eachDatabase(suite: (dialect: Dialect) => void): void {
  describe.each(['sqlite', 'postgres'] as const)('on %s', suite);
}

/** A PostgreSQL database for one test. */
interface TestDatabase {
  readonly url: string;
  /** Deletes the database. */
  drop(): Promise<void>;
}

/** Creates an empty database on the test server. */
export const freshPostgres = (): Promise<TestDatabase> => createFrom('template0');

/**
 * Creates a PostgreSQL database with all tables. It is a copy of a migrated one, which takes a fifth of the
 * time of a migration.
 */
export const migratedPostgres = async (): Promise<TestDatabase> =>
  createFrom(await (template ??= findTemplate()));

let template: Promise<string> | undefined;
let migrations: string | undefined;

/**
 * Puts a SQLite database with all tables into an installation's folder. It is a copy of one that was migrated
 * before.
 */
export async function placeMigratedSqlite(folder: string): Promise<void> {
  const migrated = join(tmpdir(), `bowerbird-migrated-${(migrations ??= migrationsHash())}.sqlite`);
  if (!existsSync(migrated)) {
    const unfinished = await mkdtemp(join(tmpdir(), 'bowerbird-migrating-'));
    const [tables, whole] = [join(unfinished, 'tables.sqlite'), join(unfinished, 'whole.sqlite')];
    await migrateWhole(tables);
    // A single file, without a log beside it, can be copied.
    using database = new DatabaseSync(tables);
    database.exec(`vacuum into '${whole}'`);
    // Several test processes may do this at the same time; each moves a complete file into place.
    await rename(whole, migrated);
    await rm(unfinished, { recursive: true });
  }
  await copyFile(migrated, join(folder, 'bowerbird.sqlite'));
}

async function createFrom(source: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await onServer((client) => client.query(`create database ${name} template ${source}`));
  return {
    url: databaseNamed(name),
    drop: async () => {
      await onServer((client) => client.query(`drop database if exists ${name} with (force)`));
    },
  };
}

/**
 * Returns the name of the migrated database that tests copy. The first test process to request it creates it.
 */
async function findTemplate(): Promise<string> {
  const name = `migrated_${(migrations ??= migrationsHash())}`;
  await onServer(async (client) => {
    // One process at a time; the lock is released with the connection.
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount) return;
    const unfinished = `${name}_unfinished`;
    await client.query(`drop database if exists ${unfinished} with (force)`);
    await client.query(`create database ${unfinished} template template0`);
    await migrateWhole(databaseNamed(unfinished));
    await client.query(`alter database ${unfinished} rename to ${name}`);
  });
  return name;
}

async function migrateWhole(url: string): Promise<void> {
  const database = openDatabase(url);
  await migrate(database);
  await database.close();
}

function migrationsHash(): string {
  const folder = join(import.meta.dirname, '../migrations');
  const hash = createHash('sha256');
  for (const file of readdirSync(folder).toSorted()) hash.update(readFileSync(join(folder, file)));
  return hash.digest('hex').slice(0, 32);
}

function databaseNamed(name: string): string {
  const url = new URL(testServer());
  url.pathname = `/${name}`;
  return url.href;
}

async function onServer<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: testServer() });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function testServer(): string {
  const server = process.env['TEST_DATABASE_URL'];
  if (!server) throw new Error('TEST_DATABASE_URL is not a PostgreSQL server; npm test starts one');
  return server;
}

/** A second connection to an installation's SQLite file, which can lock it so that nothing else can write. */
export function sqliteLock({ DATA_DIR }: Config): Disposable & { take(): void; release(): void } {
  const other = new DatabaseSync(join(DATA_DIR, 'bowerbird.sqlite'));
  return {
    take: () => other.exec('begin immediate'),
    release: () => other.exec('rollback'),
    [Symbol.dispose]: () => other.close(),
  };
}
