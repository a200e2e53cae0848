import { databaseUrl } from './app.ts';
import type { Say } from './command.ts';
import { migrate, openDatabase } from './foundation/database/index.ts';
import type { Config } from './foundation/index.ts';

/** Brings the database up to date without opening anything else. */
export async function migrateOnly(config: Config, say: Say): Promise<void> {
  const database = openDatabase(databaseUrl(config));
  try {
    const applied = await migrate(database);
    say(applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}`);
  } finally {
    await database.close();
  }
}
