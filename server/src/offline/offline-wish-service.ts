import { isApiFailure, type ErrorId } from '@bowerbird/contract';
import type { Database, Tx } from '../foundation/database/index.ts';
import type { Clock } from '../foundation/index.ts';
import type { Jobs } from '../foundation/jobs/index.ts';
import type { Quota } from '../membership/index.ts';
import { isFinished, type Tasks } from '../task/index.ts';
import { isWanted, sizeOf, type SourceFileRow, type WishRow } from './offline.ts';
import type { SourceStore } from './source-store.ts';
import type { WishStore } from './wish-store.ts';

export const DELIVER = 'deliver-offline';
/** Files that are kept within so much time are delivered together. */
const GATHER_MS = 2000;

/** What members want, between its beginning and its end. Lock order: task, then source, tree, day, quota. */
export interface Wishes {
  /** Sets quota aside for what isn't in the drive yet; `file_space_not_enough`. */
  reserve(tx: Tx, wish: WishRow, files: readonly SourceFileRow[]): Promise<void>;
  /** As {@link reserve}, each wish by itself; those whose member has no room fail. */
  reserveAll(source: string): Promise<void>;
  /** Ends a task that can't be done; what is in the drive already stays. */
  fail(task: string, error: ErrorId): Promise<void>;
  /** Has what is kept brought into the drives of all who want it: `soon` with what comes meanwhile, or at once. */
  deliver(tx: Tx, source: string, when: 'soon' | 'now'): Promise<void>;
  /** Ends a wish: nothing is set aside for it any more. */
  end(tx: Tx, wish: WishRow): Promise<void>;
}

export function createWishes({
  database,
  wishes: store,
  sources,
  quota,
  tasks,
  jobs,
  clock,
}: {
  database: Database;
  wishes: WishStore;
  sources: SourceStore;
  quota: Quota;
  tasks: Tasks;
  jobs: Jobs;
  clock: Clock;
}): Wishes {
  const service: Wishes = {
    async reserve(tx, wish, files) {
      const delivered = await store.delivered(tx, wish.task);
      const size = sizeOf(
        files.filter(({ position }) => isWanted(wish, position) && !delivered.has(position)),
      );
      const more = (size ?? 0) - wish.reserved;
      if (more > 0) await quota.reserve(tx, wish.account, more);
      if (more < 0) await quota.release(tx, wish.account, -more);
      if (more !== 0) await store.update(tx, wish.task, { reserved: wish.reserved + more });
    },

    async reserveAll(source) {
      const files = await sources.files(database, source);
      for (const { task } of await store.activeEver(database, source)) {
        const error = await database.transaction(async (tx) => {
          await tx.lock(`task:${task}`);
          const wish = await store.find(tx, task);
          if (!wish?.active) return undefined;
          const total = sizeOf(files.filter(({ position }) => isWanted(wish, position)));
          await tasks.update(tx, task, {
            ...(total === undefined ? {} : { fileSize: total, params: { size: String(total) } }),
          });
          // Other rows of the same member may be locked meanwhile: what fails here has changed nothing.
          return service.reserve(tx, wish, files).then(
            () => undefined,
            (failure: unknown) => {
              if (isApiFailure(failure) && failure.id === 'file_space_not_enough') return failure.id;
              throw failure;
            },
          );
        });
        if (error) await service.fail(task, error);
      }
    },

    async fail(task, error) {
      await database.transaction(async (tx) => {
        await tx.lock(`task:${task}`);
        const wish = await store.find(tx, task);
        const row = await tasks.byId(tx, task);
        if (!wish || !row || isFinished(row.phase)) return;
        await service.end(tx, wish);
        await tasks.update(tx, task, { phase: 'PHASE_TYPE_ERROR', error, params: { speed: '0' } });
      });
    },

    async deliver(tx, source, when) {
      const now = clock.now();
      const at = when === 'now' ? now : Math.ceil((now + 1) / GATHER_MS) * GATHER_MS;
      // The key names the time: a delivery that runs already may have looked too early.
      for (const { task } of await store.activeEver(tx, source))
        await jobs.enqueue(tx, DELIVER, { task }, { key: `${task}:${when}:${at}`, delayMs: at - now });
    },

    async end(tx, wish) {
      await quota.release(tx, wish.account, wish.reserved);
      await store.update(tx, wish.task, { active: false, paused: false, reserved: 0 });
    },
  };
  return service;
}
