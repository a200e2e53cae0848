import type { FastifyInstance } from 'fastify';
import type { Cursors, Database } from '../database/index.ts';
import type { Api } from '../http/index.ts';
import type { Clock, Config, Ids, Keys, Log } from '../index.ts';
import type { Jobs } from '../jobs/index.ts';

/** Dependencies that every domain may use. */
export interface Foundation {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly keys: Keys;
  readonly cursors: Cursors;
  readonly log: Log;
  readonly jobs: Jobs;
}

/** Registries for the API calls and the plain HTTP routes of a domain. */
export interface Mount {
  readonly api: Api;
  readonly http: FastifyInstance;
}

/**
 * Deletes everything that a domain keeps of an account, a slice at a time. Returns the number of rows or items removed.
 * MAY be called again at any time; rejects at the next slice once the signal is aborted.
 */
export type EraseAccount = (account: string, signal: AbortSignal) => Promise<number>;

/** One part of the product. `app.ts` calls what is present, for each domain in the order of `domains.ts`. */
export interface Domain {
  /** Registers API calls and routes, before the server listens. */
  mount?(server: Mount): void;
  /** Defines background jobs, before any job runs. */
  define?(jobs: Jobs): void;
  /** Required of a domain that stores anything about accounts. Higher domains are erased first. */
  readonly eraseAccount?: EraseAccount;
  /** Starts background work that isn't a job. */
  start?(): void;
  /** Stops what {@link start} started, while the last requests and jobs finish. */
  stop?(): Promise<void>;
  /** Writes buffered data, after the last request and job. */
  close?(): Promise<void>;
}
