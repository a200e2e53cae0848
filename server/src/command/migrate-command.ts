import { databaseUrl } from '../app.ts';
import { PATIENCE_MS, type Say } from './command.ts';
import { awaitDatabase, migrate, openDatabase } from '../foundation/database/index.ts';
import { createLog, type Config } from '../foundation/index.ts';

/** Migrates the database without opening anything else. */
export async function migrateOnly(config: Config, say: Say): Promise<void> {
  const database = openDatabase(databaseUrl(config));
  try {
    const applied = await awaitDatabase(() => migrate(database), {
      log: createLog('warn', process.stderr),
      forMs: PATIENCE_MS,
    });
    say(applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}`);
  } finally {
    await database.close();
  }
}
