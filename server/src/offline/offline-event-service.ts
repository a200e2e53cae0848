import type { FetchFailure, FetchEvent, SourceFacts } from '@bowerbird/contract';
import type { BlobStore } from '@bowerbird/storage';
import type { Blobs } from '../drive/index.ts';
import { awaitDatabase } from '../foundation/database/index.ts';
import type { Log } from '../foundation/index.ts';
import type { RunEndingDeps, RunEndings } from './fetch-run-ending-service.ts';
import type { Run } from './fetch-run.ts';
import type { CommandEvent } from './fetcher.ts';
import type { Questions } from './offline-question-service.ts';
import { specOf } from './offline-source-service.ts';
import type { SourceRow } from './offline.ts';

export interface FetchEventsDeps extends RunEndingDeps {
  readonly storage: BlobStore;
  readonly blobs: Blobs;
  readonly questions: Questions;
  readonly log: Log;
  readonly endings: RunEndings;
  /** Aborted when the process ends, to stop all waiting. */
  readonly stopped: AbortSignal;
}

/** An internal failure, which a retry may fix. */
const BROKEN: FetchFailure = { error: 'internal', final: false };
const LAST_EVENTS: ReadonlySet<FetchEvent['type']> = new Set(['settled', 'failed', 'stopped']);

/** Records the fetcher's events in the database, one event of a source at a time. */
export function recordFetchEvents(deps: FetchEventsDeps): void {
  const { database, storage, store, fileStore, requestStore, sources, requests, blobs, tasks } = deps;
  const { fetcher, questions, clock, log, runs, owner, stopped } = deps;
  const { settle, recordFailure, release, leave, stopFetch } = deps.endings;

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
    if ((await store.find(database, event.id))?.leaseOwner !== owner) return leave(run);
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
}
