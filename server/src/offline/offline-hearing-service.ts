import type { FetchFailure, FetchWord, SourceFacts } from '@bowerbird/contract';
import type { BlobStore } from '@bowerbird/storage';
import type { Blobs } from '../drive/index.ts';
import { awaitDatabase, type Database } from '../foundation/database/index.ts';
import type { Clock, Log } from '../foundation/index.ts';
import type { Tasks } from '../task/index.ts';
import type { Run } from './fetch-run.ts';
import type { Fetcher, OrderWord } from './fetcher.ts';
import type { Questions } from './offline-question-service.ts';
import { specOf, type Sources } from './offline-source-service.ts';
import type { Wishes } from './offline-wish-service.ts';
import { isOutage, isWanted, retryAfter, wantedBy, type SourceRow } from './offline.ts';
import type { SourceStore } from './source-store.ts';
import type { WishStore } from './wish-store.ts';

/** Writes down what the fetcher says, one word of a source after the other. */
export interface Hearing {
  /** Every wanted file is kept or has failed. `running` where the fetcher still has to be stopped for that. */
  settle(run: Run, running?: boolean): Promise<void>;
  /** It went wrong: to be tried again later, or never. */
  leave(run: Run, failure: FetchFailure): Promise<void>;
  /** Has the fetcher end an order; once. */
  stopOrder(run: Run): void;
}

export interface HearingDeps {
  readonly database: Database;
  readonly storage: BlobStore;
  readonly store: SourceStore;
  readonly wishStore: WishStore;
  readonly sources: Sources;
  readonly wishes: Wishes;
  readonly blobs: Blobs;
  readonly tasks: Tasks;
  readonly fetcher: Fetcher;
  readonly questions: Questions;
  readonly clock: Clock;
  readonly log: Log;
  /** What this process has leased, by the source's id. */
  readonly runs: Map<string, Run>;
  /** The name under which this process leases. */
  readonly owner: string;
  /** Aborted when the process ends: nothing is waited for any more. */
  readonly stopped: AbortSignal;
  /** Something may be due. */
  readonly wake: () => void;
}

/** Something of ours failed: the next try may do better. */
const BROKEN: FetchFailure = { error: 'internal', final: false };
const LAST_WORDS: ReadonlySet<FetchWord['word']> = new Set(['settled', 'failed', 'stopped']);

export function createHearing(deps: HearingDeps): Hearing {
  const { database, storage, store, wishStore, sources, wishes, blobs, tasks, fetcher, questions } = deps;
  const { clock, log, runs, owner, stopped, wake } = deps;

  fetcher.attend({
    word(word) {
      if (questions.hear(word)) return;
      const run = runs.get(word.id);
      if (!run) return;
      if (word.word === 'progress') return progressed(run, word);
      run.isOver ||= LAST_WORDS.has(word.word);
      inTurn(run, () => hear(run, word));
    },
    lost() {
      questions.lost();
      for (const run of runs.values()) {
        run.isOver = true;
        inTurn(run, () => leave(run, BROKEN));
      }
    },
  });

  /**
   * Writes something down after what was said before it. While the database is away it waits: the fetcher says nothing twice,
   * and what is not written down would leave the source leased, with nobody working on it.
   */
  function inTurn(run: Run, write: () => Promise<void>): void {
    run.last = run.last
      .then(() => awaitDatabase(write, { log, signal: stopped }))
      .catch((error: unknown) => giveUp(run, error))
      .catch((error: unknown) => {
        // Not renewed any more, the lease runs out, and whoever takes it next begins anew.
        runs.delete(run.source.id);
        if (!stopped.aborted)
          log.error({ err: error, source: run.source.id }, 'a source could not be given back');
      });
  }

  /** What can't be written down however often it is tried must not keep the source. */
  async function giveUp(run: Run, error: unknown): Promise<void> {
    if (stopped.aborted) return;
    log.error({ err: error, source: run.source.id }, 'what the fetcher said could not be written down');
    run.broken = BROKEN;
    if (run.isOver) await awaitDatabase(() => leave(run, BROKEN), { log, signal: stopped });
    else stopOrder(run);
  }

  async function hear(run: Run, word: OrderWord): Promise<void> {
    if ((await store.find(database, word.id))?.leaseOwner !== owner) return lostLease(run);
    switch (word.word) {
      case 'facts':
        return learned(run, word.facts);
      case 'resume':
        return database.transaction((tx) => store.update(tx, word.id, { resume: word.state }, clock.now()));
      case 'kept':
        return kept(run, word);
      case 'file-failed':
        return database.transaction((tx) =>
          store.updateFile(tx, word.id, word.index, { state: 'failed', failure: word.failure }),
        );
      case 'settled':
        return settle(run);
      case 'failed':
        return leave(run, word.failure);
      case 'stopped':
        return run.broken ? leave(run, run.broken) : letGo(run);
    }
  }

  function progressed(run: Run, word: Extract<FetchWord, { word: 'progress' }>): void {
    run.progress = word;
    for (const [index, received] of word.files) run.moved.set(index, received);
  }

  /** Another process took it over meanwhile: what was fetched here is its business no more. */
  function lostLease(run: Run): void {
    if (run.isOver) runs.delete(run.source.id);
    else stopOrder(run);
    wake();
  }

  async function learned(run: Run, facts: SourceFacts): Promise<void> {
    const { id, kind } = run.source;
    if (facts.kind !== kind) return becomeTorrent(run, facts);
    const row = await database.transaction((tx) => sources.learn(tx, id, facts));
    await wishes.reserveAll(id);
    await nameTasks(row);
    const files = kind === 'web' ? await store.files(database, id) : [];
    // The same version of it is here already: nothing has to come twice.
    if (files.length > 0 && (await sources.kept(database, files)).size === files.length)
      await settle(run, true);
  }

  /** An address that leads to a .torrent file or a magnet link: who wanted the one wants the other. */
  async function becomeTorrent(run: Run, facts: SourceFacts): Promise<void> {
    const spec = specOf({ kind: 'torrent', infoHash: '', magnet: '' }, facts);
    const torrent = await database.transaction(async (tx) => {
      const source = await sources.ensure(tx, '', spec);
      const row = facts.files.length === 0 ? source : await sources.learn(tx, source.id, facts);
      for (const wish of await wishStore.activeEver(tx, run.source.id)) {
        await wishStore.update(tx, wish.task, { source: row.id });
        await tasks.update(tx, wish.task, {
          params: { source: 'torrent', ...(row.facts ? { file_count: String(row.facts.count) } : {}) },
        });
      }
      await sources.queue(tx, row.id, 1);
      return row;
    });
    if (torrent.facts) {
      await wishes.reserveAll(torrent.id);
      await nameTasks(torrent);
    }
    await letGo(run);
  }

  async function nameTasks({ id, facts }: SourceRow): Promise<void> {
    await database.transaction(async (tx) => {
      for (const { task } of await wishStore.activeEver(tx, id))
        await tasks.update(tx, task, {
          name: facts!.name,
          fileName: facts!.name,
          params: { file_count: String(facts!.count) },
        });
    });
  }

  async function kept(run: Run, { index, file }: Extract<FetchWord, { word: 'kept' }>): Promise<void> {
    const { id } = run.source;
    await database.transaction(async (tx) => {
      await sources.lock(tx, id);
      const { row } = await blobs.ensure(tx, file);
      await blobs.release(tx, row);
      await store.updateFile(tx, id, index, {
        state: 'kept',
        hash: row.hash,
        size: file.size,
        received: file.size,
        failure: null,
      });
      await store.update(tx, id, { attempts: 1 }, clock.now());
      await wishes.deliver(tx, id, 'soon');
      if (row.store_key !== file.storeKey)
        tx.afterCommit(
          () =>
            void storage
              .remove(file.storeKey)
              .catch((error: unknown) => log.warn({ err: error }, 'doubled bytes could not be removed')),
        );
    });
    run.moved.delete(index);
  }

  /** Every wanted file is kept or has failed. */
  async function settle(run: Run, running = false): Promise<void> {
    if (running) {
      // What has come of it meanwhile is not needed.
      run.stopping = true;
      fetcher.send({ order: 'forget', id: run.source.id, generation: run.source.generation });
    }
    await database.transaction(async (tx) => {
      await sources.lock(tx, run.source.id);
      const now = clock.now();
      const files = await store.files(tx, run.source.id);
      const present = await wishStore.active(tx, run.source.id, now);
      const isOpen = files.some(
        ({ position, state }) => state === 'waiting' && present.some((wish) => isWanted(wish, position)),
      );
      // Somebody came to want more in the last moment.
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
      await wishes.deliver(tx, run.source.id, 'now');
    });
    if (!running) runs.delete(run.source.id);
    wake();
  }

  /** It went wrong: to be tried again later, or never. */
  async function leave(run: Run, failure: FetchFailure): Promise<void> {
    const { id } = run.source;
    const held = await store.find(database, id);
    if (held?.leaseOwner !== owner) return lostLease(run);
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
        for (const { task } of await wishStore.active(tx, id, now))
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
      const present = await wishStore.activeEver(tx, id);
      const row = (await store.find(tx, id))!;
      if (row.facts) {
        const wanted = wantedBy(present);
        await store.turnFiles(tx, id, 'waiting', { state: 'failed', failure }, wanted ?? undefined);
        await wishes.deliver(tx, id, 'now');
      }
      await store.update(tx, id, { state: 'idle', lease_owner: null, lease_until: null, failure }, now);
      return row.facts ? [] : present;
    });
    runs.delete(id);
    for (const { task } of doomed) await wishes.fail(task, failure.error);
    wake();
  }

  /** It was stopped, or has become something else: back to where it belongs. */
  async function letGo(run: Run): Promise<void> {
    const { id } = run.source;
    await database.transaction(async (tx) => {
      await sources.lock(tx, id);
      const now = clock.now();
      const isWanted = (await wishStore.activeEver(tx, id)).length > 0;
      const row = await store.find(tx, id);
      if (row?.leaseOwner !== owner) return;
      if (!(await wishStore.isHeld(tx, id)))
        tx.afterCommit(() => fetcher.send({ order: 'forget', id, generation: row.generation }));
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

  function stopOrder(run: Run): void {
    if (run.stopping) return;
    run.stopping = true;
    fetcher.send({ order: 'stop', id: run.source.id });
  }

  return { settle, leave, stopOrder };
}
