import { ApiFailure, isApiFailure, type ErrorId } from '@bowerbird/contract';
import type { Database, Tx } from '../foundation/database/index.ts';
import type { Clock, Log } from '../foundation/index.ts';
import type { Jobs } from '../foundation/jobs/index.ts';
import type { UnattendedFetches } from '../offline/index.ts';
import type { Notices } from './subscription-notice-service.ts';
import type { Readings } from './subscription-reading-service.ts';
import type { SubscriptionItemStore } from './subscription-item-store.ts';
import type { SubscriptionStore } from './subscription-store.ts';
import {
  afterRefusal,
  failureFrom,
  isPassing,
  nextRun,
  nextTry,
  RESTORABLE_MS,
  type Failure,
  type ItemRow,
  type SubscriptionRow,
} from './subscription.ts';

export const RUN = 'run-subscription';

export interface Runs {
  /** Queues a run, unless one is queued already. */
  ask(tx: Tx, id: string): Promise<void>;
  /** Checks for new items and creates tasks for the wanted ones. Safe to run again at any time. */
  run(id: string, job: { readonly attempts: number; readonly signal: AbortSignal }): Promise<void>;
  /** Queues the runs that are due. */
  askDue(signal: AbortSignal): Promise<void>;
  /** Deletes removed subscriptions after the time in which they can be restored. */
  forget(): Promise<void>;
}

/** The outcome of a run without errors; `refusal` is the reason why tasks could not be created, if any. */
interface Outcome {
  readonly refusal: Failure | undefined;
}

const MOST_DUE = 500;
const ITEMS_AT_ONCE = 50;
/** A run that takes longer was abandoned by its process. */
const STUCK_MS = 5 * 60_000;
/** Attempts of a run for errors that are not caused by the subscribed site. */
const TRIES = 3;
const OURS: ReadonlySet<ErrorId> = new Set(['internal', 'unavailable', 'disk_full']);
/** Errors that make an item fail permanently. */
const HOPELESS: ReadonlySet<ErrorId> = new Set(['link_unsupported', 'source_too_large', 'invalid_argument']);

export function createRuns({
  database,
  store,
  itemStore,
  readings,
  notices,
  unattendedFetches,
  jobs,
  isActive,
  clock,
  log,
}: {
  database: Database;
  store: SubscriptionStore;
  itemStore: SubscriptionItemStore;
  readings: Readings;
  notices: Notices;
  unattendedFetches: UnattendedFetches;
  jobs: Jobs;
  /** Returns whether an account is not blocked. */
  isActive: (account: string) => Promise<boolean>;
  clock: Clock;
  log: Log;
}): Runs {
  /** Creates tasks for waiting items, oldest first, until none is left or a task is refused. */
  async function take(row: SubscriptionRow, signal: AbortSignal): Promise<Failure | undefined> {
    const unless = row.kind === 'link' ? (await notices.lastTask(row.id)).file : '';
    for (;;) {
      const waiting = await itemStore.waiting(database, row.id, ITEMS_AT_ONCE);
      if (waiting.length === 0) return undefined;
      for (const item of waiting) {
        signal.throwIfAborted();
        const present = await store.find(database, row.id);
        if (present?.revision !== row.revision) return undefined;
        const refusal = await takeOne(present, item, unless);
        if (refusal) return refusal;
      }
    }
  }

  async function takeOne(row: SubscriptionRow, item: ItemRow, unless: string): Promise<Failure | undefined> {
    const turn = (to: Parameters<SubscriptionItemStore['turn']>[4]): Promise<void> =>
      database.transaction((tx) => itemStore.turn(tx, row.id, [item.key], ['waiting'], to));
    try {
      if (item.url === undefined) throw new ApiFailure('link_unsupported');
      const { id: task } = await unattendedFetches.fetch(row.account, item.url, {
        parent: row.parent,
        from: 'subscription',
        called: item.title,
        // If the process is killed before the next line, the next run gets the same task.
        requestKey: `subscription:${row.id}:${row.revision}:${item.key}`,
        unless: unless || undefined,
      });
      await turn({ state: 'taken', task });
    } catch (error) {
      if (!isApiFailure(error)) throw error;
      const failure = failureFrom(error);
      if (error.id === 'file_not_found') return { error: 'subscription_folder_gone', facts: {} };
      if (isPassing(error.id)) return failure;
      if (!HOPELESS.has(error.id)) throw error;
      await turn({ state: 'failed', failure });
    }
    return undefined;
  }

  async function look(row: SubscriptionRow): Promise<boolean> {
    if (row.kind === 'feed') {
      const read = await readings.read(row.url, row.validator);
      return read.feed === undefined || notices.feed(row, read);
    }
    // An unfinished fetch is recent enough.
    if ((await notices.lastTask(row.id)).state === 'open') return true;
    return notices.link(row, await unattendedFetches.look(row.url));
  }

  async function attempt(row: SubscriptionRow, signal: AbortSignal): Promise<Outcome> {
    if (!(await isActive(row.account)) || !(await look(row))) return { refusal: undefined };
    signal.throwIfAborted();
    return { refusal: await take(row, signal) };
  }

  /** Saves the outcome of a run. If the address changed in the meantime, the next run starts at once. */
  async function settle(row: SubscriptionRow, ended: Outcome | { readonly failure: Failure }): Promise<void> {
    await database.transaction(async (tx) => {
      await tx.lock(`subscription:${row.id}`);
      const present = await store.find(tx, row.id);
      if (!present) return;
      const now = clock.now();
      // A run requested in the meantime follows.
      const over = present.runningSince === row.runningSince ? { runningSince: null } : {};
      if (present.revision !== row.revision) return store.update(tx, row.id, over, now);
      const { everyMinutes: every } = present;
      const failure = 'failure' in ended ? ended.failure : ended.refusal;
      const isPassed = failure === undefined || isPassing(failure.error);
      const failures = isPassed ? 0 : present.failures + 1;
      const nextRunAt = !isPassed
        ? nextTry(now, every, failures)
        : failure
          ? afterRefusal(now, every, failure.error)
          : nextRun(now, every);
      await store.update(
        tx,
        row.id,
        { ...over, failures, failure: failure ?? null, lastRunAt: now, nextRunAt },
        now,
      );
    });
  }

  const runs: Runs = {
    async ask(tx, id) {
      const now = clock.now();
      await store.update(tx, id, { runningSince: now }, now);
      await jobs.enqueue(tx, RUN, { id }, { key: id });
    },

    async run(id, { attempts, signal }) {
      const row = await store.find(database, id);
      if (!row) return;
      try {
        await settle(row, await attempt(row, signal));
      } catch (error) {
        // Another process, or this one after a restart, starts the run again.
        if (signal.aborted) throw error;
        const isTheirs = isApiFailure(error) && !OURS.has(error.id);
        if (!isTheirs && attempts < TRIES) throw error;
        if (!isTheirs) log.error({ err: error, subscription: id }, 'could not run subscription');
        await settle(row, {
          failure: isApiFailure(error) ? failureFrom(error) : { error: 'internal', facts: {} },
        });
      }
    },

    async askDue(signal) {
      const now = clock.now();
      for (const id of await store.due(database, now, now - STUCK_MS, MOST_DUE)) {
        signal.throwIfAborted();
        await database.transaction((tx) => runs.ask(tx, id));
      }
    },

    forget: () => database.transaction((tx) => store.forget(tx, clock.now() - RESTORABLE_MS)),
  };
  return runs;
}
