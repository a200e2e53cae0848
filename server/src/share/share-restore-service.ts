import { ApiFailure, isApiFailure } from '@bowerbird/contract';
import type { Database, Sql, Tx } from '../foundation/database/index.ts';
import type { Jobs } from '../foundation/jobs/index.ts';
import {
  TreeCopyCancelled,
  type Events,
  type TreeCopy,
  type TreeCopyResult,
  type TreeCopies,
  type NodeRow,
  type Nodes,
} from '../drive/index.ts';
import { isFinished, type TaskRow, type Tasks } from '../task/index.ts';
import type { ShareEntry } from './share-entry-service.ts';
import { outermost } from './share-selection.ts';
import type { ShareStore } from './share-store.ts';
import type { ShareRow } from './share.ts';

/** Default destination of a restore: a folder of this name in the member's root. */
export const DEFAULT_FOLDER = 'Pack From Shared';

export interface Restore {
  readonly account: string;
  /** Nodes of the share; empty for all of it. */
  readonly fileIds: readonly string[];
  /** Folder id of the member, "" for the root; undefined for {@link DEFAULT_FOLDER}. */
  readonly parent: string | undefined;
  readonly requestKey: string | undefined;
}

export interface Restores {
  /**
   * Saves nodes of an entered share to a drive. Small ones are complete when this resolves; others continue
   * as a job.
   */
  begin(share: ShareRow, roots: readonly NodeRow[], restore: Restore): Promise<TaskRow>;
  define(jobs: Jobs): void;
}

/** State that the job needs to resume after its process was killed. */
export interface RestoreState {
  readonly share: string;
  readonly passcodeVersion: number;
  readonly roots: readonly string[];
  readonly parent: string;
  /** True if it occupies one of the places below the share's limit. */
  readonly reserved: boolean;
}

const JOB = 'restore-share';
const ATTEMPTS = 5;

interface Parts {
  database: Database;
  store: ShareStore;
  entry: ShareEntry;
  nodes: Nodes;
  treeCopies: TreeCopies;
  events: Events;
  tasks: Tasks;
  jobs: Jobs;
}

export function createRestores({
  database,
  store,
  entry,
  nodes,
  treeCopies,
  events,
  tasks,
  jobs,
}: Parts): Restores {
  const treeCopyOf = (task: TaskRow, { roots, parent }: RestoreState): TreeCopy => ({
    task: task.id,
    roots,
    account: task.account,
    parent,
    conflict: 'rename',
    reason: 'restore',
  });

  async function destination(tx: Tx, account: string, parent: string | undefined): Promise<string> {
    if (parent !== undefined) return nodes.folder(tx, account, parent);
    const folder = await nodes.addFolder(tx, {
      account,
      parent: account,
      name: DEFAULT_FOLDER,
      conflict: 'skip',
    });
    return folder.id;
  }

  async function complete(
    tx: Tx,
    task: TaskRow,
    { share, reserved }: RestoreState,
    { made, bytes }: TreeCopyResult,
  ): Promise<void> {
    await store.countRestore(tx, share, reserved);
    await events.came(tx, task.account, 'TYPE_RESTORE', [...made.values()]);
    await tasks.update(tx, task.id, {
      phase: 'PHASE_TYPE_COMPLETE',
      fileSize: bytes,
      params: { trace_file_ids: JSON.stringify(Object.fromEntries(made)) },
    });
  }

  async function giveBack(tx: Tx, state: RestoreState): Promise<void> {
    if (state.reserved) await store.releaseRestore(tx, state.share);
  }

  /** The share may have been closed since the restore started. */
  async function checkStillOpen(sql: Sql, { share, passcodeVersion }: RestoreState): Promise<void> {
    const { open, status } = await entry.reenter(sql, share, passcodeVersion);
    // The count that reached the limit includes running restores, and this is one of them.
    if (!open && status !== 'MAX_RESTORE_COUNT') throw new ApiFailure('share_status_prohibited');
  }

  async function fail(task: TaskRow, state: RestoreState, error: string): Promise<void> {
    await database.transaction(async (tx) => {
      await tx.lock(`task:${task.id}`);
      const present = await tasks.byId(tx, task.id);
      if (!present || isFinished(present.phase)) return;
      await giveBack(tx, state);
      await tasks.update(tx, task.id, { phase: 'PHASE_TYPE_ERROR', error });
    });
  }

  tasks.onCancel<RestoreState>('restore', async (tx, task) => {
    await treeCopies.cancelled(tx, task.id);
    await giveBack(tx, task.state);
  });

  return {
    async begin(share, roots, { account, fileIds, parent, requestKey }) {
      const rootIds = new Set(roots.map(({ id }) => id));
      const selection = await outermost(database, nodes, fileIds.length > 0 ? fileIds : rootIds, rootIds);
      return database.transaction(async (tx) => {
        await nodes.lock(tx, account);
        const state: RestoreState = {
          share: share.id,
          passcodeVersion: share.passcodeVersion,
          roots: selection.map(({ id }) => id),
          parent: await destination(tx, account, parent),
          reserved: share.restoreLimit >= 0,
        };
        const task = await tasks.begin(tx, {
          account,
          type: 'restore',
          name: share.title,
          fileName: share.title,
          // Folder to open when the task is done.
          fileId: state.parent === account ? '' : state.parent,
          phase: 'PHASE_TYPE_RUNNING',
          params: { share_id: share.id },
          state,
          requestKey,
        });
        if (task.existing) return task;
        if (state.reserved && !(await store.reserveRestore(tx, share.id)))
          throw new ApiFailure('restore_limit_reached');
        const result = await treeCopies.small(tx, treeCopyOf(task, state));
        if (result) await complete(tx, task, state, result);
        else await jobs.enqueue(tx, JOB, { task: task.id }, { key: task.id });
        return (await tasks.byId(tx, task.id))!;
      });
    },

    define(queue) {
      queue.define<{ task: string }>(
        JOB,
        async ({ task: id }, { signal, attempts }) => {
          const task = await tasks.byId<RestoreState>(database, id);
          if (!task || isFinished(task.phase)) return;
          const { state } = task;
          try {
            await checkStillOpen(database, state);
            await treeCopies.run(treeCopyOf(task, state), {
              signal,
              async attached(tx, result) {
                await checkStillOpen(tx, state);
                await complete(tx, task, state, result);
              },
            });
          } catch (error) {
            if (error instanceof TreeCopyCancelled) return;
            if (signal.aborted) throw error;
            const refusal = isApiFailure(error) && error.status < 500;
            if (!refusal && attempts < ATTEMPTS) throw error;
            await fail(task, state, isApiFailure(error) ? error.id : 'internal');
          }
        },
        { parallel: 2 },
      );
    },
  };
}
