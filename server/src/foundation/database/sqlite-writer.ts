import type { CompiledQuery, Kysely } from 'kysely';
import { kyselyWithin, type NodeSqlite } from './sqlite-dialect.ts';
import type { Checkpoints } from './sqlite-checkpoints.ts';
import type { Flushes } from './sqlite-flushes.ts';
import type { Presence } from './sqlite-presence.ts';
import type { Turns } from './sqlite-turns.ts';

/** The database as a transaction sees it. */
export interface Access {
  on<Tables>(): Kysely<Tables>;
  rows<R>(query: CompiledQuery<R>): Promise<R[]>;
  /** Returns the number of changed rows. */
  change(query: CompiledQuery): Promise<number>;
}

export interface SqliteWriter {
  /** Runs `work` in a transaction. Resolves once it is committed and, if requested, durable. */
  transaction<R>(work: (access: Access) => Promise<R>, durable: boolean): Promise<R>;
  /** Resolves when no transaction is open. */
  close(): Promise<void>;
}

export interface WriterDeps {
  readonly turns: Turns;
  readonly flushes: Flushes;
  readonly presence: Presence;
  readonly checkpoints: Checkpoints;
}

/** Transactions on the one connection that writes to a file, one after the other. */
export function createSqliteWriter(
  sqlite: NodeSqlite,
  { turns, flushes, presence, checkpoints }: WriterDeps,
): SqliteWriter {
  let turn: Promise<unknown> = Promise.resolve();

  function inTurn<R>(work: () => Promise<R>): Promise<R> {
    const done = turn.then(work);
    turn = done.catch(() => {});
    return done;
  }

  const say = (statement: string): void => void sqlite.run(statement, []);

  /**
   * Takes the write lock at once: a deferred transaction fails with SQLITE_BUSY, without waiting, if it begins to write
   * while another process does.
   */
  async function begin(): Promise<void> {
    // If the previous rollback failed too, its transaction is still open.
    if (sqlite.isTransaction) say('rollback');
    presence.confirm();
    await turns.take(async () => say('begin immediate'));
  }

  /**
   * Never hides the reason for a rollback. After some errors (a full disk, failing input and output) SQLite has rolled
   * back by itself and rejects a second rollback.
   */
  function rollBack(): void {
    try {
      if (sqlite.isTransaction) say('rollback');
    } catch {
      // The next transaction tries it again.
    }
  }

  async function run<R>(work: (access: Access) => Promise<R>): Promise<R> {
    await begin();
    let isOver = false;
    const check = (): void => {
      if (isOver) throw new Error('The transaction is over');
    };
    const access: Access = {
      on: <Tables>() => kyselyWithin<Tables>(sqlite, check),
      async rows<R>({ sql, parameters }: CompiledQuery<R>) {
        check();
        return sqlite.all<R>(sql, parameters);
      },
      async change({ sql, parameters }) {
        check();
        return sqlite.run(sql, parameters);
      },
    };
    try {
      const result = await work(access);
      say('commit');
      checkpoints.committed();
      return result;
    } catch (error) {
      rollBack();
      throw error;
    } finally {
      isOver = true;
      turns.end();
    }
  }

  return {
    async transaction(work, durable) {
      flushes.confirm();
      const result = await inTurn(() => run(work));
      if (durable) await flushes.flush();
      else presence.confirm();
      return result;
    },
    close: () => inTurn(async () => {}),
  };
}
