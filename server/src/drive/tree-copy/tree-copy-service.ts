import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { ApiFailure } from '@bowerbird/contract';
import type { Clock, Ids } from '../../foundation/index.ts';
import type { Database, Sql, Tx } from '../../foundation/database/index.ts';
import type { Jobs } from '../../foundation/jobs/index.ts';
import type { Quota } from '../../membership/index.ts';
import type { Tasks } from '../../task/index.ts';
import type { TreeCopyStore, Mapping, SourceNode } from './tree-copy-store.ts';
import { admit, nameColumns, type Nodes } from '../node/index.ts';
import type { Purges, TrashCan } from '../trash/index.ts';
import type { DriveStore } from '../drive-store.ts';
import { createWalk } from './walk-service.ts';
import { FOLDER, type Conflict } from '../drive.ts';
import { createLineage } from '../lineage.ts';

/** Decides whether a node may be copied. */
export type Visible = (node: { id: string; kind: 0 | 1; size: number; quarantined: boolean }) => boolean;

export interface TreeCopy {
  /** Id of the task that copies; at most one tree copy each. */
  readonly task: string;
  /** Nodes of any account to copy with all their descendants; the caller has checked the permission. */
  readonly roots: readonly string[];
  readonly account: string;
  /** Id of the destination: a live folder of `account`, or the account's own id for the root. */
  readonly parent: string;
  readonly conflict: Conflict;
  /** New name of a single root; if absent, each root keeps its own name. */
  readonly name?: string | undefined;
  /** Ledger reason: `copy` or `restore`. */
  readonly reason: string;
  /** Filter for nodes; a node that fails is skipped with all its descendants. By default skips quarantined bytes. */
  readonly visible?: Visible;
}

export interface TreeCopyResult {
  /** Maps the ids of the copied roots to the ids of their copies. */
  readonly made: ReadonlyMap<string, string>;
  readonly bytes: number;
  readonly nodes: number;
}

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
  onCopy(copied: (tx: Tx, account: string, mappings: readonly Mapping[]) => Promise<void>): void;
  /** Deletes the hidden nodes of a tree copy. */
  clear(account: string, task: string, signal: AbortSignal): Promise<void>;
}

/** Thrown if the task was cancelled in the meantime; the nodes built so far have been deleted. */
export class TreeCopyCancelled extends Error {
  override name = 'TreeCopyCancelled';
}

interface TreeCopyDeps {
  readonly database: Database;
  readonly store: DriveStore;
  readonly copyStore: TreeCopyStore;
  readonly nodes: Nodes;
  readonly trash: TrashCan;
  readonly purges: Purges;
  readonly quota: Quota;
  readonly tasks: Tasks;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly ids: Ids;
}

interface Counted {
  bytes: number;
  nodes: number;
  kept: SourceNode[] | undefined;
}

interface Built {
  readonly source: string;
  readonly copy: string;
  bytes: number;
  nodes: number;
}

/** Maximum number of nodes that are copied within a request. */
const AT_ONCE = 1000;
/** Rows that are read or written before yielding to the event loop. */
const READ_SLICE = 1000;
const SMALL_SLICE = 500;
const FIRST_SLICE = 300;
const MOST_IN_SLICE = 2000;
const SLICES_TOGETHER = 4;
/** Target duration of a slice: readers wait for one slice at each step, writers for several. */
const SLICE_MS = 4;
/** Maximum number of rows that counting keeps in memory for the copying; about 20 MB. */
const KEPT = 120_000;
const PROGRESS_MS = 500;
const CLEAR_MS = 30_000;

const treeCopyPlace = (task: string): string => `!graft/${task}/`;
const defaultVisible: Visible = ({ quarantined }) => !quarantined;

export function createTreeCopies({
  database,
  store,
  copyStore,
  nodes,
  trash,
  purges,
  quota,
  tasks,
  jobs,
  clock,
  ids,
}: TreeCopyDeps): TreeCopies {
  async function rootsOf(sql: Sql, treeCopy: TreeCopy): Promise<SourceNode[]> {
    const wanted = new Set(treeCopy.roots);
    const lineage = await store.lineage(sql, [...wanted]);
    const { goesWith } = createLineage(lineage);
    const known = new Set(
      lineage.filter((node) => wanted.has(node.id) && !goesWith(node, wanted)).map(({ id }) => id),
    );
    const rows = new Map((await copyStore.byIds(sql, [...known])).map((row) => [row.id, row]));
    const roots = [...wanted].flatMap((id) => rows.get(id) ?? []).filter(treeCopy.visible ?? defaultVisible);
    if (roots.length === 0) throw new ApiFailure('file_not_found');
    return roots;
  }

  /** Assigns ids and parents to copies, and adds up the nodes and bytes of each root. */
  function createMapper({ task }: TreeCopy, roots: readonly SourceNode[]) {
    const built: Built[] = [];
    const folders = new Map<string, { copy: string; root: Built }>();
    const rootIds = new Set(roots.map(({ id }) => id));
    return {
      built,
      map: (row: SourceNode): Mapping => {
        const copy = ids.next();
        const parent = rootIds.has(row.id) ? undefined : folders.get(row.parent);
        const root = parent?.root ?? { source: row.id, copy, bytes: 0, nodes: 0 };
        if (!parent) built.push(root);
        root.bytes += row.size;
        root.nodes += 1;
        if (row.kind === FOLDER) folders.set(row.id, { copy, root });
        return [row.id, copy, parent?.copy ?? `${treeCopyPlace(task)}${copy}`];
      },
    };
  }

  /** Moves the copies into their folder and charges them. */
  async function attach(
    tx: Tx,
    treeCopy: TreeCopy,
    built: readonly Built[],
    reserved: number,
  ): Promise<TreeCopyResult> {
    const { account, task } = treeCopy;
    await nodes.lock(tx, account);
    const parent = await nodes.folder(tx, account, treeCopy.parent);
    const rows = await store.byIds(
      tx,
      built.map(({ copy }) => copy),
    );
    const copies = new Map(rows.map((row) => [row.id, row]));
    const wantedNames = new Map(rows.map(({ id, name }) => [id, treeCopy.name ?? name]));
    const arriving = built.filter(({ copy }) => copies.has(copy));
    const sources = createLineage(
      treeCopy.conflict === 'replace'
        ? await store.lineage(
            tx,
            arriving.map(({ source }) => source),
          )
        : [],
    );
    const above = new Set(arriving.flatMap(({ source }) => sources.chain(source).map(({ id }) => id)));
    const putAside = (inner: Tx, nodeIds: readonly string[]): Promise<void> =>
      trash.put(inner, account, nodeIds);
    const names = await admit(
      tx,
      store,
      arriving.map(({ copy }) => ({ ...copies.get(copy)!, name: wantedNames.get(copy)! })),
      { parent, conflict: treeCopy.conflict, above, putAside },
    );
    const admitted = arriving.filter((_, at) => names[at] !== undefined);
    await yieldToEventLoop();
    const named = arriving.flatMap(({ copy }, at) =>
      names[at] === undefined ? [] : [{ row: copies.get(copy)!, name: names[at] }],
    );
    await store.rename(
      tx,
      named
        .filter(({ row, name }) => row.name !== name)
        .map(({ row, name }) => ({ id: row.id, ...nameColumns(name, row.kind) })),
      parent,
    );
    await yieldToEventLoop();
    await copyStore.attach(
      tx,
      named.filter(({ row, name }) => row.name === name).map(({ row }) => row.id),
      parent,
    );
    if (admitted.length < built.length) await jobs.enqueue(tx, 'clear-graft', { account, task });
    const bytes = admitted.reduce((sum, root) => sum + root.bytes, 0);
    await quota.charge(tx, account, bytes, {
      reason: treeCopy.reason,
      reference: task,
      fromReserved: reserved,
    });
    return {
      made: new Map(admitted.map(({ source, copy }) => [source, copy])),
      bytes,
      nodes: admitted.reduce((sum, root) => sum + root.nodes, 0),
    };
  }

  let copied: Parameters<TreeCopies['onCopy']>[0] | undefined;
  async function copyRows(tx: Tx, treeCopy: TreeCopy, mappings: readonly Mapping[]): Promise<number> {
    const count = await copyStore.copy(tx, treeCopy.account, mappings, clock.now());
    if (treeCopy.reason === 'copy') await copied?.(tx, treeCopy.account, mappings);
    return count;
  }

  async function throwIfCancelled(sql: Sql, task: string): Promise<void> {
    if (await tasks.isCancelled(sql, task)) throw new TreeCopyCancelled();
  }

  /** Counts the nodes to copy; keeps their rows unless there are too many. */
  async function count(
    treeCopy: TreeCopy,
    roots: readonly SourceNode[],
    signal: AbortSignal,
  ): Promise<Counted> {
    const walk = createWalk(copyStore, {
      roots,
      visible: treeCopy.visible ?? defaultVisible,
      slice: READ_SLICE,
    });
    const counted: Counted = { bytes: 0, nodes: 0, kept: [] };
    for (;;) {
      signal.throwIfAborted();
      const rows = await walk.next(database);
      if (rows.length === 0) return counted;
      for (const row of rows) counted.bytes += row.size;
      counted.nodes += rows.length;
      if (counted.nodes > KEPT) counted.kept = undefined;
      counted.kept?.push(...rows);
      await throwIfCancelled(database, treeCopy.task);
      await yieldToEventLoop();
    }
  }

  /** Iterates over the rows to copy again: those that were kept, or the rows of a second walk. */
  async function* again(
    treeCopy: TreeCopy,
    roots: readonly SourceNode[],
    { kept }: Counted,
  ): AsyncGenerator<SourceNode[]> {
    if (kept) return yield kept;
    const walk = createWalk(copyStore, {
      roots,
      visible: treeCopy.visible ?? defaultVisible,
      slice: READ_SLICE,
    });
    for (let rows = await walk.next(database); rows.length > 0; rows = await walk.next(database)) yield rows;
  }

  async function build(
    treeCopy: TreeCopy,
    roots: readonly SourceNode[],
    counted: Counted,
    signal: AbortSignal,
  ): Promise<Built[]> {
    const mapper = createMapper(treeCopy, roots);
    let size = FIRST_SLICE;
    let done = 0;
    let exact = true;
    let reportedAt = clock.now();

    /** Writes several slices in one transaction, because every commit rewrites the same inner pages. */
    async function write(tx: Tx, mappings: readonly Mapping[]): Promise<void> {
      await throwIfCancelled(tx, treeCopy.task);
      const slice = size;
      for (let at = 0; at < mappings.length; at += slice) {
        const part = mappings.slice(at, at + slice);
        const started = performance.now();
        if ((await copyRows(tx, treeCopy, part)) < part.length) exact = false;
        if (part.length === slice) size = nextSlice(slice, performance.now() - started);
        await yieldToEventLoop();
      }
      if (clock.now() - reportedAt < PROGRESS_MS) return;
      reportedAt = clock.now();
      const progress = Math.min(99, Math.floor((done / counted.nodes) * 100));
      await tasks.update(tx, treeCopy.task, { progress });
    }

    for await (const rows of again(treeCopy, roots, counted)) {
      for (let at = 0; at < rows.length;) {
        signal.throwIfAborted();
        const mappings = rows.slice(at, at + size * SLICES_TOGETHER).map((row) => mapper.map(row));
        at += mappings.length;
        // Not durable: the nodes are hidden, and a run after a power cut clears them and starts over.
        await database.transaction((tx) => write(tx, mappings), { durable: false });
        done += mappings.length;
        await yieldToEventLoop();
      }
    }
    return exact ? mapper.built : remeasured(mapper.built);
  }

  /** Recounts the copies after sources were deleted during the copying. */
  async function remeasured(built: readonly Built[]): Promise<Built[]> {
    const measured: Built[] = [];
    for (const root of built) measured.push({ ...root, ...(await copyStore.measure(database, root.copy)) });
    return measured;
  }

  async function releaseReserved(tx: Tx, task: string): Promise<{ account: string } | undefined> {
    const treeCopy = await copyStore.end(tx, task);
    if (treeCopy) await quota.release(tx, treeCopy.account, treeCopy.reserved);
    return treeCopy;
  }

  const treeCopies: TreeCopies = {
    onCopy(hook) {
      copied = hook;
    },

    async small(tx, treeCopy) {
      await nodes.lock(tx, treeCopy.account);
      const roots = await rootsOf(tx, treeCopy);
      const walk = createWalk(copyStore, {
        roots,
        visible: treeCopy.visible ?? defaultVisible,
        slice: AT_ONCE,
      });
      const found: SourceNode[] = [];
      for (let rows = await walk.next(tx); rows.length > 0; rows = await walk.next(tx)) {
        found.push(...rows);
        if (found.length > AT_ONCE) return undefined;
      }
      const mapper = createMapper(treeCopy, roots);
      const mappings = found.map((row) => mapper.map(row));
      for (let at = 0; at < mappings.length; at += SMALL_SLICE) {
        await copyRows(tx, treeCopy, mappings.slice(at, at + SMALL_SLICE));
        await yieldToEventLoop();
      }
      return attach(tx, treeCopy, mapper.built, 0);
    },

    async run(treeCopy, { signal, attached }) {
      const { task, account } = treeCopy;
      await treeCopies.clear(account, task, signal);
      try {
        await throwIfCancelled(database, task);
        const roots = await rootsOf(database, treeCopy);
        const counted = await count(treeCopy, roots, signal);
        const { bytes } = counted;
        await database.transaction(async (tx) => {
          await tx.lock(`task:${task}`);
          await throwIfCancelled(tx, task);
          await quota.reserve(tx, account, bytes);
          await copyStore.begin(tx, { task, account, reserved: bytes, created_at: clock.now() });
          await tasks.update(tx, task, { phase: 'PHASE_TYPE_RUNNING', progress: 0, fileSize: bytes });
        });
        const built = await build(treeCopy, roots, counted, signal);
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

/** Returns the number of rows that this machine, under its current load, can write in the time of a slice. */
function nextSlice(size: number, took: number): number {
  const fitting = Math.round((size * SLICE_MS) / Math.max(took, 1));
  return Math.max(100, Math.min(fitting, Math.ceil(size * 1.5), MOST_IN_SLICE));
}
