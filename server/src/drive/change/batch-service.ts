import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { ApiFailure, isApiFailure, LIMITS } from '@bowerbird/contract';
import type { Clock, Ids } from '../../foundation/index.ts';
import type { Database, Place, Tx } from '../../foundation/database/index.ts';
import type { JobRun, Jobs } from '../../foundation/jobs/index.ts';
import { isFinished, type TaskRow, type Tasks } from '../../task/index.ts';
import type { Changes, Chosen } from './change-service.ts';
import { TreeCopyCancelled, type TreeCopies } from '../tree-copy/index.ts';
import type { ListPage, Lists, Nodes } from '../node/index.ts';
import { FILE, FOLDER, type Conflict, type NodeRow } from '../drive.ts';
import { createLineage } from '../lineage.ts';

export type Verb = 'move' | 'copy' | 'trash' | 'untrash' | 'delete';

/** Ids, or all children of a folder except some; `*` is everything in the trash. */
export interface Selection {
  readonly ids?: readonly string[] | undefined;
  readonly all_in?: string | undefined;
  readonly except_ids?: readonly string[] | undefined;
}

export interface Destination {
  readonly parent?: string | undefined;
  readonly conflict?: Conflict | undefined;
}

/**
 * Changes of many nodes. Small ones are complete when the response is sent; each is a task that clients can poll.
 */
export interface Batches {
  /** Starts a batch and returns the id of its task. A selection by ids is refused or applied as a whole. */
  run(account: string, verb: Verb, selection: Selection, to?: Destination): Promise<string>;
  emptyTrash(account: string): Promise<string>;
  /**
   * Copies one node to a folder under a name, in a transaction that holds the tree lock; a node with that name is moved
   * to the trash. Returns the id of the copy or, for large trees, the id of the task that copies them.
   */
  copyAs(
    tx: Tx,
    node: NodeRow,
    to: { readonly parent: string; readonly name: string },
  ): Promise<{ readonly copy: string } | { readonly task: string }>;
  /** Runs the jobs of large batches. */
  goOn(task: string, run: JobRun): Promise<void>;
  goOnCopying(task: string, run: JobRun): Promise<void>;
}

/** State that the job of a task needs. */
interface Plan {
  readonly verb: Verb | 'empty_trash';
  readonly ids?: readonly string[];
  readonly area?: string;
  readonly except: readonly string[];
  readonly parent: string | undefined;
  readonly conflict: Conflict;
  /** New name of the only node in `ids`. */
  readonly name?: string | undefined;
}

interface BatchDeps {
  readonly database: Database;
  readonly nodes: Nodes;
  readonly lists: Lists;
  readonly changes: Changes;
  readonly treeCopies: TreeCopies;
  readonly tasks: Tasks;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly ids: Ids;
}

const SLICE = 250;
const TRIES = 5;
const EVERYTHING_TRASHED = '*';

export function createBatches({
  database,
  nodes,
  lists,
  changes,
  treeCopies,
  tasks,
  jobs,
  ids: newIds,
}: BatchDeps): Batches {
  /** Returns a page of the nodes in an `all_in`, in the order of names so that pages don't overlap. */
  const page = (
    sql: Tx | Database,
    account: string,
    area: string,
    limit: number,
    place: Place | undefined,
  ): Promise<ListPage> => {
    const inTrash = area === EVERYTHING_TRASHED;
    const view = {
      area: inTrash ? { trashOf: account } : { folder: area === '' ? account : area },
      order: { key: 'name', descending: false, foldersFirst: true },
      kinds: [FOLDER, FILE],
      trashed: [inTrash],
    } as const;
    return lists.page(sql, view, { limit, place });
  };

  async function apply(tx: Tx, plan: Plan, chosen: Chosen, batch: string): Promise<void> {
    if (chosen.standings.length === 0) return;
    switch (plan.verb) {
      case 'move':
        return changes.move(tx, chosen, { parent: plan.parent, conflict: plan.conflict });
      case 'trash':
        return changes.trash(tx, chosen);
      case 'untrash':
        return changes.untrash(tx, chosen);
      default:
        return changes.remove(tx, chosen, batch);
    }
  }

  const taskOf = (account: string, { verb }: Plan, first: NodeRow | undefined, count: number) => ({
    account,
    type: verb,
    name: first?.name ?? '',
    fileId: first?.id ?? '',
    fileName: first?.name ?? '',
    fileSize: first?.size ?? 0,
    params: { count: String(count) },
  });

  /** Returns the ids of a selection, if a request can process them all. */
  async function idsOf(
    tx: Tx,
    account: string,
    selection: Selection,
  ): Promise<readonly string[] | undefined> {
    if (selection.all_in === undefined) {
      const ids = selection.ids ?? [];
      if (ids.length === 0) throw new ApiFailure('invalid_argument', { field: 'ids' });
      if (ids.length > LIMITS.batch)
        throw new ApiFailure('operating_file_count_exceeded', { most: String(LIMITS.batch) });
      return ids;
    }
    const except = new Set(selection.except_ids);
    if (except.size > LIMITS.batch)
      throw new ApiFailure('operating_file_count_exceeded', { most: String(LIMITS.batch) });
    if (selection.all_in !== EVERYTHING_TRASHED) await nodes.folder(tx, account, selection.all_in);
    const { rows, next } = await page(tx, account, selection.all_in, LIMITS.batch + except.size, undefined);
    const ids = rows.map(({ id }) => id).filter((id) => !except.has(id));
    return next || ids.length > LIMITS.batch ? undefined : ids;
  }

  async function behind(tx: Tx, account: string, plan: Plan, first?: NodeRow): Promise<string> {
    const task = await tasks.begin(tx, {
      ...taskOf(account, plan, first, plan.ids?.length ?? 0),
      state: plan,
    });
    await jobs.enqueue(tx, plan.verb === 'copy' ? 'copy' : 'batch', { task: task.id }, { key: task.id });
    return task.id;
  }

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

  /** Throws if all children of a folder would be moved or copied into one of themselves, or moved to where they are. */
  async function checkWay(tx: Tx, account: string, plan: Plan): Promise<void> {
    const from = await nodes.folder(tx, account, plan.area);
    const to = await nodes.folder(tx, account, plan.parent);
    if (from === to && plan.verb === 'move') throw new ApiFailure('file_move_or_copy_to_cur');
    const chain = to === account ? [] : createLineage(await nodes.lineage(tx, [to])).chain(to);
    const child = chain.find(({ parent }) => parent === from);
    if (child && !plan.except.includes(child.id)) throw new ApiFailure('file_move_into_itself');
  }

  async function copy(tx: Tx, plan: Plan, chosen: Chosen): Promise<string> {
    const { account, standings } = chosen;
    if (standings.length === 0)
      return (await tasks.begin(tx, { ...taskOf(account, plan, undefined, 0), phase: 'PHASE_TYPE_COMPLETE' }))
        .id;
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
  }

  async function perform(account: string, plan: Plan, selection: Selection): Promise<string> {
    return database.transaction(async (tx) => {
      await nodes.lock(tx, account);
      const ids = await idsOf(tx, account, selection);
      if (!ids) {
        if (plan.verb === 'move' || plan.verb === 'copy') await checkWay(tx, account, plan);
        return behind(tx, account, plan);
      }
      const chosen = await changes.choose(tx, account, ids);
      if (plan.verb === 'copy') return copy(tx, plan, chosen);
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
  async function slice(task: TaskRow<Plan>, place: Place | undefined): Promise<Place | undefined> {
    const plan = task.state;
    return database.transaction(async (tx) => {
      await tx.lock(`task:${task.id}`);
      if (await tasks.isCancelled(tx, task.id)) return undefined;
      await nodes.lock(tx, task.account);
      const { rows, next } = await page(tx, task.account, plan.area!, SLICE, place);
      const except = new Set(plan.except);
      const ids = rows.map(({ id }) => id).filter((id) => !except.has(id));
      await apply(tx, plan, await changes.choose(tx, task.account, ids), task.id);
      await tasks.update(tx, task.id, { phase: next ? 'PHASE_TYPE_RUNNING' : 'PHASE_TYPE_COMPLETE' });
      return next;
    });
  }

  async function failed(task: string, error: unknown): Promise<void> {
    await database.transaction((tx) =>
      tasks.update(tx, task, {
        phase: 'PHASE_TYPE_ERROR',
        error: isApiFailure(error) ? error.id : 'internal',
      }),
    );
  }

  /** Runs a job's work; a refusal ends the task, any other error is retried a few times. */
  async function guarded(
    task: string,
    { signal, attempts }: JobRun,
    work: () => Promise<void>,
  ): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof TreeCopyCancelled) return;
      if (signal.aborted) throw error;
      if (isApiFailure(error) || attempts >= TRIES) await failed(task, error);
      if (!isApiFailure(error)) throw error;
    }
  }

  async function allIn(account: string, plan: Plan): Promise<string[]> {
    const ids: string[] = [];
    for (let place: Place | undefined; ;) {
      const { rows, next } = await page(database, account, plan.area!, LIMITS.pageMax, place);
      ids.push(...rows.map(({ id }) => id));
      if (!next) return ids.filter((id) => !plan.except.includes(id));
      place = next;
      await yieldToEventLoop();
    }
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
        : { task: await behind(tx, account, { ...plan, ids: [node.id] }, node) };
    },

    async goOn(id, run) {
      const task = await tasks.byId<Plan>(database, id);
      if (!task || isFinished(task.phase)) return;
      await guarded(id, run, async () => {
        for (let place: Place | undefined; ;) {
          run.signal.throwIfAborted();
          const next = await slice(task, place);
          if (!next) return;
          place = next;
          await yieldToEventLoop();
        }
      });
    },

    async goOnCopying(id, run) {
      const task = await tasks.byId<Plan>(database, id);
      if (!task || task.phase === 'PHASE_TYPE_COMPLETE') return;
      if (isFinished(task.phase)) return treeCopies.clear(task.account, id, run.signal);
      await guarded(id, run, async () => {
        const plan = task.state;
        const roots = plan.ids ?? (await allIn(task.account, plan));
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

const TRACED = 1000;

/** Returns the task parameter that maps sources to their copies, cut to a length that clients can use. */
function traced(made: ReadonlyMap<string, string>): Record<string, string> {
  return { trace_file_ids: JSON.stringify(Object.fromEntries([...made].slice(0, TRACED))) };
}
