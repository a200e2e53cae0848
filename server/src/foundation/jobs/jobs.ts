import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { awaitDatabase, type Database, type Tx } from '../database/index.ts';
import type { Ids } from '../id.ts';
import { createLeaseOwner } from '../lease-owner.ts';
import type { Log } from '../log.ts';
import { createJobQueue, type JobRow, type Standing } from './job-queue.ts';

/**
 * Handler of one kind of job. Must be safe to run again from the start: after a crash another process repeats the job.
 */
export type JobHandler<Payload = unknown> = (payload: Payload, run: JobRun) => Promise<void>;

export interface JobRun {
  readonly id: string;
  readonly attempts: number;
  /** Aborted when the process stops or the lease was lost: stop at the next slice. */
  readonly signal: AbortSignal;
}

export interface Jobs {
  /**
   * Registers the handler of a kind; at most `parallel` run at once in this process. Call before {@link Jobs.start}.
   */
  define<Payload>(
    kind: string,
    handler: JobHandler<Payload>,
    options?: { parallel?: number; everyMs?: number },
  ): void;
  /**
   * Enqueues a job within the caller's transaction: it exists if and only if the transaction commits. With a `key`,
   * does nothing if a job of the same kind and key is waiting; if it is running, it runs once more afterwards.
   */
  enqueue(
    tx: Tx,
    kind: string,
    payload: unknown,
    options?: { key?: string; delayMs?: number },
  ): Promise<void>;
  /** Returns the state of the queue, for administrators. */
  standing(): Promise<Standing>;
  start(): void;
  /** Starts due jobs now, if this process runs jobs. */
  wake(): void;
  /** Aborts running jobs, which stop at their next slice, and releases their leases. */
  stop(): Promise<void>;
  /** Runs all due jobs until none is left: for tests and the command line. */
  drain(): Promise<void>;
}

const HEARTBEAT_MS = 10_000;
const POLL_MS = 2_000;
/** Age from which a due job counts as overdue: there are too few workers, or none. */
const LATE_MS = 60_000;
const STRAIGHTEN_MS = 10_000;

/**
 * Background jobs, leased from one table by any number of processes. A lease that is not renewed for half a minute can
 * be taken by another process.
 */
export function createJobs({
  database,
  clock,
  ids,
  log,
  wakeOther,
}: {
  database: Database;
  clock: Clock;
  ids: Ids;
  log: Log;
  /** Wakes the process that runs the jobs, while this one doesn't. */
  wakeOther?: (() => void) | undefined;
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
        .catch((error: unknown) => log.warn({ err: error, job: job.id }, 'could not renew job lease'));
    }, HEARTBEAT_MS);
    const signal = AbortSignal.any([lost.signal, stopping.signal]);
    // The outcome is written as soon as the database responds, unless another process holds the job by then.
    const patience = { log, signal };
    try {
      await handler(JSON.parse(job.payload), { id: job.id, attempts: job.attempts, signal });
    } catch (error) {
      if (signal.aborted) return await queue.release(job);
      log.error({ err: error, kind: job.kind, job: job.id, attempts: job.attempts }, 'job failed');
      return await awaitDatabase(() => queue.postpone(job, error), patience);
    } finally {
      clearInterval(heartbeat);
    }
    await awaitDatabase(() => queue.finish(job.id), patience);
  }

  /** Starts all jobs that may start now. Returns true if any was started. */
  async function round(): Promise<boolean> {
    let started = false;
    const due = await queue.dueKinds();
    for (const [kind, entry] of kinds) {
      while (due.has(kind) && entry.running < entry.parallel && !stopping.signal.aborted) {
        const job = await queue.take(kind);
        if (!job) break;
        started = true;
        entry.running += 1;
        const done = run(job, entry.handler)
          .catch((error: unknown) => log.error({ err: error, kind }, 'could not release job'))
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

  /** Enqueues each recurring kind of which no job is waiting. */
  async function schedule(): Promise<void> {
    const recurring = new Map<string, number>();
    for (const [kind, { everyMs }] of kinds) if (everyMs !== undefined) recurring.set(kind, everyMs);
    const waiting = await queue.waiting([...recurring.keys()]);
    const missing = [...recurring].filter(([kind]) => !waiting.has(kind));
    if (missing.length > 0)
      await database.transaction(async (tx) => {
        for (const [kind, everyMs] of missing)
          await enqueue(tx, kind, null, { key: 'recurring', delayMs: everyMs });
      });
    if (performance.now() < straightenAt) return;
    await queue.straighten(recurring);
    straightenAt = performance.now() + STRAIGHTEN_MS;
  }

  const enqueue: Jobs['enqueue'] = async (tx, kind, payload, { key, delayMs } = {}) => {
    await queue.add(tx, { kind, payload, key, delayMs });
    tx.afterCommit(() => (loop ? wake?.() : wakeOther?.()));
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
        log.error({ err: error }, 'could not read job queue');
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
    wake: () => wake?.(),
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
