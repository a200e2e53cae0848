import { ApiFailure } from '@bowerbird/contract';
import type { Database, Tx } from '../../foundation/database/index.ts';
import type { Ids } from '../../foundation/index.ts';
import type { JobRun, Jobs } from '../../foundation/jobs/index.ts';
import { isFinished, type Tasks } from '../../task/index.ts';
import { FOLDER, type NodeRow } from '../drive.ts';
import { createLineage } from '../lineage.ts';
import type { Nodes } from '../node/index.ts';
import type { TreeCopies } from '../tree-copy/index.ts';
import type { Selections } from './batch-selection-service.ts';
import { taskOf, type BatchTasks } from './batch-task-service.ts';
import type { Plan } from './batch.ts';
import type { Changes, Chosen } from './change-service.ts';

/** Copies of many nodes: small trees within the request, large ones in a job. */
export interface BatchCopies {
  /** Copies the chosen nodes. Returns the id of the task. */
  copy(tx: Tx, plan: Plan, chosen: Chosen): Promise<string>;
  /**
   * Copies one node to a folder under a name, in a transaction that holds the tree lock; a node with that name is moved
   * to the trash. Returns the id of the copy or, for large trees, the id of the task that copies them.
   */
  copyAs(
    tx: Tx,
    node: NodeRow,
    to: { readonly parent: string; readonly name: string },
  ): Promise<{ readonly copy: string } | { readonly task: string }>;
  /** Runs the job of a large copy. */
  goOn(task: string, run: JobRun): Promise<void>;
}

interface BatchCopyDeps {
  readonly database: Database;
  readonly nodes: Nodes;
  readonly changes: Changes;
  readonly treeCopies: TreeCopies;
  readonly selections: Selections;
  readonly batchTasks: BatchTasks;
  readonly tasks: Tasks;
  readonly jobs: Jobs;
  readonly ids: Ids;
}

const TRACED = 1000;

export function createBatchCopies({
  database,
  nodes,
  changes,
  treeCopies,
  selections,
  batchTasks,
  tasks,
  jobs,
  ids: newIds,
}: BatchCopyDeps): BatchCopies {
  /** Throws at once if the copy is known to be invalid. Returns the id of the destination folder. */
  async function checkCopy(
    tx: Tx,
    account: string,
    chosen: Chosen,
    parent: string | undefined,
  ): Promise<string> {
    if (chosen.standings.some(({ trashed }) => trashed)) throw new ApiFailure('file_not_found');
    const folder = await nodes.folder(tx, account, parent);
    const folders = new Set(
      chosen.standings.filter(({ node }) => node.kind === FOLDER).map(({ node }) => node.id),
    );
    const destination = createLineage(folder === account ? [] : await nodes.lineage(tx, [folder]));
    if (destination.isWithin(folder, folders)) throw new ApiFailure('file_move_into_itself');
    return folder;
  }

  return {
    async copy(tx: Tx, plan: Plan, chosen: Chosen): Promise<string> {
      const { account, standings } = chosen;
      if (standings.length === 0)
        return (
          await tasks.begin(tx, { ...taskOf(account, plan, undefined, 0), phase: 'PHASE_TYPE_COMPLETE' })
        ).id;
      const parent = await checkCopy(tx, account, chosen, plan.parent);
      const roots = standings.map(({ node }) => node.id);
      const task = await tasks.begin(tx, {
        ...taskOf(account, plan, standings[0]?.node, standings.length),
        state: { ...plan, ids: roots, parent },
      });
      const result = await treeCopies.small(tx, {
        task: task.id,
        roots,
        account,
        parent,
        conflict: plan.conflict,
        reason: 'copy',
      });
      if (result)
        await tasks.update(tx, task.id, {
          phase: 'PHASE_TYPE_COMPLETE',
          state: null,
          params: traced(result.made),
        });
      else await jobs.enqueue(tx, 'copy', { task: task.id }, { key: task.id });
      return task.id;
    },

    async copyAs(tx, node, { parent, name }) {
      const { account } = node;
      const chosen = await changes.choose(tx, account, [node.id]);
      const plan = { verb: 'copy', except: [], parent, conflict: 'replace', name } as const;
      const treeCopy = {
        account,
        roots: [node.id],
        parent,
        name,
        conflict: 'replace',
        reason: 'copy',
      } as const;
      await checkCopy(tx, account, chosen, parent);
      const small = await treeCopies.small(tx, { ...treeCopy, task: newIds.next() });
      return small
        ? { copy: small.made.get(node.id)! }
        : { task: await batchTasks.begin(tx, account, { ...plan, ids: [node.id] }, node) };
    },

    async goOn(id, run) {
      const task = await tasks.byId<Plan>(database, id);
      if (!task || task.phase === 'PHASE_TYPE_COMPLETE') return;
      if (isFinished(task.phase)) return treeCopies.clear(task.account, id, run.signal);
      await batchTasks.guarded(id, run, async () => {
        const plan = task.state;
        const roots = plan.ids ?? (await selections.allIn(task.account, plan));
        await treeCopies.run(
          {
            task: id,
            roots,
            account: task.account,
            parent: plan.parent ?? task.account,
            conflict: plan.conflict,
            name: plan.name,
            reason: 'copy',
          },
          {
            signal: run.signal,
            attached: (tx, { made }) =>
              tasks.update(tx, id, { phase: 'PHASE_TYPE_COMPLETE', state: null, params: traced(made) }),
          },
        );
      });
    },
  };
}

/** Returns the task parameter that maps sources to their copies, cut to a length that clients can use. */
function traced(made: ReadonlyMap<string, string>): Record<string, string> {
  return { trace_file_ids: JSON.stringify(Object.fromEntries([...made].slice(0, TRACED))) };
}
