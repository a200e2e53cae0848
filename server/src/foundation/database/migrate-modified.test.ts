import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { eachDatabase, freshPostgres } from '../../../testing/databases.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';

const MIGRATIONS = join(import.meta.dirname, '../../../migrations');

eachDatabase((dialect) => {
  test('existing nodes get the date of their content, limited to what clients can read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'migrate-'));
    const before = join(folder, 'before');
    mkdirSync(before);
    for (const file of readdirSync(MIGRATIONS))
      if (Number(file.slice(0, 4)) < 20) symlinkSync(join(MIGRATIONS, file), join(before, file));
    const postgres = dialect === 'postgres' ? await freshPostgres() : undefined;
    const database = openDatabase(postgres?.url ?? join(folder, 'old.sqlite'));
    try {
      await migrate(database, before);
      await database.transaction(async (tx) => {
        for (const [id, modified, own] of [
          ['renamed', 1_700_000_000_000, 1_588_336_215_000],
          ['absurd', 1_700_000_000_000, 253_402_300_800_000],
        ] as const)
          await sql`insert into node (id, account, parent, kind, name, name_fold, name_key, type_key, size, created_at, modified_at, user_modified_at)
            values (${id}, 'a', 'a', 0, ${id}, ${id}, ${id}, '', 0, 1600000000000, ${modified}, ${own})`.execute(
            tx.on(),
          );
      });
      expect(await migrate(database)).toContain('modified');
      const { rows } = await sql`select id, modified_at from node order by id`.execute(database.on());
      expect(rows).toEqual([
        { id: 'absurd', modified_at: 1_600_000_000_000 },
        { id: 'renamed', modified_at: 1_588_336_215_000 },
      ]);
    } finally {
      await database.close();
      await postgres?.drop();
      rmSync(folder, { recursive: true });
    }
  });
});
