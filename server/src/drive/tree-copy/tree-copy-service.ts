import type { Database, Sql, Tx } from '../../foundation/database/index.ts';
import type { Clock, Ids } from '../../foundation/index.ts';
import type { Jobs } from '../../foundation/jobs/index.ts';
import type { Quota } from '../../membership/index.ts';
import type { Tasks } from '../../task/index.ts';
import type { DriveStore } from '../drive-store.ts';
import type { Nodes } from '../node/index.ts';
import type { FolderSizeStore } from '../folder-size/index.ts';
import type { Purges, TrashCan } from '../trash/index.ts';
import { createTreeCopyAttachment } from './tree-copy-attach-service.ts';
import { createTreeCopyBuilds, type OnCopy } from './tree-copy-build-service.ts';
import { createTreeCopyCounts } from './tree-copy-count-service.ts';
import type { TreeCopyStore } from './tree-copy-store.ts';
import { TreeCopyCancelled, treeCopyPlace, type TreeCopy, type TreeCopyResult } from './tree-copy.ts';

export interface TreeCopyRun {
  readonly signal: AbortSignal;
  /** Called within the transaction that attaches the copy: complete the task there. */
  readonly attached: (tx: Tx, result: TreeCopyResult) => Promise<void>;
}

/**
 * Copies subtrees by reference, without moving bytes. A tree copy is counted and its quota reserved, then built in a
 * hidden place, then attached as a whole in one transaction.
 */
export interface TreeCopies {
  /**
   * Copies within the caller's transaction if the tree is small (1000 nodes or fewer). Otherwise changes nothing and
   * returns undefined. Throws `file_space_not_enough`, `file_not_found`, `file_duplicated_name`.
   */
  small(tx: Tx, treeCopy: TreeCopy): Promise<TreeCopyResult | undefined>;
  /**
   * Copies in slices, for background work; sets the task running and reports its progress. First clears the remains of
   * a killed run, so it always starts over. Rejects with {@link TreeCopyCancelled} if the task was cancelled, or with
   * the refusal; nothing remains in either case. Aborting `signal` rejects at the next slice and keeps everything for
   * the next run.
   */
  run(treeCopy: TreeCopy, run: TreeCopyRun): Promise<TreeCopyResult>;
  /**
   * Releases the quota reserved by a cancelled task. Call it from `tasks.onCancel` of each task type that copies trees.
   */
  cancelled(tx: Tx, task: string): Promise<void>;
  /** Hook for a domain that stores more about nodes than their rows; called with each copy within an account. */
  onCopy(copied: OnCopy): void;
  /** Deletes the hidden nodes of a tree copy. */
  clear(account: string, task: string, signal: AbortSignal): Promise<void>;
}

interface TreeCopyDeps {
  readonly database: Database;
  readonly store: DriveStore;
  readonly copyStore: TreeCopyStore;
  readonly nodes: Nodes;
  readonly trash: TrashCan;
  readonly purges: Purges;
  readonly sizes: FolderSizeStore;
  readonly quota: Quota;
  readonly tasks: Tasks;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Maximum number of nodes that are copied within a request. */
const AT_ONCE = 1000;
const CLEAR_MS = 30_000;

export function createTreeCopies(deps: TreeCopyDeps): TreeCopies {
  const { database, copyStore, nodes, purges, quota, tasks, jobs, clock } = deps;
  const counts = createTreeCopyCounts({ ...deps, throwIfCancelled });
  const builds = createTreeCopyBuilds({ ...deps, counts, throwIfCancelled });
  const attach = createTreeCopyAttachment(deps);

  async function throwIfCancelled(sql: Sql, task: string): Promise<void> {
    if (await tasks.isCancelled(sql, task)) throw new TreeCopyCancelled();
  }

  async function releaseReserved(tx: Tx, task: string): Promise<{ account: string } | undefined> {
    const treeCopy = await copyStore.end(tx, task);
    if (treeCopy) await quota.release(tx, treeCopy.account, treeCopy.reserved);
    return treeCopy;
  }

  const treeCopies: TreeCopies = {
    onCopy: builds.onCopy,

    async small(tx, treeCopy) {
      await nodes.lock(tx, treeCopy.account);
      const roots = await counts.roots(tx, treeCopy);
      const rows = await counts.atMost(tx, roots, AT_ONCE);
      if (!rows) return undefined;
      return attach(tx, treeCopy, await builds.small(tx, treeCopy, roots, rows), 0);
    },

    async run(treeCopy, { signal, attached }) {
      const { task, account } = treeCopy;
      await treeCopies.clear(account, task, signal);
      try {
        await throwIfCancelled(database, task);
        const roots = await counts.roots(database, treeCopy);
        const counted = await counts.count(treeCopy, roots, signal);
        const { bytes } = counted;
        await database.transaction(async (tx) => {
          await tx.lock(`task:${task}`);
          await throwIfCancelled(tx, task);
          await quota.reserve(tx, account, bytes);
          await copyStore.begin(tx, { task, account, reserved: bytes, created_at: clock.now() });
          await tasks.update(tx, task, { phase: 'PHASE_TYPE_RUNNING', progress: 0, fileSize: bytes });
        });
        const built = await builds.large(treeCopy, roots, counted, signal);
        return await database.transaction(async (tx) => {
          await tx.lock(`task:${task}`);
          await throwIfCancelled(tx, task);
          const { reserved } = (await copyStore.end(tx, task))!;
          const result = await attach(tx, treeCopy, built, reserved);
          await attached(tx, result);
          return result;
        });
      } catch (error) {
        if (!signal.aborted) await treeCopies.clear(account, task, signal);
        throw error;
      }
    },

    async cancelled(tx, task) {
      const treeCopy = await releaseReserved(tx, task);
      // A running copy cleans up after itself; this job is for one whose process was killed.
      if (treeCopy)
        await jobs.enqueue(tx, 'clear-graft', { account: treeCopy.account, task }, { delayMs: CLEAR_MS });
    },

    async clear(account, task, signal) {
      await database.transaction(async (tx) => {
        await tx.lock(`task:${task}`);
        await releaseReserved(tx, task);
      });
      await purges.clear({ account, place: treeCopyPlace(task) }, signal);
    },
  };
  return treeCopies;
}
