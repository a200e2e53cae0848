import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { LiveTopic } from '@bowerbird/contract';
import { Kysely, sql, type CompiledQuery } from 'kysely';
import { createChangeRecord, type Changes } from './changes.ts';
import { createJoint, type Joint } from './joint.ts';
import { PooledPostgresDialect } from './postgres-dialect.ts';
import { createCheckpoints } from './sqlite-checkpoints.ts';
import { createFlushes } from './sqlite-flushes.ts';
import { NodeSqlite, readingKysely } from './sqlite-dialect.ts';
import { rememberFiles } from './sqlite-presence.ts';
import { createTurns } from './sqlite-turns.ts';
import { createSqliteWriter, type Access } from './sqlite-writer.ts';
import { isDeadlock } from './violations.ts';

export type Dialect = 'sqlite' | 'postgres';

/** Executor of SQL: the database for reads, or a transaction. Each store declares its own tables. */
export interface Sql {
  readonly dialect: Dialect;
  on<Tables>(): Kysely<Tables>;
  /** Runs a compiled query and returns its rows. On SQLite it takes half as long as with Kysely. */
  rows<R>(query: CompiledQuery<R>): Promise<R[]>;
}

/** A transaction. Its effects run after the commit. */
export interface Tx extends Sql {
  /** Runs a compiled change, as fast as {@link Sql.rows}, and returns the number of rows that it changed. */
  change(query: CompiledQuery): Promise<number>;
  /**
   * Blocks every other transaction that takes the same lock until this one ends. SQLite has only one writer
   * anyway.
   */
  lock(name: string): Promise<void>;
  /** Runs after the commit, in order; never if the transaction fails. */
  afterCommit(effect: () => void): void;
  /** Notes that something was changed that pages of an account show: they are told after the commit. */
  changed(account: string, topic: LiveTopic): void;
  /**
   * Runs `work` with all of its transactions joined into this one, so that its reads see what they wrote. For
   * short work whose only effects are SQL and {@link Tx.afterCommit}: it blocks this transaction, and may run
   * again.
   */
  join<R>(work: () => Promise<R>): Promise<R>;
}

export interface Database extends Sql {
  /**
   * Runs `work` in one write transaction and returns its result once it is durable; others may read what it wrote
   * a moment earlier. `work` may run again
   * after a deadlock, so it must have no effects but its SQL and {@link Tx.afterCommit}. Transactions don't
   * nest: pass the Tx on, or see {@link Tx.join}.
   *
   * `durable: false` is for slices of work that is repeated after a power cut anyway and does not wait for
   * the disk. A later durable transaction makes them durable too.
   */
  transaction<R>(work: (tx: Tx) => Promise<R>, options?: { durable?: boolean }): Promise<R>;
  /** Runs `work` so that each of its transactions starts with `first`. */
  accompany<R>(first: (tx: Tx) => Promise<void>, work: () => Promise<R>): Promise<R>;
  /** Calls the listener, the only one, after each commit of {@link Tx.changed}. */
  onChanged(listener: (changes: Changes) => void): void;
  /** True within {@link Tx.join}, where reads see what isn't committed yet. */
  readonly isJoined: boolean;
  /** Throws if the database does not respond. */
  ping(): Promise<void>;
  /** Counts the database as unavailable from now on, because another process lost a write to its file. */
  distrust(): void;
  close(): Promise<void>;
}

const ATTEMPTS = 5;
/** Size of a left-over log that is worth moving into the database when it is opened. */
const LARGE_LOG = 4 * 1024 * 1024;

/** Running transaction in a chain of calls. */
interface Running {
  /** State for joined transactions. */
  readonly joint?: Joint<Tx>;
  /** True in a joined transaction. */
  readonly isStep?: boolean;
}

/** A committed transaction. */
interface Attempt<R> {
  readonly result: R;
  readonly effects: readonly (() => void)[];
  readonly changes: Changes | undefined;
}

/** Access to one kind of database. */
interface Engine {
  readonly dialect: Dialect;
  /** For reads. */
  readonly kysely: Kysely<never>;
  rows<R>(query: CompiledQuery<R>): Promise<R[]>;
  /** Runs `work` in a transaction. Resolves once it is committed and, if requested, durable. */
  transaction<R>(work: (access: Access) => Promise<R>, durable: boolean): Promise<R>;
  /** Throws if what is written now would be lost. */
  confirm(): void;
  distrust(): void;
  close(): Promise<void>;
}

/** Other processes that use the same SQLite file all the time. */
export interface Sharing {
  readonly isShared: boolean;
  /** True if other processes may be using the file already. */
  readonly isInUse: boolean;
  /** Called if a flush fails; the other processes have to {@link Database.distrust} the database too. */
  writeLost?(): void;
}

const ALONE: Sharing = { isShared: false, isInUse: false };

/** Opens `postgres://…` or a SQLite file, which is created if missing. */
export function openDatabase(url: string, sharing: Sharing = ALONE): Database {
  return /^postgres(ql)?:/.test(url) ? openPostgres(url) : openSqlite(url, sharing);
}

function openSqlite(file: string, { isShared, isInUse, writeLost }: Sharing): Database {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const writer = new DatabaseSync(file, { timeout: 5000 });
  // A commit is acknowledged only if it would survive a power cut. `synchronous=FULL` would flush the log at each
  // commit, in the main thread; with NORMAL, createFlushes does it for several at once, in another one.
  // Pages of 8 KiB halve the number of writes for thousands of rows.
  writer.exec(
    'PRAGMA page_size=8192; PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON; PRAGMA cache_size=-16000',
  );
  // A thread checkpoints the log into the file (sqlite-checkpoints.ts). During heavy writing it rarely
  // finishes, and the log grows; a commit that completes the checkpoint, restarts the log or truncates it
  // makes all others wait, so that is deferred to quiet times or half a gigabyte.
  writer.exec('PRAGMA wal_autocheckpoint=64000; PRAGMA journal_size_limit=67108864');
  // Transactions wait for their turn without blocking the event loop (sqlite-turns.ts).
  writer.exec('PRAGMA busy_timeout=0');
  // A killed process leaves its log behind. If others use it, it stays as it is: they couldn't write meanwhile.
  if (!isInUse && (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > LARGE_LOG)
    writer.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const reader = new DatabaseSync(file, { timeout: 5000, readOnly: true });
  reader.exec('PRAGMA cache_size=-24000; PRAGMA mmap_size=268435456');
  const [writing, reading] = [new NodeSqlite(writer), new NodeSqlite(reader)];
  const kysely = readingKysely(reading);
  const checkpoints = createCheckpoints(file);
  const presence = rememberFiles(file);
  // A commit to a deleted file must not be acknowledged, nor have effects.
  const flushes = createFlushes(file, { failed: writeLost, confirm: presence.confirm });
  const turns = createTurns({ isShared });
  const transactions = createSqliteWriter(writing, { turns, flushes, presence, checkpoints });
  return database({
    dialect: 'sqlite',
    kysely,
    rows: async (query) => reading.all(query.sql, query.parameters),
    transaction: transactions.transaction,
    confirm() {
      presence.confirm();
      flushes.confirm();
    },
    distrust: () => flushes.distrust(),
    async close() {
      await transactions.close();
      await checkpoints.close();
      await flushes.close();
      // SQLite removes its log with the last connection, if that one may write.
      reading.close();
      writing.close();
    },
  });
}

function openPostgres(url: string): Database {
  const kysely = new Kysely<never>({ dialect: new PooledPostgresDialect(url) });
  return database({
    dialect: 'postgres',
    kysely,
    rows: async (query) => (await kysely.executeQuery(query)).rows,
    transaction: (work, durable) =>
      kysely.transaction().execute(async (transaction) => {
        if (!durable) await sql`set local synchronous_commit = off`.execute(transaction);
        return work({
          on: <Tables>() => transaction as unknown as Kysely<Tables>,
          rows: async (query) => (await transaction.executeQuery(query)).rows,
          change: async (query) => Number((await transaction.executeQuery(query)).numAffectedRows ?? 0),
        });
      }),
    confirm() {},
    distrust() {},
    close: () => kysely.destroy(),
  });
}

function database(engine: Engine): Database {
  const { dialect } = engine;
  const current = new AsyncLocalStorage<Running>();
  /** Callback that runs first in each transaction of a chain of calls. */
  const companion = new AsyncLocalStorage<{ first: ((tx: Tx) => Promise<void>) | undefined }>();
  let tellChanges: ((changes: Changes) => void) | undefined;

  /** Work that outlives the joined transaction it was started in is independent. */
  function runningHere(): Running | undefined {
    const running = current.getStore();
    return running?.joint?.isOver ? undefined : running;
  }

  async function attempt<R>(work: (tx: Tx) => Promise<R>, durable: boolean): Promise<Attempt<R>> {
    const effects: (() => void)[] = [];
    const changes = createChangeRecord();
    const result = await engine.transaction(async (access) => {
      const tx: Tx = {
        dialect,
        ...access,
        async lock(name) {
          if (dialect === 'postgres')
            await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(access.on());
        },
        afterCommit: (effect) => void effects.push(effect),
        changed: changes.add,
        join: (joining) => join(tx, joining),
      };
      await companion.getStore()?.first?.(tx);
      return work(tx);
    }, durable);
    return { result, effects, changes: changes.all() };
  }

  async function join<R>(tx: Tx, work: () => Promise<R>): Promise<R> {
    const joint = createJoint(tx);
    try {
      return await current.run({ joint }, work);
    } finally {
      await joint.end();
    }
  }

  async function persist<R>(work: (tx: Tx) => Promise<R>, durable: boolean): Promise<Attempt<R>> {
    for (let tries = 1; ; tries++) {
      try {
        return await attempt(work, durable);
      } catch (error) {
        if (tries >= ATTEMPTS || !isDeadlock(error)) throw error;
      }
    }
  }

  return {
    dialect,
    on: <Tables>() => runningHere()?.joint?.tx.on<Tables>() ?? (engine.kysely as unknown as Kysely<Tables>),
    rows: (query) => runningHere()?.joint?.tx.rows(query) ?? engine.rows(query),
    async transaction<R>(work: (tx: Tx) => Promise<R>, { durable = true } = {}) {
      const running = runningHere();
      if (running?.joint && !running.isStep)
        return running.joint.step((tx) => current.run({ ...running, isStep: true }, () => work(tx)));
      if (running) throw new Error('Transactions do not nest: pass the Tx on');
      const { result, effects, changes } = await current.run({}, () => persist(work, durable));
      for (const effect of effects) effect();
      if (changes) tellChanges?.(changes);
      return result;
    },
    async accompany(first, work) {
      const entry: { first: typeof first | undefined } = { first };
      try {
        return await companion.run(entry, work);
      } finally {
        // Work that continues in the background after this is not accompanied.
        entry.first = undefined;
      }
    },
    onChanged(listener) {
      tellChanges = listener;
    },
    get isJoined() {
      return runningHere()?.joint !== undefined;
    },
    async ping() {
      engine.confirm();
      await sql`select 1`.execute(engine.kysely);
    },
    distrust: engine.distrust,
    close: engine.close,
  };
}
