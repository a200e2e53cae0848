import { setTimeout as sleep } from 'node:timers/promises';
import { createLeaseOwner, type Ids } from '../foundation/index.ts';
import type { Quota } from '../membership/index.ts';
import { createRun, type Run } from './fetch-run.ts';
import { createHearing, type HearingDeps } from './offline-hearing-service.ts';
import { dayOf, wantedBy, type OfflineLimits, type SourceRow, type WishRow } from './offline.ts';

/** Leases sources, has them fetched by the process beside, and writes down what it says. */
export interface Fetching {
  /** Something may be due, or not wanted any more. */
  wake(): void;
  start(): void;
  stop(): Promise<void>;
}

const HEARTBEAT_MS = 10_000;
const ROUND_MS = 1_000;
const NOTE_MS = 2_000;

export interface FetchingDeps extends Omit<HearingDeps, 'runs' | 'owner' | 'stopped' | 'wake'> {
  readonly quota: Quota;
  readonly limits: OfflineLimits;
  readonly ids: Ids;
}

export function createFetching(deps: FetchingDeps): Fetching {
  const { database, store, wishStore, tasks, quota, fetcher, questions } = deps;
  const { limits, clock, ids, log } = deps;
  const { name: owner, isGone } = createLeaseOwner(ids);
  const runs = new Map<string, Run>();
  const stopped = new AbortController();
  let wakeUp: (() => void) | undefined;
  let loop: Promise<void> | undefined;
  let renewedAt = 0;
  let notedAt = 0;

  const wake = (): void => wakeUp?.();
  const { settle, leave, stopOrder } = createHearing({ ...deps, runs, owner, stopped: stopped.signal, wake });

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
    const run = createRun(source);
    runs.set(id, run);
    const present = await wishStore.active(database, id, now);
    const wanted = wantedBy(present);
    run.wanted = JSON.stringify(wanted);
    const files = kind === 'torrent' ? await store.files(database, id) : [];
    const keptFiles = new Set(files.filter(({ state }) => state === 'kept').map(({ position }) => position));
    await database.transaction(async (tx) => {
      await store.turnFiles(tx, id, 'failed', { state: 'waiting' }, wanted ?? undefined);
      for (const { task } of present)
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
    if (!spec) return leave(run, { error: 'internal', final: true });
    const resume = await store.resume(database, id);
    const maxBytes = await roomOf(present);
    // The fetcher died meanwhile, and it was given back.
    if (run.isOver) return;
    fetcher.send({ order: 'fetch', id, spec, generation, wanted, kept: [...keptFiles], resume, maxBytes });
  }

  async function renew(): Promise<void> {
    const now = clock.now();
    if (now - renewedAt < HEARTBEAT_MS || runs.size === 0) return;
    renewedAt = now;
    const mine = new Set(
      await database.transaction((tx) => store.renew(tx, owner, [...runs.keys()]), {
        durable: false,
      }),
    );
    for (const run of runs.values()) if (!mine.has(run.source.id) && !run.stopping) stopOrder(run);
  }

  /** Tells the fetcher of running sources that are wanted differently now, or not at all. */
  async function compare(): Promise<void> {
    for (const run of [...runs.values()]) {
      if (run.stopping || run.isOver) continue;
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
            const said: Record<string, string> = {
              step,
              speed: String(Math.round(speed)),
              ...(peers === undefined ? {} : { peers: String(peers) }),
            };
            // Whoever looks for a source again, or at what an earlier process left, has lost nothing of it yet.
            if (step === 'resolving') {
              await tasks.update(tx, task, { params: said });
              continue;
            }
            const row = await tasks.byId(tx, task);
            const share = row && row.fileSize > 0 ? received / row.fileSize : 0;
            await tasks.update(tx, task, {
              progress: Math.min(99, Math.floor(share * 100)),
              params: { ...said, received: String(received) },
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
      const saturated = [...(await store.running(database))]
        .filter(([, count]) => count >= limits.running)
        .map(([account]) => account);
      if (limits.traffic !== undefined)
        saturated.push(...(await wishStore.above(database, dayOf(now), limits.traffic)));
      const source = await database.transaction((tx) => store.lease(tx, { owner, now, saturated }));
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

  /** Whoever comes next need not wait for the leases to run out. */
  async function giveBack(): Promise<void> {
    const left = [...runs.keys()];
    runs.clear();
    await database.transaction(async (tx) => {
      const now = clock.now();
      for (const id of await store.renew(tx, owner, left))
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
      await giveBack().catch((error: unknown) =>
        log.warn({ err: error }, 'leases could not be given back; they run out'),
      );
    },
  };
}
