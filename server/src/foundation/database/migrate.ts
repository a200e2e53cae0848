import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from './database.ts';
import { loadMigration } from './load-migration.ts';

/** Numbered migration of the schema: server/migrations/0001-initial.ts exports `up`. */
interface Migration {
  readonly number: number;
  readonly name: string;
  readonly hash: string;
  readonly file: string;
}

interface MigrationTables {
  migration: { number: number; name: string; hash: string; applied_at: number };
}

const FOLDER = join(import.meta.dirname, '../../../migrations');

const numberOf = (fileName: string): number => Number(fileName.slice(0, 4));
const fileNames = (folder: string): string[] =>
  readdirSync(folder)
    .filter((fileName) => /^\d{4}-[a-z0-9-]+\.ts$/.test(fileName))
    .toSorted();

const history = (folder: string): Migration[] =>
  fileNames(folder).map((fileName) => {
    const file = join(folder, fileName);
    const hash = createHash('sha256').update(readFileSync(file)).digest('hex');
    return { number: numberOf(fileName), name: fileName.slice(5, -3), hash, file };
  });

/**
 * Applies pending migrations and returns their names. Each migration and its record are one transaction, so
 * an interrupted start, or two at once, leave no half-applied migration. A migration that was changed after
 * it was applied is rejected.
 */
export async function migrate(database: Database, folder: string = FOLDER): Promise<string[]> {
  const steps = history(folder);
  if (await isUpToDate(database, steps)) return [];
  const applied: string[] = [];
  for (const step of steps) if (await apply(database, step)) applied.push(step.name);
  return applied;
}

/** Applies the migration unless it's already applied. */
async function apply(database: Database, { number, name, hash, file }: Migration): Promise<boolean> {
  return database.transaction(async (tx) => {
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
      .where('number', '=', number)
      .executeTakeFirst();
    if (known && known.hash !== hash)
      throw new Error(`Migration ${number} (${name}) was changed after it was applied`);
    if (known) return false;
    const { up } = await loadMigration(file);
    await up(tx.on<unknown>(), tx.dialect);
    await db.insertInto('migration').values({ number, name, hash, applied_at: Date.now() }).execute();
    return true;
  });
}

/**
 * Returns true if exactly these migrations are applied. One query instead of a transaction for each makes a start
 * faster; if it fails, the transactions find out why.
 */
async function isUpToDate(database: Database, steps: readonly Migration[]): Promise<boolean> {
  try {
    const rows = await database
      .on<MigrationTables>()
      .selectFrom('migration')
      .select(['number', 'hash'])
      .execute();
    const hashes = new Map(rows.map(({ number, hash }) => [number, hash]));
    return steps.every(({ number, hash }) => hashes.get(number) === hash);
  } catch {
    return false;
  }
}

/** Returns true if every migration is applied: part of readiness. */
export async function isMigrated(database: Database, folder: string = FOLDER): Promise<boolean> {
  try {
    const rows = await database.on<MigrationTables>().selectFrom('migration').select('number').execute();
    const applied = new Set(rows.map(({ number }) => number));
    return fileNames(folder).every((fileName) => applied.has(numberOf(fileName)));
  } catch {
    return false;
  }
}
