import pg from 'pg';
import { DatabaseUnavailable } from './database-trouble.ts';

// bigint and numeric arrive as strings otherwise; ours stay below 2^53.
const INT8 = 20;
const NUMERIC = 1700;

/**
 * Connection that may be lost at any moment, in use or idle. It then emits `error`, which without a listener
 * would end the process. The running query fails as well, so the event itself needs no handling.
 */
class Client extends pg.Client {
  #isLost = false;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on('error', () => (this.#isLost = true));
    this.on('end', () => (this.#isLost = true));
  }

  override query(...parameters: unknown[]): never {
    const ask = super.query.bind(this) as (...parameters: unknown[]) => Promise<unknown>;
    const answer = ask(...parameters).catch((error: unknown) => {
      // An error from PostgreSQL itself, even during its shutdown, is more precise than a lost connection.
      throw this.#isLost && !(error instanceof pg.DatabaseError) ? new DatabaseUnavailable(error) : error;
    });
    return answer as never;
  }
}

/** Connections to a PostgreSQL server. */
export function openPostgresPool(url: string): pg.Pool {
  const types = new pg.TypeOverrides();
  types.setTypeParser(INT8, Number);
  types.setTypeParser(NUMERIC, Number);
  const pool = new pg.Pool({
    Client,
    connectionString: url,
    max: 16,
    types,
    // Detects a host that vanished silently.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 10_000,
  });
  // An idle connection that was lost is replaced at the next query.
  pool.on('error', () => {});
  return pool;
}
