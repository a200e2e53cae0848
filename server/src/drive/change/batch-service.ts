import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { ApiFailure } from '@bowerbird/contract';
import type { Database, KeysetPosition, Tx } from '../../foundation/database/index.ts';
import type { Ids } from '../../foundation/index.ts';
import type { JobRun, Jobs } from '../../foundation/jobs/index.ts';
import { isFinished, type TaskRow, type Tasks } from '../../task/index.ts';
import { createLineage } from '../lineage.ts';
import type { Lists, Nodes } from '../node/index.ts';
import type { TreeCopies } from '../tree-copy/index.ts';
import { createBatchCopies, type BatchCopies } from './batch-copy-service.ts';
import { createSelections } from './batch-selection-service.ts';
import { createBatchTasks, taskOf } from './batch-task-service.ts';
import { EVERYTHING_TRASHED, type Destination, type Plan, type Selection, type Verb } from './batch.ts';
import type { Changes, Chosen } from './change-service.ts';

/**
 * Changes of many nodes. Small ones are complete when the response is sent; each is a task that clients can poll.
 */
export interface Batches {
  /** Starts a batch and returns the id of its task. A selection by ids is refused or applied as a whole. */
  run(account: string, verb: Verb, selection: Selection, to?: Destination): Promise<string>;
  emptyTrash(account: string): Promise<string>;
  readonly copyAs: BatchCopies['copyAs'];
  /** Runs the jobs of large batches. */
  goOn(task: string, run: JobRun): Promise<void>;
  readonly goOnCopying: BatchCopies['goOn'];
}

interface BatchDeps {
  readonly database: Database;
  readonly nodes: Nodes;
  readonly lists: Lists;
  readonly changes: Changes;
  readonly treeCopies: TreeCopies;
  readonly tasks: Tasks;
  readonly jobs: Jobs;
  readonly ids: Ids;
}

const SLICE = 250;

export function createBatches(deps: BatchDeps): Batches {
  const { database, nodes, changes, tasks } = deps;
  const selections = createSelections(deps);
  const batchTasks = createBatchTasks(deps);
  const copies = createBatchCopies({ ...deps, selections, batchTasks });

  async function apply(tx: Tx, plan: Plan, chosen: Chosen, batch: string): Promise<void> {
    if (chosen.standings.length === 0) return;
    switch (plan.verb) {
      case 'move':
        return changes.move(tx, chosen, { parent: plan.parent, conflict: plan.conflict });
      case 'trash':
        return changes.trash(tx, chosen);
      case 'untrash':
        return changes.untrash(tx, chosen, plan.parent);
      default:
        return changes.remove(tx, chosen, batch);
    }
  }

  /** Throws if all children of a folder would be moved or copied into one of themselves, or moved to where they are. */
  async function checkWay(tx: Tx, account: string, plan: Plan): Promise<void> {
    const from = await nodes.folder(tx, account, plan.area);
    const to = await nodes.folder(tx, account, plan.parent);
    if (from === to && plan.verb === 'move') throw new ApiFailure('file_move_or_copy_to_cur');
    const chain = to === account ? [] : createLineage(await nodes.lineage(tx, [to])).chain(to);
    const child = chain.find(({ parent }) => parent === from);
    if (child && !plan.except.includes(child.id)) throw new ApiFailure('file_move_into_itself');
  }

  async function perform(account: string, plan: Plan, selection: Selection): Promise<string> {
    return database.transaction(async (tx) => {
      await nodes.lock(tx, account);
      const ids = await selections.idsOf(tx, account, selection);
      if (!ids) {
        if (plan.verb === 'move' || plan.verb === 'copy') await checkWay(tx, account, plan);
        return batchTasks.begin(tx, account, plan);
      }
      const chosen = await changes.choose(tx, account, ids);
      if (plan.verb === 'copy') return copies.copy(tx, plan, chosen);
      const type = plan.verb;
      const task = await tasks.begin(tx, {
        ...taskOf(account, plan, chosen.standings[0]?.node, chosen.standings.length),
        type,
        phase: 'PHASE_TYPE_COMPLETE',
      });
      await apply(tx, plan, chosen, task.id);
      return task.id;
    });
  }

  /** Processes one slice of a large batch. Returns the place where the next slice begins, undefined at the end. */
  async function slice(
    task: TaskRow<Plan>,
    place: KeysetPosition | undefined,
  ): Promise<KeysetPosition | undefined> {
    const plan = task.state;
    return database.transaction(async (tx) => {
      await tx.lock(`task:${task.id}`);
      if (await tasks.isCancelled(tx, task.id)) return undefined;
      await nodes.lock(tx, task.account);
      const { rows, next } = await selections.page(tx, task.account, plan.area!, SLICE, place);
      const except = new Set(plan.except);
      const ids = rows.map(({ id }) => id).filter((id) => !except.has(id));
      await apply(tx, plan, await changes.choose(tx, task.account, ids), task.id);
      await tasks.update(tx, task.id, { phase: next ? 'PHASE_TYPE_RUNNING' : 'PHASE_TYPE_COMPLETE' });
      return next;
    });
  }

  return {
    run(account, verb, selection, { parent, conflict = 'rename' } = {}) {
      return perform(
        account,
        { verb, area: selection.all_in ?? '', except: selection.except_ids ?? [], parent, conflict },
        selection,
      );
    },

    emptyTrash: (account) =>
      perform(
        account,
        { verb: 'empty_trash', area: EVERYTHING_TRASHED, except: [], parent: undefined, conflict: 'rename' },
        { all_in: EVERYTHING_TRASHED },
      ),

    copyAs: copies.copyAs,
    goOnCopying: copies.goOn,

    async goOn(id, run) {
      const task = await tasks.byId<Plan>(database, id);
      if (!task || isFinished(task.phase)) return;
      await batchTasks.guarded(id, run, async () => {
        for (let place: KeysetPosition | undefined; ;) {
          run.signal.throwIfAborted();
          const next = await slice(task, place);
          if (!next) return;
          place = next;
          await yieldToEventLoop();
        }
      });
    },
  };
}
