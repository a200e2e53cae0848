import type { Drive } from '../drive/index.ts';
import type { Database, Tx } from '../foundation/database/index.ts';
import type { Clock } from '../foundation/index.ts';
import type { TaskRow, Tasks } from '../task/index.ts';
import type { Fetching } from './offline-fetch-service.ts';
import type { Sources } from './offline-source-service.ts';
import type { Wishes } from './offline-wish-service.ts';
import { isWanted, PRIORITIES, type Priority, type WishRow } from './offline.ts';
import type { SourceStore } from './source-store.ts';
import type { WishStore } from './wish-store.ts';

/** What members do with their tasks. Tasks of others, and those in a state that doesn't fit, are passed over. */
export interface Controls {
  pause(account: string, tasks: readonly string[]): Promise<void>;
  /** Pauses all, for an account that may not be used any more; its owner goes on with them by hand. */
  pauseAll(account: string): Promise<void>;
  resume(account: string, tasks: readonly string[]): Promise<void>;
  /** What failed is fetched again, and only that; `file_space_not_enough`. */
  retry(account: string, tasks: readonly string[]): Promise<void>;
  prioritize(account: string, tasks: readonly string[], priority: Priority): Promise<void>;
}

export function createControls({
  database,
  store,
  wishStore,
  sources,
  wishes,
  fetching,
  tasks,
  trash,
  clock,
}: {
  database: Database;
  store: SourceStore;
  wishStore: WishStore;
  sources: Sources;
  wishes: Wishes;
  fetching: Pick<Fetching, 'wake'>;
  tasks: Tasks;
  trash: Drive['trash'];
  clock: Clock;
}): Controls {
  /** One transaction for each: a refusal of one leaves the others as they are. */
  async function each(
    account: string,
    ids: readonly string[],
    change: (tx: Tx, task: TaskRow, wish: WishRow) => Promise<void>,
  ): Promise<void> {
    for (const id of new Set(ids)) {
      await database.transaction(async (tx) => {
        await tx.lock(`task:${id}`);
        const task = await tasks.find(tx, account, id);
        const wish = task && (await wishStore.find(tx, id));
        if (task && wish) await change(tx, task, wish);
      });
    }
    fetching.wake();
  }

  tasks.onRemoval('offline', async (tx, task, withFiles) => {
    const wish = await wishStore.find(tx, task.id);
    if (withFiles && wish?.root !== undefined) await trash(tx, task.account, [wish.root]);
    if (wish) await wishes.end(tx, wish);
    tx.afterCommit(() => fetching.wake());
  });

  const controls: Controls = {
    pause: (account, ids) =>
      each(account, ids, async (tx, task) => {
        if (task.phase !== 'PHASE_TYPE_PENDING' && task.phase !== 'PHASE_TYPE_RUNNING') return;
        await wishStore.update(tx, task.id, { active: false, paused: true });
        await tasks.update(tx, task.id, { phase: 'PHASE_TYPE_PAUSED', params: { speed: '0' } });
      }),

    pauseAll: async (account) => controls.pause(account, await wishStore.goingOn(database, account)),

    resume: (account, ids) =>
      each(account, ids, async (tx, task, wish) => {
        if (task.phase !== 'PHASE_TYPE_PAUSED') return;
        await wishStore.update(tx, task.id, { active: true, paused: false });
        await tasks.update(tx, task.id, { phase: 'PHASE_TYPE_PENDING', params: { step: 'waiting' } });
        await sources.queue(tx, wish.source, wish.priority);
      }),

    retry: (account, ids) =>
      each(account, ids, async (tx, task, wish) => {
        if (task.phase !== 'PHASE_TYPE_ERROR') return;
        const files = await store.files(tx, wish.source);
        await sources.lock(tx, wish.source);
        const failed = files.filter(({ position, state }) => state === 'failed' && isWanted(wish, position));
        await store.turnFiles(
          tx,
          wish.source,
          'failed',
          { state: 'waiting' },
          failed.map(({ position }) => position),
        );
        await wishStore.update(tx, task.id, { active: true, paused: false });
        await tasks.update(tx, task.id, {
          phase: 'PHASE_TYPE_PENDING',
          message: '',
          params: { step: 'waiting', failed: '0', error: '' },
        });
        await sources.queue(tx, wish.source, wish.priority);
        await wishes.reserve(tx, { ...wish, active: true }, files);
      }),

    async prioritize(account, ids, priority) {
      await each(account, ids, async (tx, task, wish) => {
        await wishStore.update(tx, task.id, { priority: PRIORITIES[priority] });
        await tasks.update(tx, task.id, { params: { priority } });
        await sources.lock(tx, wish.source);
        const all = await wishStore.activeEver(tx, wish.source);
        const first = Math.min(PRIORITIES[priority], ...all.map((other) => other.priority));
        await store.update(tx, wish.source, { priority: first }, clock.now());
      });
    },
  };
  return controls;
}
