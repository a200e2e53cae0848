import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestApp } from '../../server/testing/index.ts';
import { median } from './median.ts';

const ROUNDS = 3;

/** Time that SQLite needs to copy all nodes of a drive with their indexes in one statement, in ms: a median. */
export async function nodesCopiedBySql(app: TestApp): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-bench-'));
  const source = join(app.config.DATA_DIR, 'bowerbird.sqlite');
  const times = Array.from({ length: ROUNDS }, (_, round) =>
    copyTable(source, join(folder, `${round}.sqlite`), 'node'),
  );
  await rm(folder, { recursive: true, force: true });
  return median(times);
}

function copyTable(source: string, target: string, table: string): number {
  const database = new DatabaseSync(target, { enableForeignKeyConstraints: false });
  database.exec('pragma journal_mode = wal');
  database.prepare('attach ? as source').run(source);
  const parts = database
    .prepare(
      `select sql from source.sqlite_master where tbl_name = ? and type in ('table', 'index') and sql is not null
       order by type desc`,
    )
    .all(table);
  for (const { sql } of parts) database.exec(String(sql));
  const started = performance.now();
  database.exec(`insert into main.${table} select * from source.${table}`);
  const time = performance.now() - started;
  database.close();
  return time;
}
