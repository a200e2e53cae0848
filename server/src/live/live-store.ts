import { sql } from 'kysely';
import type { Database } from '../foundation/database/index.ts';

export const liveStore = {
  /** Sends texts to a channel of PostgreSQL. */
  async notify(database: Database, channel: string, texts: readonly string[]): Promise<void> {
    await sql`select pg_notify(${channel}, text) from unnest(${[...texts]}::text[]) as text`.execute(
      database.on(),
    );
  },
};
