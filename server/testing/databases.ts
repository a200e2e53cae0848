import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { describe } from 'vitest';
import type { Dialect } from '../src/foundation/database/index.ts';
import type { Config } from '../src/foundation/index.ts';

/** Says the same of both databases. */
export function eachDatabase(suite: (dialect: Dialect) => void): void {
  describe.each(['sqlite', 'postgres'] as const)('on %s', suite);
}

/** A database of its own on the test server; give it back with `drop`. */
export async function freshPostgres(): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = process.env['TEST_DATABASE_URL'];
  if (!server) throw new Error('TEST_DATABASE_URL names no PostgreSQL server; npm test starts one');
  const name = `test_${randomBytes(8).toString('hex')}`;
  const say = async (sql: string): Promise<void> => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  await say(`create database ${name} template template0`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => say(`drop database if exists ${name} with (force)`) };
}

/** A second connection to an installation's SQLite file, which can lock it so that nothing else writes. */
export function sqliteLock({ DATA_DIR }: Config): Disposable & { take(): void; release(): void } {
  const other = new DatabaseSync(join(DATA_DIR, 'bowerbird.sqlite'));
  return {
    take: () => other.exec('begin immediate'),
    release: () => other.exec('rollback'),
    [Symbol.dispose]: () => other.close(),
  };
}
