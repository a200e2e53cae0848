import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { awaitDatabase, type Database, type Tx } from '../database/index.ts';
import type { Ids } from '../id.ts';
import { createLeaseOwner } from '../lease-owner.ts';
import type { Log } from '../log.ts';
import { createJobQueue, type JobRow, type Standing } from './job-queue.ts';

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
  /** What an operator should know of the queue. */
  standing(): Promise<Standing>;
  start(): void;
  /** Lets running jobs leave at their next slice, gives their leases back. */
  stop(): Promise<void>;
  /** Runs everything that is due, until nothing is: for tests and the command line. */
  drain(): Promise<void>;
}

const HEARTBEAT_MS = 10_000;
const POLL_MS = 2_000;
/** Work that has been due for so long is done by nobody, or by too few. */
const LATE_MS = 60_000;
const STRAIGHTEN_MS = 10_000;

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
  const queue = createJobQueue({ database, clock, ids, owner });
  const stopping = new AbortController();
  const active = new Set<Promise<void>>();
  let wake: (() => void) | undefined;
  let loop: Promise<void> | undefined;
  let straightenAt = 0;

  async function run(job: JobRow, handler: JobHandler): Promise<void> {
    const lost = new AbortController();
    const heartbeat = setInterval(() => {
      queue
        .renew(job.id)
        .then((isOurs) => isOurs || lost.abort())
        .catch((error: unknown) => log.warn({ err: error, job: job.id }, 'a lease could not be renewed'));
    }, HEARTBEAT_MS);
    const signal = AbortSignal.any([lost.signal, stopping.signal]);
    // What became of it is written as soon as the database answers, unless somebody else has it by then.
    const patience = { log, signal };
    try {
      await handler(JSON.parse(job.payload), { id: job.id, attempts: job.attempts, signal });
    } catch (error) {
      if (signal.aborted) return await queue.release(job);
      log.error({ err: error, kind: job.kind, job: job.id, attempts: job.attempts }, 'a job failed');
      return await awaitDatabase(() => queue.postpone(job, error), patience);
    } finally {
      clearInterval(heartbeat);
    }
    await awaitDatabase(() => queue.finish(job.id), patience);
  }

  /** Starts what may start now; true where something was started. */
  async function round(): Promise<boolean> {
    let started = false;
    for (const [kind, entry] of kinds) {
      while (entry.running < entry.parallel && !stopping.signal.aborted) {
        const job = await queue.take(kind);
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

  /** Kinds that recur are put into the queue when it holds none of them. */
  async function schedule(): Promise<void> {
    const recurring = new Map<string, number>();
    for (const [kind, { everyMs }] of kinds) if (everyMs !== undefined) recurring.set(kind, everyMs);
    for (const [kind, everyMs] of recurring)
      if (!(await queue.isWaiting(kind)))
        await database.transaction((tx) => enqueue(tx, kind, null, { key: 'recurring', delayMs: everyMs }));
    if (performance.now() < straightenAt) return;
    await queue.straighten(recurring);
    straightenAt = performance.now() + STRAIGHTEN_MS;
  }

  const enqueue: Jobs['enqueue'] = async (tx, kind, payload, { key, delayMs } = {}) => {
    await queue.add(tx, { kind, payload, key, delayMs });
    tx.afterCommit(() => wake?.());
  };

  async function work(): Promise<void> {
    let isReclaimed = false;
    while (!stopping.signal.aborted) {
      const woken = new Promise<void>((resolve) => (wake = resolve));
      try {
        if (!isReclaimed) await queue.reclaim(isGone);
        isReclaimed = true;
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
    standing: () => queue.standing(LATE_MS),
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
