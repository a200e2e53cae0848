import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Kysely } from 'kysely';
import type { Database, Dialect } from './database.ts';

/** Numbered migration of the schema: server/migrations/0001-initial.ts exports `up`. */
interface Migration {
  readonly number: number;
  readonly name: string;
  readonly hash: string;
  readonly up: (db: Kysely<unknown>, dialect: Dialect) => Promise<void>;
}

interface MigrationTables {
  migration: { number: number; name: string; hash: string; applied_at: number };
}

const FOLDER = join(import.meta.dirname, '../../../migrations');

async function history(folder: string): Promise<Migration[]> {
  const files = readdirSync(folder)
    .filter((file) => /^\d{4}-[a-z0-9-]+\.ts$/.test(file))
    .toSorted();
  return Promise.all(
    files.map(async (file) => {
      const { up } = (await import(pathToFileURL(join(folder, file)).href)) as Pick<Migration, 'up'>;
      const hash = createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex');
      return { number: Number(file.slice(0, 4)), name: file.slice(5, -3), hash, up };
    }),
  );
}

/**
 * Applies pending migrations and returns their names. Each migration and its record are one transaction, so
 * an interrupted start, or two at once, leave no half-applied migration. A migration that was changed after
 * it was applied is rejected.
 */
export async function migrate(database: Database, folder: string = FOLDER): Promise<string[]> {
  const applied: string[] = [];
  for (const step of await history(folder)) {
    const done = await database.transaction(async (tx) => {
      await tx.lock('migrate');
      const db = tx.on<MigrationTables>();
      await db.schema
        .createTable('migration')
        .ifNotExists()
        .addColumn('number', 'integer', (column) => column.primaryKey())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('hash', 'text', (column) => column.notNull())
        .addColumn('applied_at', 'bigint', (column) => column.notNull())
        .execute();
      const known = await db
        .selectFrom('migration')
        .selectAll()
        .where('number', '=', step.number)
        .executeTakeFirst();
      if (known && known.hash !== step.hash)
        throw new Error(`Migration ${step.number} (${step.name}) was changed after it was applied`);
      if (known) return false;
      await step.up(tx.on<unknown>(), tx.dialect);
      await db
        .insertInto('migration')
        .values({ number: step.number, name: step.name, hash: step.hash, applied_at: Date.now() })
        .execute();
      return true;
    });
    if (done) applied.push(step.name);
  }
  return applied;
}

/** Returns true if every migration is applied: part of readiness. */
export async function isMigrated(database: Database, folder: string = FOLDER): Promise<boolean> {
  try {
    const rows = await database.on<MigrationTables>().selectFrom('migration').select('number').execute();
    return (await history(folder)).every((step) => rows.some((row) => row.number === step.number));
  } catch {
    return false;
  }
}
