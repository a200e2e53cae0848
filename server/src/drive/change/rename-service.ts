import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { ApiFailure, nameProblem, type ErrorId, type Renaming } from '@bowerbird/contract';
import type { Database, Tx } from '../../foundation/database/index.ts';
import type { JobRun, Jobs } from '../../foundation/jobs/index.ts';
import { isFinished, type Tasks } from '../../task/index.ts';
import type { DriveStore } from '../drive-store.ts';
import type { NodeRow } from '../drive.ts';
import { nameFold } from '../name-key.ts';
import { nameColumns, type Nodes } from '../node/index.ts';
import { createBatchTasks } from './batch-task-service.ts';
import { renameSlices } from './rename-order.ts';

/** Renames of many items of one folder. */
export interface Renames {
  /**
   * Renames a few items within the request, many in a job. Returns the id of the task. Throws `file_not_found` if the
   * folder doesn't exist, `invalid_argument` if an item is named twice; an item that can't be renamed keeps its name.
   */
  run(account: string, parent: string | undefined, renamings: readonly Renaming[]): Promise<string>;
  /** Runs the job of a large one. What a killed process has renamed is recognized by its name. */
  goOn(task: string, run: JobRun): Promise<void>;
}

/** State of a task. */
interface RenamePlan {
  readonly parent: string;
  readonly renamings: readonly Renaming[];
}

interface RenameDeps {
  readonly database: Database;
  readonly store: DriveStore;
  readonly nodes: Nodes;
  readonly tasks: Tasks;
  readonly jobs: Jobs;
}

/** Number of items that are renamed in one transaction, and the largest number within a request. */
const SLICE = 1000;
/** Number of items in one statement, after which others get a turn. */
const STATEMENT = 250;
/** Number of failures that are listed. */
const LISTED = 1000;

type Failures = Map<string, ErrorId>;

export function createRenames({ database, store, nodes, tasks, jobs }: RenameDeps): Renames {
  const { guarded } = createBatchTasks({ database, tasks, jobs });

  /** Returns the items that can be renamed now; notes why the others can't. */
  async function ready(
    tx: Tx,
    { account, parent }: { account: string; parent: string },
    renamings: readonly Renaming[],
    failures: Failures,
  ): Promise<{ node: NodeRow; to: string }[]> {
    const rows = await store.byIds(
      tx,
      renamings.map(({ id }) => id),
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    let going: { node: NodeRow; to: string }[] = [];
    const wanted = new Set<string>();
    for (const { id, from, to } of renamings) {
      const node = byId.get(id);
      const isHere = node?.account === account && node.parent === parent && node.trashed_at === null;
      if (!isHere) failures.set(id, 'file_not_found');
      else if (node.name === to) continue;
      else if (node.name !== from) failures.set(id, 'file_renamed_meanwhile');
      else {
        const problem =
          nameProblem(to) ?? (wanted.has(nameFold(to)) ? ('file_duplicated_name' as const) : undefined);
        if (problem) failures.set(id, problem);
        else going.push({ node, to });
        wanted.add(nameFold(to));
      }
    }
    const residents = await store.named(
      tx,
      parent,
      going.map(({ to }) => nameFold(to)),
    );
    const residentOf = new Map(residents.map((row) => [row.name_fold, row.id]));
    // An item that stays may be in the way of another one, which then stays as well.
    for (;;) {
      const leaving = new Set(going.map(({ node }) => node.id));
      const isFree = ({ to }: { to: string }): boolean => {
        const resident = residentOf.get(nameFold(to));
        return resident === undefined || leaving.has(resident);
      };
      const free = going.filter(isFree);
      if (free.length === going.length) return going;
      for (const one of going) if (!isFree(one)) failures.set(one.node.id, 'file_duplicated_name');
      going = free;
    }
  }

  async function apply(
    tx: Tx,
    plan: { account: string; parent: string },
    renamings: readonly Renaming[],
    failures: Failures,
  ): Promise<void> {
    const going = await ready(tx, plan, renamings, failures);
    await yieldToEventLoop();
    const wanted = new Set(going.map(({ to }) => nameFold(to)));
    await store.park(
      tx,
      going.flatMap(({ node }) => (wanted.has(node.name_fold) ? [node.id] : [])),
    );
    for (let at = 0; at < going.length; at += STATEMENT) {
      await yieldToEventLoop();
      await store.rename(
        tx,
        going
          .slice(at, at + STATEMENT)
          .map(({ node, to }) => ({ id: node.id, ...nameColumns(to, node.kind) })),
        plan.parent,
      );
    }
  }

  const outcome = (failures: Failures): Record<string, string> => ({
    failed_count: String(failures.size),
    failed: JSON.stringify(Object.fromEntries([...failures].slice(0, LISTED))),
  });

  return {
    async run(account, asked, renamings) {
      if (new Set(renamings.map(({ id }) => id)).size < renamings.length)
        throw new ApiFailure('invalid_argument', { field: 'renames' });
      return database.transaction(async (tx) => {
        await nodes.lock(tx, account);
        const parent = await nodes.folder(tx, account, asked);
        const task = {
          account,
          type: 'rename' as const,
          name: renamings[0]!.to,
          fileId: renamings[0]!.id,
          fileName: renamings[0]!.to,
          params: { count: String(renamings.length) },
        };
        if (renamings.length <= SLICE) {
          const failures: Failures = new Map();
          for (const slice of renameSlices(renamings, SLICE))
            await apply(tx, { account, parent }, slice, failures);
          const params = { ...task.params, ...outcome(failures) };
          return (await tasks.begin(tx, { ...task, params, phase: 'PHASE_TYPE_COMPLETE' })).id;
        }
        const { id } = await tasks.begin<RenamePlan>(tx, { ...task, state: { parent, renamings } });
        await jobs.enqueue(tx, 'rename', { task: id }, { key: id });
        return id;
      });
    },

    async goOn(id, run) {
      const task = await tasks.byId<RenamePlan>(database, id);
      if (!task || isFinished(task.phase)) return;
      const { account } = task;
      const { parent, renamings } = task.state;
      await guarded(id, run, async () => {
        const failures: Failures = new Map();
        const slices = renameSlices(renamings, SLICE);
        for (const [at, slice] of slices.entries()) {
          run.signal.throwIfAborted();
          const goesOn = await database.transaction(async (tx) => {
            await tx.lock(`task:${id}`);
            if (await tasks.isCancelled(tx, id)) return false;
            await nodes.lock(tx, account);
            await nodes.folder(tx, account, parent);
            // A transaction may run again: what failed in it must not be noted twice.
            const failed: Failures = new Map();
            await apply(tx, { account, parent }, slice, failed);
            const isLast = at === slices.length - 1;
            const all = new Map([...failures, ...failed]);
            await tasks.update(
              tx,
              id,
              isLast
                ? { phase: 'PHASE_TYPE_COMPLETE', state: null, params: outcome(all) }
                : { phase: 'PHASE_TYPE_RUNNING', progress: Math.floor((100 * (at + 1)) / slices.length) },
            );
            tx.afterCommit(() => {
              for (const [node, error] of failed) failures.set(node, error);
            });
            return true;
          });
          if (!goesOn) return;
          await yieldToEventLoop();
        }
      });
    },
  };
}
