import { setTimeout as sleep } from 'node:timers/promises';
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
  /** True if other processes write to the file all the time. */
  readonly isShared: boolean;
}

/**
 * Time between two commits while transactions arrive faster than that. One that comes alone is committed at once.
 */
const BETWEEN_COMMITS_MS = 2;
/** Time for which a finished transaction waits at most. */
const LONGEST_WAIT_MS = 20;

/** Transactions that are committed together: each of them is a savepoint, which is rolled back alone if it fails. */
interface Group {
  members: number;
  isWaiting: boolean;
  readonly committed: PromiseWithResolvers<void>;
}

/**
 * Transactions on the one connection that writes to a file, one after the other. Those that finish while the log is
 * flushed have to wait for the next flush anyway, so they are committed together at its start: each commit writes every
 * page that it changed, and they change many of the same pages. Not if other processes write all the time, because
 * an open transaction keeps them from writing.
 */
export function createSqliteWriter(
  sqlite: NodeSqlite,
  { turns, flushes, presence, checkpoints, isShared }: WriterDeps,
): SqliteWriter {
  let turn: Promise<unknown> = Promise.resolve();
  let group: Group | undefined;
  let committedAt = 0;

  function inTurn<R>(work: () => Promise<R>): Promise<R> {
    const done = turn.then(work);
    turn = done.catch(() => {});
    return done;
  }

  const say = (statement: string): void => void sqlite.run(statement, []);

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

  /**
   * Takes the write lock at once: a deferred transaction fails with SQLITE_BUSY, without waiting, if it begins to write
   * while another process does.
   */
  async function begin(): Promise<Group> {
    // If the previous rollback failed too, its transaction is still open.
    if (sqlite.isTransaction) say('rollback');
    presence.confirm();
    await turns.take(async () => say('begin immediate'));
    group = { members: 0, isWaiting: false, committed: Promise.withResolvers() };
    // Only members wait for it.
    group.committed.promise.catch(() => {});
    return group;
  }

  function commit(ending: Group): void {
    group = undefined;
    try {
      say('commit');
      committedAt = performance.now();
      checkpoints.committed();
      ending.committed.resolve();
    } catch (error) {
      rollBack();
      ending.committed.reject(error);
    }
    turns.end();
  }

  /** Rolls back what a member did. The error ends the whole group if SQLite has rolled back everything. */
  function undo(mine: Group, error: unknown): void {
    if (mine.members > 0) {
      try {
        say('rollback to member');
        say('release member');
        return;
      } catch {
        mine.committed.reject(error);
      }
    }
    group = undefined;
    rollBack();
    turns.end();
  }

  async function attempt<R>(mine: Group, work: (access: Access) => Promise<R>): Promise<R> {
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
      if (mine.members > 0) say('savepoint member');
      const result = await work(access);
      if (mine.members > 0) say('release member');
      return result;
    } catch (error) {
      undo(mine, error);
      throw error;
    } finally {
      isOver = true;
    }
  }

  const isBusy = (): boolean => flushes.isRunning || performance.now() - committedAt < BETWEEN_COMMITS_MS;

  /** Commits when the flush that is running has ended, and some time has passed since the last commit. */
  async function commitLater(mine: Group): Promise<void> {
    if (mine.isWaiting) return;
    mine.isWaiting = true;
    const pause = Math.max(0, committedAt + BETWEEN_COMMITS_MS - performance.now());
    await Promise.all([sleep(pause), Promise.race([flushes.idle(), sleep(LONGEST_WAIT_MS)])]);
    await inTurn(async () => {
      if (group === mine) commit(mine);
    });
  }

  async function join<R>(work: (access: Access) => Promise<R>, durable: boolean) {
    // Slices of large work have a transaction of their own: savepoints would keep copies of all pages they change.
    if (group && !durable) commit(group);
    const mine = group ?? (await begin());
    const result = await attempt(mine, work);
    mine.members += 1;
    if (durable && !isShared && isBusy()) void commitLater(mine);
    else commit(mine);
    return { result, committed: mine.committed.promise };
  }

  return {
    async transaction(work, durable) {
      flushes.confirm();
      const { result, committed } = await inTurn(() => join(work, durable));
      await committed;
      if (durable) await flushes.flush();
      else presence.confirm();
      return result;
    },
    close: () =>
      inTurn(async () => {
        if (group) commit(group);
      }),
  };
}
