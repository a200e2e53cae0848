import type { Drive } from '../drive/index.ts';
import type { Database, Tx } from '../foundation/database/index.ts';
import type { Clock } from '../foundation/index.ts';
import type { TaskRow, Tasks } from '../task/index.ts';
import type { Fetching } from './offline-fetch-service.ts';
import type { Sources } from './offline-source-service.ts';
import type { FetchRequests } from './offline-request-service.ts';
import { isWanted, PRIORITIES, type Priority, type FetchRequestRow } from './offline.ts';
import type { SourceFileStore } from './source-file-store.ts';
import type { SourceStore } from './source-store.ts';
import type { FetchRequestStore } from './fetch-request-store.ts';

/** Pauses, resumes, retries and prioritizes tasks. Skips tasks of other members and tasks in another state. */
export interface Controls {
  pause(account: string, tasks: readonly string[]): Promise<void>;
  /** Pauses all tasks of a blocked account; its owner can resume them later. */
  pauseAll(account: string): Promise<void>;
  resume(account: string, tasks: readonly string[]): Promise<void>;
  /** Fetches failed files again, and only those. Throws `file_space_not_enough`. */
  retry(account: string, tasks: readonly string[]): Promise<void>;
  prioritize(account: string, tasks: readonly string[], priority: Priority): Promise<void>;
}

export function createControls({
  database,
  store,
  fileStore,
  requestStore,
  sources,
  requests,
  fetching,
  tasks,
  trash,
  clock,
}: {
  database: Database;
  store: SourceStore;
  fileStore: SourceFileStore;
  requestStore: FetchRequestStore;
  sources: Sources;
  requests: FetchRequests;
  fetching: Pick<Fetching, 'wake'>;
  tasks: Tasks;
  trash: Drive['trash'];
  clock: Clock;
}): Controls {
  /** Runs a transaction for each task, so that an error of one does not affect the others. */
  async function each(
    account: string,
    ids: readonly string[],
    change: (tx: Tx, task: TaskRow, request: FetchRequestRow) => Promise<void>,
  ): Promise<void> {
    for (const id of new Set(ids)) {
      await database.transaction(async (tx) => {
        await tx.lock(`task:${id}`);
        const task = await tasks.find(tx, account, id);
        const request = task && (await requestStore.find(tx, id));
        if (task && request) await change(tx, task, request);
      });
    }
    fetching.wake();
  }

  tasks.onRemoval('offline', async (tx, task, withFiles) => {
    const request = await requestStore.find(tx, task.id);
    if (withFiles && request?.root !== undefined) await trash(tx, task.account, [request.root]);
    if (request) await requests.end(tx, request);
    tx.afterCommit(() => fetching.wake());
  });

  const controls: Controls = {
    pause: (account, ids) =>
      each(account, ids, async (tx, task) => {
        if (task.phase !== 'PHASE_TYPE_PENDING' && task.phase !== 'PHASE_TYPE_RUNNING') return;
        await requestStore.update(tx, task.id, { active: false, paused: true });
        await tasks.update(tx, task.id, { phase: 'PHASE_TYPE_PAUSED', params: { speed: '0' } });
      }),

    pauseAll: async (account) => controls.pause(account, await requestStore.activeTasks(database, account)),

    resume: (account, ids) =>
      each(account, ids, async (tx, task, request) => {
        if (task.phase !== 'PHASE_TYPE_PAUSED') return;
        await requestStore.update(tx, task.id, { active: true, paused: false });
        await tasks.update(tx, task.id, { phase: 'PHASE_TYPE_PENDING', params: { step: 'waiting' } });
        await sources.queue(tx, request.source, request.priority);
      }),

    retry: (account, ids) =>
      each(account, ids, async (tx, task, request) => {
        if (task.phase !== 'PHASE_TYPE_ERROR') return;
        const files = await fileStore.list(tx, request.source);
        await sources.lock(tx, request.source);
        const failed = files.filter(
          ({ position, state }) => state === 'failed' && isWanted(request, position),
        );
        await fileStore.turn(
          tx,
          request.source,
          'failed',
          { state: 'waiting' },
          failed.map(({ position }) => position),
        );
        await requestStore.update(tx, task.id, { active: true, paused: false });
        await tasks.update(tx, task.id, {
          phase: 'PHASE_TYPE_PENDING',
          message: '',
          params: { step: 'waiting', failed: '0', error: '' },
        });
        await sources.queue(tx, request.source, request.priority);
        await requests.reserve(tx, { ...request, active: true }, files);
      }),

    async prioritize(account, ids, priority) {
      await each(account, ids, async (tx, task, request) => {
        await requestStore.update(tx, task.id, { priority: PRIORITIES[priority] });
        await tasks.update(tx, task.id, { params: { priority } });
        await sources.lock(tx, request.source);
        const all = await requestStore.activeOrScheduled(tx, request.source);
        const first = Math.min(PRIORITIES[priority], ...all.map((other) => other.priority));
        await store.update(tx, request.source, { priority: first }, clock.now());
      });
    },
  };
  return controls;
}
