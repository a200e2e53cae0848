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
  test('an existing drive gets the sums of its folders, without what is in the trash', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'migrate-'));
    const before = join(folder, 'before');
    mkdirSync(before);
    for (const file of readdirSync(MIGRATIONS))
      if (Number(file.slice(0, 4)) < 41) symlinkSync(join(MIGRATIONS, file), join(before, file));
    const postgres = dialect === 'postgres' ? await freshPostgres() : undefined;
    const database = openDatabase(postgres?.url ?? join(folder, 'old.sqlite'));
    try {
      await migrate(database, before);
      await database.transaction(async (tx) => {
        for (const [id, parent, kind, size, trashed] of [
          ['top', 'ann', 0, 0, null],
          ['inner', 'top', 0, 0, null],
          ['empty', 'inner', 0, 0, null],
          ['one', 'inner', 1, 5, null],
          ['two', 'top', 1, 7, null],
          ['gone', 'inner', 0, 0, 1],
          ['three', 'gone', 1, 11, null],
          ['four', 'inner', 1, 13, 1],
          ['five', 'ann', 1, 17, null],
          ['purged', '!purge/X/purged', 0, 0, null],
          ['six', 'purged', 1, 19, null],
        ] as const)
          await sql`insert into node (id, account, parent, kind, name, name_fold, name_key, type_key, size, created_at, modified_at, trashed_at)
            values (${id}, 'ann', ${parent}, ${kind}, ${id}, ${id}, ${id}, '', ${size}, 1, 1, ${trashed})`.execute(
            tx.on(),
          );
      });
      expect(await migrate(database)).toContain('folder-sizes');
      const { rows } = await sql<{ id: string }>`
        select id, size, file_count as files, folder_count as folders from node where kind = 0 or size > 16`.execute(
        database.on(),
      );
      expect(rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
        { id: 'empty', size: 0, files: 0, folders: 0 },
        { id: 'five', size: 17, files: 0, folders: 0 },
        { id: 'gone', size: 11, files: 1, folders: 0 },
        { id: 'inner', size: 5, files: 1, folders: 1 },
        { id: 'purged', size: 19, files: 1, folders: 0 },
        { id: 'six', size: 19, files: 0, folders: 0 },
        { id: 'top', size: 12, files: 2, folders: 2 },
      ]);
    } finally {
      await database.close();
      await postgres?.drop();
      rmSync(folder, { recursive: true });
    }
  });
});
