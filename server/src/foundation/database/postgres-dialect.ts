import { PostgresDialect, PostgresDriver, type PostgresDialectConfig } from 'kysely';
import { DatabaseUnavailable } from './database-trouble.ts';

class Driver extends PostgresDriver {
  override acquireConnection(
    ...parameters: Parameters<PostgresDriver['acquireConnection']>
  ): ReturnType<PostgresDriver['acquireConnection']> {
    return super.acquireConnection(...parameters).catch((error: unknown) => {
      throw new DatabaseUnavailable(error);
    });
  }

  /**
   * Never hides the reason for a rollback: a connection that can't roll back is discarded, and its
   * transaction with it.
   */
  override async rollbackTransaction(
    ...parameters: Parameters<PostgresDriver['rollbackTransaction']>
  ): Promise<void> {
    await super.rollbackTransaction(...parameters).catch(() => {});
  }
}

export class PooledPostgresDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  constructor(url: string) {
    const config: PostgresDialectConfig = {
      // Loaded on demand: installations on SQLite don't need the driver.
      pool: async () => (await import('./postgres-pool.ts')).openPostgresPool(url),
    };
    super(config);
    this.#config = config;
  }

  override createDriver(): Driver {
    return new Driver(this.#config);
  }
}
