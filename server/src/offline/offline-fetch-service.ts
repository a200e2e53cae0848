import { setTimeout as sleep } from 'node:timers/promises';
import { createLeaseOwner, type Ids } from '../foundation/index.ts';
import type { Benefits, Quota, Traffic } from '../membership/index.ts';
import { createRunEndings } from './fetch-run-ending-service.ts';
import { createRun, type Run } from './fetch-run.ts';
import { recordFetchEvents, type FetchEventsDeps } from './offline-event-service.ts';
import { dayOf, wantedBy, type OfflineLimits, type SourceRow, type FetchRequestRow } from './offline.ts';
import type { SourceLeaseStore } from './source-lease-store.ts';

/** Leases sources, sends them to the fetcher process, and records its events. */
export interface Fetching {
  /** Starts a round, since a source may be due or no longer wanted. */
  wake(): void;
  start(): void;
  stop(): Promise<void>;
}

const HEARTBEAT_MS = 10_000;
const ROUND_MS = 1_000;
const SAVE_PROGRESS_MS = 2_000;

export interface FetchingDeps extends Omit<
  FetchEventsDeps,
  'runs' | 'owner' | 'stopped' | 'wake' | 'endings'
> {
  readonly leaseStore: SourceLeaseStore;
  readonly quota: Quota;
  readonly benefits: Benefits;
  readonly traffic: Pick<Traffic, 'left'>;
  readonly limits: OfflineLimits;
  readonly ids: Ids;
}

export function createFetching(deps: FetchingDeps): Fetching {
  const { database, store, fileStore, leaseStore, requestStore, tasks, quota, fetcher, questions } = deps;
  const { benefits, traffic, limits, clock, ids, log } = deps;
  const { name: owner, isGone } = createLeaseOwner(ids);
  const runs = new Map<string, Run>();
  const stopped = new AbortController();
  let wakeUp: (() => void) | undefined;
  let loop: Promise<void> | undefined;
  let renewedAt = 0;
  let savedAt = 0;

  const wake = (): void => wakeUp?.();
  const endings = createRunEndings({ ...deps, runs, owner, wake });
  const { settle, recordFailure, stopFetch } = endings;
  recordFetchEvents({ ...deps, runs, owner, stopped: stopped.signal, wake, endings });

  /**
   * The most that any of the members who want a source may fetch: the limit for a source of unknown size; and whether
   * it is the traffic of their month that limits it.
   */
  async function roomOf(
    activeRequests: readonly FetchRequestRow[],
  ): Promise<{ maxBytes: number; isTraffic: boolean }> {
    const rooms = await Promise.all(
      activeRequests.map(async ({ account, reserved }) => {
        const { limit, used, reserved: aside } = await quota.of(database, account);
        const { taskSize } = await benefits.entitlements(database, account);
        const maxBytes = Math.max(0, Math.min(taskSize, limit - used - aside + reserved));
        const left = (await traffic.left(database, account, 'offline')) + reserved;
        return left < maxBytes ? { maxBytes: left, isTraffic: true } : { maxBytes, isTraffic: false };
      }),
    );
    const none = { maxBytes: 0, isTraffic: false };
    return rooms.reduce((most, room) => (room.maxBytes > most.maxBytes ? room : most), rooms[0] ?? none);
  }

  /** Returns the accounts that can't fetch any more now. */
  async function saturated(now: number): Promise<string[]> {
    const { least } = benefits;
    const counts = await leaseStore.running(database);
    const busy = [...counts].filter(([, count]) => count >= least.tasksRunning).map(([account]) => account);
    const spent =
      least.trafficDaily === Infinity
        ? new Map<string, number>()
        : await requestStore.above(database, dayOf(now), least.trafficDaily);
    const full: string[] = [];
    for (const account of new Set([...busy, ...spent.keys()])) {
      const { tasksRunning, trafficDaily } = await benefits.entitlements(database, account);
      if ((counts.get(account) ?? 0) >= tasksRunning || (spent.get(account) ?? 0) >= trafficDaily)
        full.push(account);
    }
    return full;
  }

  async function begin(source: SourceRow): Promise<void> {
    const { id, kind, generation, facts } = source;
    const now = clock.now();
    const run = createRun(source);
    runs.set(id, run);
    const activeRequests = await requestStore.active(database, id, now);
    const wanted = wantedBy(activeRequests);
    run.wanted = JSON.stringify(wanted);
    const files = kind === 'torrent' ? await fileStore.list(database, id) : [];
    const keptFiles = new Set(files.filter(({ state }) => state === 'kept').map(({ position }) => position));
    await database.transaction(async (tx) => {
      await fileStore.turn(tx, id, 'failed', { state: 'waiting' }, wanted ?? undefined);
      for (const { task } of activeRequests)
        await tasks.update(tx, task, {
          phase: 'PHASE_TYPE_RUNNING',
          message: 'Saving',
          params: { step: facts ? 'fetching' : 'resolving', speed: '0' },
        });
    });
    if (
      files.length > 0 &&
      (wanted ?? files.map(({ position }) => position)).every((position) => keptFiles.has(position))
    )
      return settle(run);
    const spec = await store.spec(database, id);
    if (!spec) return recordFailure(run, { error: 'internal', final: true });
    const resume = await store.resume(database, id);
    const { maxBytes, isTraffic } = await roomOf(activeRequests);
    run.isShortOfTraffic = isTraffic;
    // The fetcher crashed in the meantime, and the source was released.
    if (run.isOver) return;
    fetcher.send({ type: 'fetch', id, spec, generation, wanted, kept: [...keptFiles], resume, maxBytes });
  }

  async function renew(): Promise<void> {
    const now = clock.now();
    if (now - renewedAt < HEARTBEAT_MS || runs.size === 0) return;
    renewedAt = now;
    const mine = new Set(
      await database.transaction((tx) => leaseStore.renew(tx, owner, [...runs.keys()]), {
        durable: false,
      }),
    );
    for (const run of runs.values()) if (!mine.has(run.source.id) && !run.stopping) stopFetch(run);
  }

  /** Updates the wanted files of running sources, and stops sources that nobody wants. */
  async function updateWanted(): Promise<void> {
    for (const run of [...runs.values()]) {
      if (run.stopping || run.isOver) continue;
      const activeRequests = await requestStore.active(database, run.source.id, clock.now());
      if (activeRequests.length === 0) {
        stopFetch(run);
        continue;
      }
      const wanted = wantedBy(activeRequests);
      if (JSON.stringify(wanted) === run.wanted) continue;
      run.wanted = JSON.stringify(wanted);
      fetcher.send({ type: 'want', id: run.source.id, wanted });
    }
  }

  /** Saves progress for the pages, and for a process that continues after this one. */
  async function saveProgress(): Promise<void> {
    const now = clock.now();
    if (now - savedAt < SAVE_PROGRESS_MS) return;
    savedAt = now;
    for (const run of runs.values()) {
      const { progress } = run;
      if (!progress) continue;
      run.progress = undefined;
      const moved = [...run.moved];
      run.moved.clear();
      await database.transaction(
        async (tx) => {
          for (const [index, received] of moved)
            await fileStore.update(tx, run.source.id, index, { received });
          for (const { task } of await requestStore.active(tx, run.source.id, now)) {
            const { step, received, speed, peers } = progress;
            const params: Record<string, string> = {
              step,
              speed: String(Math.round(speed)),
              ...(peers === undefined ? {} : { peers: String(peers) }),
            };
            // While a source is resolved again, or staged bytes are checked, no progress is lost yet: keep the old
            // figure.
            if (step === 'resolving') {
              await tasks.update(tx, task, { params });
              continue;
            }
            const row = await tasks.byId(tx, task);
            const share = row && row.fileSize > 0 ? received / row.fileSize : 0;
            await tasks.update(tx, task, {
              progress: Math.min(99, Math.floor(share * 100)),
              params: { ...params, received: String(received) },
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
      if (!(await leaseStore.isDue(database, now))) return;
      const full = await saturated(now);
      const source = await database.transaction((tx) => leaseStore.take(tx, { owner, now, saturated: full }));
      if (!source) return;
      // This process let its own lease expire, but is still working on the source.
      if (runs.has(source.id)) return;
      try {
        await begin(source);
      } catch (error) {
        runs.delete(source.id);
        log.error({ err: error, source: source.id }, 'could not start fetching source');
      }
    }
  }

  /** Takes back the leases of killed processes of this machine. */
  async function reclaim(): Promise<void> {
    for (const name of await leaseStore.owners(database))
      if (isGone(name)) await database.transaction((tx) => leaseStore.reclaim(tx, name));
  }

  async function work(): Promise<void> {
    await reclaim().catch((error: unknown) =>
      log.error({ err: error }, 'could not reclaim leases of ended processes'),
    );
    while (!stopped.signal.aborted) {
      const woken = new Promise<void>((resolve) => (wakeUp = resolve));
      try {
        await renew();
        await updateWanted();
        await saveProgress();
        await lease();
      } catch (error) {
        log.error({ err: error }, 'offline fetch round failed');
      }
      await Promise.race([woken, sleep(ROUND_MS, undefined, { signal: stopped.signal }).catch(() => {})]);
    }
  }

  /** Releases all leases, so that the next process does not wait until they expire. */
  async function releaseAll(): Promise<void> {
    const left = [...runs.keys()];
    runs.clear();
    await database.transaction(async (tx) => {
      const now = clock.now();
      for (const id of await leaseStore.renew(tx, owner, left))
        await store.update(
          tx,
          id,
          { state: 'queued', lease_owner: null, lease_until: null, attempts: 0 },
          now,
        );
    });
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
      await releaseAll().catch((error: unknown) =>
        log.warn({ err: error }, 'could not release source leases; they will expire'),
      );
    },
  };
}
