import { pathToFileURL } from 'node:url';
import type { Kysely } from 'kysely';
import type { Dialect } from './database.ts';

interface MigrationModule {
  readonly up: (db: Kysely<unknown>, dialect: Dialect) => Promise<void>;
}

/**
 * Loads the migration in a file. In the bundled server, `tools/builds/compiled-migrations.ts` replaces this module with
 * one that loads compiled migrations: to remove the types at run time takes 20 MB of memory, which Node keeps.
 */
export function loadMigration(file: string): Promise<MigrationModule> {
  return import(pathToFileURL(file).href) as Promise<MigrationModule>;
}
