import type { FetchFailure, FetchEvent, SourceFacts } from '@bowerbird/contract';
import type { BlobStore } from '@bowerbird/storage';
import type { Blobs } from '../drive/index.ts';
import { awaitDatabase, type Database } from '../foundation/database/index.ts';
import type { Clock, Log } from '../foundation/index.ts';
import type { Tasks } from '../task/index.ts';
import type { Run } from './fetch-run.ts';
import type { Fetcher, CommandEvent } from './fetcher.ts';
import type { Questions } from './offline-question-service.ts';
import { specOf, type Sources } from './offline-source-service.ts';
import type { FetchRequests } from './offline-request-service.ts';
import { isOutage, isWanted, retryAfter, wantedBy, type SourceRow } from './offline.ts';
import type { SourceFileStore } from './source-file-store.ts';
import type { SourceStore } from './source-store.ts';
import type { FetchRequestStore } from './fetch-request-store.ts';

/** Records the fetcher's events in the database, one event of a source at a time. */
export interface FetchEvents {
  /** Ends a run of which every wanted file is kept or has failed. `running`: the fetcher still has to be stopped. */
  settle(run: Run, running?: boolean): Promise<void>;
  /** Records a failed run: schedules a retry, or fails its tasks. */
  recordFailure(run: Run, failure: FetchFailure): Promise<void>;
  /** Tells the fetcher to stop a run; at most once. */
  stopFetch(run: Run): void;
}

export interface FetchEventsDeps {
  readonly database: Database;
  readonly storage: BlobStore;
  readonly store: SourceStore;
  readonly fileStore: SourceFileStore;
  readonly requestStore: FetchRequestStore;
  readonly sources: Sources;
  readonly requests: FetchRequests;
  readonly blobs: Blobs;
  readonly tasks: Tasks;
  readonly fetcher: Fetcher;
  readonly questions: Questions;
  readonly clock: Clock;
  readonly log: Log;
  /** The sources that this process has leased, by id. */
  readonly runs: Map<string, Run>;
  /** The name under which this process leases. */
  readonly owner: string;
  /** Aborted when the process ends, to stop all waiting. */
  readonly stopped: AbortSignal;
  /** Starts a round of the fetch loop, since a source may be due. */
  readonly wake: () => void;
}

/** An internal failure, which a retry may fix. */
const BROKEN: FetchFailure = { error: 'internal', final: false };
const LAST_EVENTS: ReadonlySet<FetchEvent['type']> = new Set(['settled', 'failed', 'stopped']);

export function createFetchEvents(deps: FetchEventsDeps): FetchEvents {
  const {
    database,
    storage,
    store,
    fileStore,
    requestStore,
    sources,
    requests,
    blobs,
    tasks,
    fetcher,
    questions,
  } = deps;
  const { clock, log, runs, owner, stopped, wake } = deps;

  fetcher.subscribe({
    onEvent(event) {
      if (questions.onEvent(event)) return;
      const run = runs.get(event.id);
      if (!run) return;
      if (event.type === 'progress') return recordProgress(run, event);
      run.isOver ||= LAST_EVENTS.has(event.type);
      enqueue(run, () => onEvent(run, event));
    },
    onCrash() {
      questions.rejectAll();
      for (const run of runs.values()) {
        run.isOver = true;
        enqueue(run, () => recordFailure(run, BROKEN));
      }
    },
  });

  /**
   * Runs a write after the writes of earlier events. Waits while the database is unavailable: the fetcher sends nothing
   * twice, and a lost write would leave the source leased with nobody working on it.
   */
  function enqueue(run: Run, write: () => Promise<void>): void {
    run.last = run.last
      .then(() => awaitDatabase(write, { log, signal: stopped }))
      .catch((error: unknown) => handleWriteError(run, error))
      .catch((error: unknown) => {
        // Without renewal the lease expires, and the next process to lease the source starts over.
        runs.delete(run.source.id);
        if (!stopped.aborted)
          log.error({ err: error, source: run.source.id }, 'could not release source lease');
      });
  }

  /** Restarts a run with an event that cannot be recorded, so that the source is not leased forever. */
  async function handleWriteError(run: Run, error: unknown): Promise<void> {
    if (stopped.aborted) return;
    log.error({ err: error, source: run.source.id }, 'could not record fetcher event');
    run.broken = BROKEN;
    if (run.isOver) await awaitDatabase(() => recordFailure(run, BROKEN), { log, signal: stopped });
    else stopFetch(run);
  }

  async function onEvent(run: Run, event: CommandEvent): Promise<void> {
    if ((await store.find(database, event.id))?.leaseOwner !== owner) return onLostLease(run);
    switch (event.type) {
      case 'facts':
        return storeFacts(run, event.facts);
      case 'resume':
        return database.transaction((tx) => store.update(tx, event.id, { resume: event.state }, clock.now()));
      case 'kept':
        return kept(run, event);
      case 'file-failed':
        return database.transaction((tx) =>
          fileStore.update(tx, event.id, event.index, { state: 'failed', failure: event.failure }),
        );
      case 'settled':
        return settle(run);
      case 'failed':
        return recordFailure(run, event.failure);
      case 'stopped':
        return run.broken ? recordFailure(run, run.broken) : release(run);
    }
  }

  function recordProgress(run: Run, event: Extract<FetchEvent, { type: 'progress' }>): void {
    run.progress = event;
    for (const [index, received] of event.files) run.moved.set(index, received);
  }

  /** Drops a run whose source another process has leased meanwhile. */
  function onLostLease(run: Run): void {
    if (run.isOver) runs.delete(run.source.id);
    else stopFetch(run);
    wake();
  }

  async function storeFacts(run: Run, facts: SourceFacts): Promise<void> {
    const { id, kind } = run.source;
    if (facts.kind !== kind) return becomeTorrent(run, facts);
    const row = await database.transaction((tx) => sources.recordFacts(tx, id, facts));
    await requests.reserveAll(id);
    await nameTasks(row);
    const files = kind === 'web' ? await fileStore.list(database, id) : [];
    // This version is stored already and needs no second download.
    if (files.length > 0 && (await sources.kept(database, files)).size === files.length)
      await settle(run, true);
  }

  /** Moves all requests for an address that leads to a .torrent file or magnet link to the torrent. */
  async function becomeTorrent(run: Run, facts: SourceFacts): Promise<void> {
    const spec = specOf({ kind: 'torrent', infoHash: '', magnet: '' }, facts);
    const torrent = await database.transaction(async (tx) => {
      const source = await sources.ensure(tx, '', spec);
      const row = facts.files.length === 0 ? source : await sources.recordFacts(tx, source.id, facts);
      for (const request of await requestStore.activeOrScheduled(tx, run.source.id)) {
        await requestStore.update(tx, request.task, { source: row.id });
        await tasks.update(tx, request.task, {
          params: { source: 'torrent', ...(row.facts ? { file_count: String(row.facts.count) } : {}) },
        });
      }
      await sources.queue(tx, row.id, 1);
      return row;
    });
    if (torrent.facts) {
      await requests.reserveAll(torrent.id);
      await nameTasks(torrent);
    }
    await release(run);
  }

  async function nameTasks({ id, facts }: SourceRow): Promise<void> {
    await database.transaction(async (tx) => {
      for (const { task } of await requestStore.activeOrScheduled(tx, id))
        await tasks.update(tx, task, {
          name: facts!.name,
          fileName: facts!.name,
          params: { file_count: String(facts!.count) },
        });
    });
  }

  async function kept(run: Run, { index, file }: Extract<FetchEvent, { type: 'kept' }>): Promise<void> {
    const { id } = run.source;
    await database.transaction(async (tx) => {
      await sources.lock(tx, id);
      const { row } = await blobs.ensure(tx, file);
      await blobs.release(tx, row);
      await fileStore.update(tx, id, index, {
        state: 'kept',
        hash: row.hash,
        size: file.size,
        received: file.size,
        failure: null,
      });
      await store.update(tx, id, { attempts: 1 }, clock.now());
      await requests.deliver(tx, id, 'soon');
      if (row.store_key !== file.storeKey)
        tx.afterCommit(
          () =>
            void storage
              .remove(file.storeKey)
              .catch((error: unknown) => log.warn({ err: error }, 'could not delete duplicate blob')),
        );
    });
    run.moved.delete(index);
  }

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
      // A new request may have added files meanwhile.
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

  async function recordFailure(run: Run, failure: FetchFailure): Promise<void> {
    const { id } = run.source;
    const held = await store.find(database, id);
    if (held?.leaseOwner !== owner) return onLostLease(run);
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

  /** Releases a source that was stopped or became a torrent: back to the queue, or idle if nobody wants it. */
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

  function stopFetch(run: Run): void {
    if (run.stopping) return;
    run.stopping = true;
    fetcher.send({ type: 'stop', id: run.source.id });
  }

  return { settle, recordFailure, stopFetch };
}
