import { setTimeout as sleep } from 'node:timers/promises';
import type { FetchFailure, FetchWord, SourceFacts } from '@bowerbird/contract';
import type { BlobStore } from '@bowerbird/storage';
import type { Blobs } from '../drive/index.ts';
import type { Database } from '../foundation/database/index.ts';
import { createLeaseOwner, type Clock, type Ids, type Log } from '../foundation/index.ts';
import type { Quota } from '../membership/index.ts';
import type { Tasks } from '../task/index.ts';
import type { Fetcher } from './fetcher.ts';
import type { Questions } from './offline-question-service.ts';
import { specOf, type Sources } from './offline-source-service.ts';
import type { Wishes } from './offline-wish-service.ts';
import { dayOf, retryAfter, wantedBy, type OfflineLimits, type SourceRow, type WishRow } from './offline.ts';
import type { SourceStore } from './source-store.ts';
import type { WishStore } from './wish-store.ts';

/** Leases sources, has them fetched by the process beside, and writes down what it says. */
export interface Fetching {
  /** Something may be due, or not wanted any more. */
  wake(): void;
  start(): void;
  stop(): Promise<void>;
}

interface Run {
  readonly source: SourceRow;
  wanted: string;
  /** Words are worked on one after the other. */
  last: Promise<void>;
  progress: Extract<FetchWord, { word: 'progress' }> | undefined;
  /** Bytes of files that moved since they were last written down. */
  readonly moved: Map<number, number>;
  stopping: boolean;
}

const LEASE_MS = 30_000;
const HEARTBEAT_MS = 10_000;
const ROUND_MS = 1_000;
const NOTE_MS = 2_000;

export interface FetchingDeps {
  readonly database: Database;
  readonly storage: BlobStore;
  readonly store: SourceStore;
  readonly wishStore: WishStore;
  readonly sources: Sources;
  readonly wishes: Wishes;
  readonly blobs: Blobs;
  readonly tasks: Tasks;
  readonly quota: Quota;
  readonly fetcher: Fetcher;
  readonly questions: Questions;
  readonly limits: OfflineLimits;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

export function createFetching(deps: FetchingDeps): Fetching {
  const { database, storage, store, wishStore, sources, wishes, blobs, tasks, quota, fetcher, questions } =
    deps;
  const { limits, clock, ids, log } = deps;
  const { name: owner, isGone } = createLeaseOwner(ids);
  const runs = new Map<string, Run>();
  const stopped = new AbortController();
  let wakeUp: (() => void) | undefined;
  let loop: Promise<void> | undefined;
  let renewedAt = 0;
  let notedAt = 0;

  const wake = (): void => wakeUp?.();

  // ── What the fetcher says ────────────────────────────────────────────────────────────────────────────────────

  fetcher.attend({
    word(word) {
      if (word.word === 'ready') return;
      if (questions.hear(word)) return;
      const run = runs.get(word.id);
      if (!run) return;
      if (word.word === 'progress') return progressed(run, word);
      run.last = run.last
        .then(() => hear(run, word))
        .catch((error: unknown) =>
          log.error({ err: error, source: run.source.id, word: word.word }, 'a word of the fetcher was lost'),
        );
    },
    lost() {
      questions.lost();
      for (const run of [...runs.values()]) {
        run.last = run.last
          .then(() => leave(run, { error: 'internal', final: false }))
          .catch((error: unknown) => log.error({ err: error }, 'a source could not be given back'));
      }
    },
  });

  async function hear(run: Run, word: FetchWord & { id: string }): Promise<void> {
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
        return letGo(run);
    }
  }

  function progressed(run: Run, word: Extract<FetchWord, { word: 'progress' }>): void {
    run.progress = word;
    for (const [index, received] of word.files) run.moved.set(index, received);
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

  /** An address that leads to a .torrent file: who wanted the one wants the other. */
  async function becomeTorrent(run: Run, facts: SourceFacts): Promise<void> {
    const spec = specOf({ kind: 'torrent', infoHash: '', magnet: '' }, facts);
    const torrent = await database.transaction(async (tx) => {
      const source = await sources.ensure(tx, '', spec);
      const row = await sources.learn(tx, source.id, facts);
      for (const wish of await wishStore.activeEver(tx, run.source.id)) {
        await wishStore.update(tx, wish.task, { source: row.id });
        await tasks.update(tx, wish.task, {
          params: { source: 'torrent', file_count: String(row.facts!.count) },
        });
      }
      await sources.queue(tx, row.id, 1);
      return row;
    });
    await wishes.reserveAll(torrent.id);
    await nameTasks(torrent);
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
      await blobs.leave(tx, row);
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
    if (running) stopOrder(run);
    await database.transaction(async (tx) => {
      await sources.lock(tx, run.source.id);
      const now = clock.now();
      const files = await store.files(tx, run.source.id);
      const wanted = wantedBy(await wishStore.active(tx, run.source.id, now));
      const isOpen = files.some(
        ({ position, state }) => state === 'waiting' && (wanted === null || wanted.includes(position)),
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
    runs.delete(id);
    const attempts = (await store.find(database, id))?.attempts ?? 1;
    const wait = retryAfter(attempts, failure);
    if (wait !== undefined) {
      await database.transaction(async (tx) => {
        const now = clock.now();
        await store.update(
          tx,
          id,
          { state: 'queued', lease_owner: null, lease_until: null, not_before: now + wait, failure },
          now,
        );
        for (const { task } of await wishStore.active(tx, id, now))
          await tasks.update(tx, task, {
            params: { step: 'waiting', speed: '0', retry_error: failure.error },
          });
      });
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
    for (const { task } of doomed) await wishes.fail(task, failure.error);
    wake();
  }

  /** It was stopped, or has become something else: back to where it belongs. */
  async function letGo(run: Run): Promise<void> {
    const { id } = run.source;
    runs.delete(id);
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
    wake();
  }

  // ── What it is told ──────────────────────────────────────────────────────────────────────────────────────────

  function stopOrder(run: Run): void {
    if (run.stopping) return;
    run.stopping = true;
    fetcher.send({ order: 'stop', id: run.source.id });
  }

  /** Room in the drive of whoever has the most of it: a source of unknown size may grow so large. */
  async function roomOf(present: readonly WishRow[]): Promise<number> {
    const rooms = await Promise.all(
      present.map(async ({ account, reserved }) => {
        const { limit, used, reserved: aside } = await quota.of(database, account);
        return limit - used - aside + reserved;
      }),
    );
    return Math.max(0, Math.min(limits.size, Math.max(0, ...rooms)));
  }

  async function begin(source: SourceRow): Promise<void> {
    const { id, kind, generation, facts } = source;
    const now = clock.now();
    const run: Run = {
      source,
      wanted: '',
      last: Promise.resolve(),
      progress: undefined,
      moved: new Map(),
      stopping: false,
    };
    runs.set(id, run);
    const present = await wishStore.active(database, id, now);
    const wanted = wantedBy(present);
    run.wanted = JSON.stringify(wanted);
    const files = kind === 'torrent' ? await store.files(database, id) : [];
    const keptFiles = files.filter(({ state }) => state === 'kept').map(({ position }) => position);
    const isDone = (position: number): boolean => keptFiles.includes(position);
    await database.transaction(async (tx) => {
      await store.turnFiles(tx, id, 'failed', { state: 'waiting' }, wanted ?? undefined);
      for (const { task } of present)
        await tasks.update(tx, task, {
          phase: 'PHASE_TYPE_RUNNING',
          message: 'Saving',
          params: { step: facts ? 'fetching' : 'resolving', speed: '0' },
        });
    });
    if (files.length > 0 && (wanted ?? files.map(({ position }) => position)).every(isDone))
      return settle(run);
    const spec = await store.spec(database, id);
    if (!spec) return leave(run, { error: 'internal', final: true });
    fetcher.send({
      order: 'fetch',
      id,
      spec,
      generation,
      wanted,
      kept: keptFiles,
      resume: await store.resume(database, id),
      maxBytes: await roomOf(present),
    });
  }

  // ── Rounds ───────────────────────────────────────────────────────────────────────────────────────────────────

  async function renew(): Promise<void> {
    const now = clock.now();
    if (now - renewedAt < HEARTBEAT_MS || runs.size === 0) return;
    renewedAt = now;
    const mine = new Set(
      await database.transaction((tx) => store.renew(tx, owner, [...runs.keys()], now + LEASE_MS), {
        durable: false,
      }),
    );
    for (const run of runs.values()) if (!mine.has(run.source.id) && !run.stopping) stopOrder(run);
  }

  /** Tells the fetcher of running sources that are wanted differently now, or not at all. */
  async function compare(): Promise<void> {
    for (const run of [...runs.values()]) {
      if (run.stopping) continue;
      const present = await wishStore.active(database, run.source.id, clock.now());
      if (present.length === 0) {
        stopOrder(run);
        continue;
      }
      const wanted = wantedBy(present);
      if (JSON.stringify(wanted) === run.wanted) continue;
      run.wanted = JSON.stringify(wanted);
      fetcher.send({ order: 'want', id: run.source.id, wanted });
    }
  }

  /** Writes progress down: for the pages, and for whoever goes on after this process. */
  async function note(): Promise<void> {
    const now = clock.now();
    if (now - notedAt < NOTE_MS) return;
    notedAt = now;
    for (const run of runs.values()) {
      const { progress } = run;
      if (!progress) continue;
      run.progress = undefined;
      const moved = [...run.moved];
      run.moved.clear();
      await database.transaction(
        async (tx) => {
          for (const [index, received] of moved)
            await store.updateFile(tx, run.source.id, index, { received });
          for (const { task } of await wishStore.active(tx, run.source.id, now)) {
            const { step, received, speed, peers } = progress;
            const row = await tasks.byId(tx, task);
            const share = row && row.fileSize > 0 ? received / row.fileSize : 0;
            await tasks.update(tx, task, {
              progress: Math.min(99, Math.floor(share * 100)),
              params: {
                step,
                received: String(received),
                speed: String(Math.round(speed)),
                ...(peers === undefined ? {} : { peers: String(peers) }),
              },
            });
          }
        },
        { durable: false },
      );
    }
  }

  async function lease(): Promise<void> {
    while (runs.size < limits.slots && !stopped.signal.aborted) {
      const now = clock.now();
      if (!(await store.isDue(database, now))) return;
      const saturated = [...(await store.running(database, now))]
        .filter(([, count]) => count >= limits.running)
        .map(([account]) => account);
      if (limits.traffic !== undefined)
        saturated.push(...(await wishStore.above(database, dayOf(now), limits.traffic)));
      const source = await database.transaction((tx) =>
        store.lease(tx, { owner, now, until: now + LEASE_MS, saturated }),
      );
      if (!source) return;
      // A lease that this very process let run out is still in its hands.
      if (runs.has(source.id)) return;
      try {
        await begin(source);
      } catch (error) {
        runs.delete(source.id);
        log.error({ err: error, source: source.id }, 'a source could not be begun');
      }
    }
  }

  /** Goes on with what a process of this machine was doing that was killed. */
  async function reclaim(): Promise<void> {
    for (const name of await store.owners(database))
      if (isGone(name)) await database.transaction((tx) => store.reclaim(tx, name));
  }

  async function work(): Promise<void> {
    await reclaim().catch((error: unknown) => log.error({ err: error }, 'leases can’t be taken back'));
    while (!stopped.signal.aborted) {
      const woken = new Promise<void>((resolve) => (wakeUp = resolve));
      try {
        await renew();
        await compare();
        await note();
        await lease();
      } catch (error) {
        log.error({ err: error }, 'a round of offline download failed');
      }
      await Promise.race([woken, sleep(ROUND_MS, undefined, { signal: stopped.signal }).catch(() => {})]);
    }
  }

  return {
    wake,
    start() {
      loop ??= work();
    },
    async stop() {
      stopped.abort();
      wake();
      await loop;
      questions.close();
      await fetcher.close();
      await Promise.all([...runs.values()].map(({ last }) => last));
      // Whoever comes next need not wait for the leases to run out.
      const left = [...runs.keys()];
      runs.clear();
      await database.transaction(async (tx) => {
        const now = clock.now();
        for (const id of await store.renew(tx, owner, left, now))
          await store.update(
            tx,
            id,
            { state: 'queued', lease_owner: null, lease_until: null, attempts: 0 },
            now,
          );
      });
    },
  };
}
