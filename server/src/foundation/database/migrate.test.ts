import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { eachDatabase, freshPostgres } from '../../../testing/databases.ts';
import { openDatabase } from './database.ts';
import { isMigrated, migrate } from './migrate.ts';

/** Counts how often each of these modules is loaded. */
const loads = globalThis as { loadedMigrations?: number };
const migration = (table: string): string => `
  import { sql } from ${JSON.stringify(import.meta.resolve('kysely'))};
  globalThis.loadedMigrations = (globalThis.loadedMigrations ?? 0) + 1;
  export const up = (db) => sql.raw('create table ${table} (id integer)').execute(db);`;

eachDatabase((dialect) => {
  async function place() {
    const folder = mkdtempSync(join(tmpdir(), 'migrate-'));
    const postgres = dialect === 'postgres' ? await freshPostgres() : undefined;
    const database = openDatabase(postgres?.url ?? join(folder, 'one.sqlite'));
    return {
      database,
      /** A folder of its own each time, whose modules are not loaded yet. */
      migrations(files: Readonly<Record<string, string>>): string {
        const own = mkdtempSync(join(folder, 'migrations-'));
        for (const [name, table] of Object.entries(files)) writeFileSync(join(own, name), migration(table));
        return own;
      },
      async [Symbol.asyncDispose]() {
        await database.close();
        await postgres?.drop();
        rmSync(folder, { recursive: true });
      },
    };
  }

  test('an up-to-date database is recognized without loading its migrations', async () => {
    await using here = await place();
    const files = { '0001-first.ts': 'first', '0002-second.ts': 'second' };
    expect(await isMigrated(here.database, here.migrations(files))).toBe(false);
    expect(await migrate(here.database, here.migrations(files))).toEqual(['first', 'second']);
    loads.loadedMigrations = 0;
    expect(await migrate(here.database, here.migrations(files))).toEqual([]);
    expect(await isMigrated(here.database, here.migrations(files))).toBe(true);
    expect(loads.loadedMigrations).toBe(0);
  });

  test('only pending migrations are applied, and a changed one is rejected', async () => {
    await using here = await place();
    await migrate(here.database, here.migrations({ '0001-first.ts': 'first' }));
    const both = here.migrations({ '0001-first.ts': 'first', '0002-second.ts': 'second' });
    expect(await isMigrated(here.database, both)).toBe(false);
    expect(await migrate(here.database, both)).toEqual(['second']);
    const { rows } = await sql`select count(*) as found from second`.execute(here.database.on());
    expect(rows).toHaveLength(1);
    const changed = here.migrations({ '0001-first.ts': 'third', '0002-second.ts': 'second' });
    await expect(migrate(here.database, changed)).rejects.toThrow(
      'Migration 1 (first) was changed after it was applied',
    );
  });
});
