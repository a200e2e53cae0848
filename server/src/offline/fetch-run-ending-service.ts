import type { FetchFailure } from '@bowerbird/contract';
import type { Database } from '../foundation/database/index.ts';
import type { Clock } from '../foundation/index.ts';
import type { Tasks } from '../task/index.ts';
import type { FetchRequestStore } from './fetch-request-store.ts';
import type { Run } from './fetch-run.ts';
import type { Fetcher } from './fetcher.ts';
import type { FetchRequests } from './offline-request-service.ts';
import type { Sources } from './offline-source-service.ts';
import { isOutage, isWanted, retryAfter, wantedBy } from './offline.ts';
import type { SourceFileStore } from './source-file-store.ts';
import type { SourceStore } from './source-store.ts';

/** Ends the runs of this process, and releases the leases of their sources. */
export interface RunEndings {
  /** Ends a run of which every wanted file is kept or has failed. `running`: the fetcher still has to be stopped. */
  settle(run: Run, running?: boolean): Promise<void>;
  /** Records a failed run: schedules a retry, or fails its tasks. */
  recordFailure(run: Run, failure: FetchFailure): Promise<void>;
  /** Releases a source that was stopped or became a torrent: back to the queue, or idle if nobody wants it. */
  release(run: Run): Promise<void>;
  /** Drops a run whose source another process has leased in the meantime. */
  leave(run: Run): void;
  /** Sends the command to stop a run to the fetcher, at most once. */
  stopFetch(run: Run): void;
}

export interface RunEndingDeps {
  readonly database: Database;
  readonly store: SourceStore;
  readonly fileStore: SourceFileStore;
  readonly requestStore: FetchRequestStore;
  readonly sources: Sources;
  readonly requests: FetchRequests;
  readonly tasks: Tasks;
  readonly fetcher: Fetcher;
  readonly clock: Clock;
  /** Sources that this process has leased, by id. */
  readonly runs: Map<string, Run>;
  /** The name under which this process leases. */
  readonly owner: string;
  /** Starts a round of the fetch loop, since a source may be due. */
  readonly wake: () => void;
}

export function createRunEndings(deps: RunEndingDeps): RunEndings {
  const { database, store, fileStore, requestStore, sources, requests, tasks, fetcher } = deps;
  const { clock, runs, owner, wake } = deps;

  async function settle(run: Run, running = false): Promise<void> {
    if (running) {
      // Its staged bytes are not needed.
      run.stopping = true;
      fetcher.send({ type: 'forget', id: run.source.id, generation: run.source.generation });
    }
    await database.transaction(async (tx) => {
      await sources.lock(tx, run.source.id);
      const now = clock.now();
      const files = await fileStore.list(tx, run.source.id);
      const activeRequests = await requestStore.active(tx, run.source.id, now);
      // A new request may have added files in the meantime.
      const isOpen = files.some(
        ({ position, state }) =>
          state === 'waiting' && activeRequests.some((request) => isWanted(request, position)),
      );
      await store.update(
        tx,
        run.source.id,
        {
          state: isOpen ? 'queued' : 'idle',
          lease_owner: null,
          lease_until: null,
          queued_at: isOpen ? now : null,
        },
        now,
      );
      await requests.deliver(tx, run.source.id, 'now');
    });
    if (!running) runs.delete(run.source.id);
    wake();
  }

  async function recordFailure(run: Run, cause: FetchFailure): Promise<void> {
    const { id } = run.source;
    const isTraffic = run.isShortOfTraffic && cause.error === 'source_too_large';
    const failure: FetchFailure = isTraffic ? { ...cause, error: 'traffic_offline_limit' } : cause;
    const held = await store.find(database, id);
    if (held?.leaseOwner !== owner) return leave(run);
    const wait = retryAfter(held.attempts, failure);
    if (wait !== undefined) {
      await database.transaction(async (tx) => {
        const now = clock.now();
        await store.update(
          tx,
          id,
          {
            state: 'queued',
            lease_owner: null,
            lease_until: null,
            not_before: now + wait,
            failure,
            ...(isOutage(failure) && { attempts: held.attempts - 1 }),
          },
          now,
        );
        for (const { task } of await requestStore.active(tx, id, now))
          await tasks.update(tx, task, {
            params: { step: 'waiting', speed: '0', retry_error: failure.error },
          });
      });
      runs.delete(id);
      return;
    }
    const doomed = await database.transaction(async (tx) => {
      await sources.lock(tx, id);
      const now = clock.now();
      const activeRequests = await requestStore.activeOrScheduled(tx, id);
      const row = (await store.find(tx, id))!;
      if (row.facts) {
        const wanted = wantedBy(activeRequests);
        await fileStore.turn(tx, id, 'waiting', { state: 'failed', failure }, wanted ?? undefined);
        await requests.deliver(tx, id, 'now');
      }
      await store.update(tx, id, { state: 'idle', lease_owner: null, lease_until: null, failure }, now);
      return row.facts ? [] : activeRequests;
    });
    runs.delete(id);
    for (const { task } of doomed) await requests.fail(task, failure.error);
    wake();
  }

  async function release(run: Run): Promise<void> {
    const { id } = run.source;
    await database.transaction(async (tx) => {
      await sources.lock(tx, id);
      const now = clock.now();
      const isWanted = (await requestStore.activeOrScheduled(tx, id)).length > 0;
      const row = await store.find(tx, id);
      if (row?.leaseOwner !== owner) return;
      if (!(await requestStore.isRequested(tx, id)))
        tx.afterCommit(() => fetcher.send({ type: 'forget', id, generation: row.generation }));
      await store.update(
        tx,
        id,
        { state: isWanted ? 'queued' : 'idle', lease_owner: null, lease_until: null, attempts: 0 },
        now,
      );
    });
    runs.delete(id);
    wake();
  }

  function leave(run: Run): void {
    if (run.isOver) runs.delete(run.source.id);
    else stopFetch(run);
    wake();
  }

  function stopFetch(run: Run): void {
    if (run.stopping) return;
    run.stopping = true;
    fetcher.send({ type: 'stop', id: run.source.id });
  }

  return { settle, recordFailure, release, leave, stopFetch };
}
