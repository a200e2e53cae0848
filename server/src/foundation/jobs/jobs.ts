import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import type { Database, Sql, Tx } from '../database/index.ts';
import type { Ids } from '../id.ts';
import { createLeaseOwner } from '../lease-owner.ts';
import type { Log } from '../log.ts';

interface JobTables {
  job: {
    id: string;
    kind: string;
    unique_key: string | null;
    payload: string;
    run_at: number;
    attempts: number;
    lease_owner: string | null;
    lease_until: number | null;
    last_error: string | null;
    created_at: number;
  };
}

/** What a worker of one kind does. Must be safe to run again from the start: a killed process leaves its job to another. */
export type JobHandler<Payload = unknown> = (payload: Payload, run: JobRun) => Promise<void>;

export interface JobRun {
  readonly id: string;
  readonly attempts: number;
  /** Aborted when the process stops or the lease was lost: leave at the next slice. */
  readonly signal: AbortSignal;
}

export interface Jobs {
  /** Declares who does the jobs of a kind; at most `parallel` at once in this process. Before {@link Jobs.start}. */
  define<Payload>(
    kind: string,
    handler: JobHandler<Payload>,
    options?: { parallel?: number; everyMs?: number },
  ): void;
  /**
   * Puts a job into the queue inside the caller's transaction: it exists exactly when the transaction commits. With a
   * `key`, a job of the same kind and key that still waits or runs makes this one unneeded.
   */
  enqueue(
    tx: Tx,
    kind: string,
    payload: unknown,
    options?: { key?: string; delayMs?: number },
  ): Promise<void>;
  start(): void;
  /** Lets running jobs leave at their next slice, gives their leases back. */
  stop(): Promise<void>;
  /** Runs everything that is due, until nothing is: for tests and the command line. */
  drain(): Promise<void>;
}

const LEASE_MS = 30_000;
const HEARTBEAT_MS = 10_000;
const POLL_MS = 2_000;
const RETRY_MS = [1_000, 5_000, 30_000, 120_000, 600_000];

/**
 * Work that goes on behind requests, leased from one table by any number of processes: a lease that is not renewed for
 * half a minute belongs to whoever takes it next.
 */
export function createJobs({
  database,
  clock,
  ids,
  log,
}: {
  database: Database;
  clock: Clock;
  ids: Ids;
  log: Log;
}): Jobs {
  const kinds = new Map<
    string,
    { handler: JobHandler; parallel: number; everyMs: number | undefined; running: number }
  >();
  const { name: owner, isGone } = createLeaseOwner(ids);
  const stopping = new AbortController();
  const active = new Set<Promise<void>>();
  let wake: (() => void) | undefined;
  let loop: Promise<void> | undefined;

  async function lease(kind: string): Promise<JobTables['job'] | undefined> {
    const now = clock.now();
    const free = (sql: Sql) =>
      sql
        .on<JobTables>()
        .selectFrom('job')
        .selectAll()
        .where('kind', '=', kind)
        .where('run_at', '<=', now)
        .where((where) => where.or([where('lease_until', 'is', null), where('lease_until', '<', now)]))
        .orderBy('run_at')
        .limit(1);
    if (!(await free(database).executeTakeFirst())) return undefined;
    return database.transaction(async (tx) => {
      const job = await (
        tx.dialect === 'postgres' ? free(tx).forUpdate().skipLocked() : free(tx)
      ).executeTakeFirst();
      if (!job) return undefined;
      await tx
        .on<JobTables>()
        .updateTable('job')
        .set({ lease_owner: owner, lease_until: now + LEASE_MS, attempts: job.attempts + 1 })
        .where('id', '=', job.id)
        .execute();
      return { ...job, attempts: job.attempts + 1 };
    });
  }

  const mine = (tx: Tx, id: string) =>
    tx.on<JobTables>().updateTable('job').where('id', '=', id).where('lease_owner', '=', owner);

  async function run(job: JobTables['job'], handler: JobHandler): Promise<void> {
    const lost = new AbortController();
    const heartbeat = setInterval(() => {
      database
        .transaction((tx) =>
          mine(tx, job.id)
            .set({ lease_until: clock.now() + LEASE_MS })
            .executeTakeFirst(),
        )
        .then((result) => result.numUpdatedRows === 0n && lost.abort())
        .catch((error: unknown) => log.warn({ error, job: job.id }, 'a lease could not be renewed'));
    }, HEARTBEAT_MS);
    const signal = AbortSignal.any([lost.signal, stopping.signal]);
    try {
      await handler(JSON.parse(job.payload), { id: job.id, attempts: job.attempts, signal });
      await database.transaction((tx) =>
        tx
          .on<JobTables>()
          .deleteFrom('job')
          .where('id', '=', job.id)
          .where('lease_owner', '=', owner)
          .execute(),
      );
    } catch (error) {
      const interrupted = signal.aborted;
      if (!interrupted)
        log.error({ err: error, kind: job.kind, job: job.id, attempts: job.attempts }, 'a job failed');
      const delay = interrupted ? 0 : (RETRY_MS[job.attempts - 1] ?? RETRY_MS.at(-1)!);
      await database.transaction((tx) =>
        mine(tx, job.id)
          .set({
            lease_owner: null,
            lease_until: null,
            run_at: clock.now() + delay,
            last_error: String(error),
            ...(interrupted ? { attempts: job.attempts - 1 } : {}),
          })
          .execute(),
      );
    } finally {
      clearInterval(heartbeat);
    }
  }

  /** Starts what may start now; true where something was started. */
  async function round(): Promise<boolean> {
    let started = false;
    for (const [kind, entry] of kinds) {
      while (entry.running < entry.parallel && !stopping.signal.aborted) {
        const job = await lease(kind);
        if (!job) break;
        started = true;
        entry.running += 1;
        const done = run(job, entry.handler)
          .catch((error: unknown) => log.error({ err: error, kind }, 'a job could not be given back'))
          .finally(() => {
            entry.running -= 1;
            active.delete(done);
            wake?.();
          });
        active.add(done);
      }
    }
    return started;
  }

  /** Takes back what processes of this machine had leased that were killed. */
  async function reclaim(): Promise<void> {
    const leased = await database
      .on<JobTables>()
      .selectFrom('job')
      .select('lease_owner')
      .distinct()
      .where('lease_owner', 'is not', null)
      .execute();
    for (const { lease_owner: name } of leased) {
      if (!isGone(name!)) continue;
      await database.transaction((tx) =>
        tx
          .on<JobTables>()
          .updateTable('job')
          .set({ lease_owner: null, lease_until: null })
          .where('lease_owner', '=', name)
          .execute(),
      );
    }
  }

  /** Kinds that recur are put into the queue when it holds none of them. */
  async function schedule(): Promise<void> {
    const recurring = [...kinds].filter(([, entry]) => entry.everyMs !== undefined);
    for (const [kind, entry] of recurring) {
      const waiting = await database
        .on<JobTables>()
        .selectFrom('job')
        .select('id')
        .where('kind', '=', kind)
        .limit(1)
        .executeTakeFirst();
      if (!waiting)
        await database.transaction((tx) =>
          enqueue(tx, kind, null, { key: 'recurring', delayMs: entry.everyMs! }),
        );
    }
  }

  const enqueue: Jobs['enqueue'] = async (tx, kind, payload, { key, delayMs = 0 } = {}) => {
    await tx
      .on<JobTables>()
      .insertInto('job')
      .values({
        id: ids.next(),
        kind,
        unique_key: key ?? null,
        payload: JSON.stringify(payload ?? null),
        run_at: clock.now() + delayMs,
        attempts: 0,
        lease_owner: null,
        lease_until: null,
        last_error: null,
        created_at: clock.now(),
      })
      .onConflict((conflict) =>
        conflict.columns(['kind', 'unique_key']).where('unique_key', 'is not', null).doNothing(),
      )
      .execute();
    tx.afterCommit(() => wake?.());
  };

  async function work(): Promise<void> {
    await reclaim().catch((error: unknown) => log.error({ err: error }, 'leases can’t be taken back'));
    while (!stopping.signal.aborted) {
      const woken = new Promise<void>((resolve) => (wake = resolve));
      try {
        await schedule();
        await round();
      } catch (error) {
        log.error({ err: error }, 'the queue of jobs can’t be read');
      }
      await Promise.race([woken, sleep(POLL_MS, undefined, { signal: stopping.signal }).catch(() => {})]);
    }
  }

  return {
    define(kind, handler, { parallel = 1, everyMs } = {}) {
      kinds.set(kind, { handler: handler as JobHandler, parallel, everyMs, running: 0 });
    },
    enqueue,
    start() {
      loop ??= work();
    },
    async stop() {
      stopping.abort();
      wake?.();
      await loop;
      await Promise.all(active);
    },
    async drain() {
      while (await round()) await Promise.all(active);
    },
  };
}
