import { setImmediate as yielded } from 'node:timers/promises';
import { ApiFailure } from '@bowerbird/contract';
import type { Clock, Ids } from '../foundation/index.ts';
import type { Database, Sql, Tx } from '../foundation/database/index.ts';
import type { Jobs } from '../foundation/jobs/index.ts';
import type { Quota } from '../membership/index.ts';
import type { Tasks } from '../task/index.ts';
import type { GraftStore, Mapping, Source } from './drive-graft-store.ts';
import { admit, nameColumns } from './drive-name-service.ts';
import type { Nodes } from './drive-node-service.ts';
import type { Purges } from './drive-purge-service.ts';
import type { DriveStore } from './drive-store.ts';
import type { TrashCan } from './drive-trash-service.ts';
import { createWalk } from './drive-walk-service.ts';
import { FOLDER, type Conflict } from './drive.ts';
import { createLineage } from './lineage.ts';

/** Judges a node by what is read of it. */
export type Visible = (node: { id: string; kind: 0 | 1; size: number; quarantined: boolean }) => boolean;

export interface Graft {
  /** Id of the task that this serves; at most one graft each. */
  readonly task: string;
  /** Nodes to copy with all that lies beneath, of whatever account; the caller has checked that they may be. */
  readonly roots: readonly string[];
  readonly account: string;
  /** Id of a live folder of `account`, or the account's own id for the root. */
  readonly parent: string;
  readonly conflict: Conflict;
  /** What a single root is called there; each keeps its own name where absent. */
  readonly name?: string | undefined;
  /** Ledger reason: `copy` or `restore`. */
  readonly reason: string;
  /** Leaves out what may not be copied, with all that lies beneath. Quarantined bytes where absent. */
  readonly visible?: Visible;
}

export interface Grafted {
  /** Ids of the roots copied → ids of their copies. */
  readonly made: ReadonlyMap<string, string>;
  readonly bytes: number;
  readonly nodes: number;
}

export interface GraftRun {
  readonly signal: AbortSignal;
  /** Runs in the transaction that attaches: complete the task there. */
  readonly attached: (tx: Tx, grafted: Grafted) => Promise<void>;
}

/**
 * Copies of subtrees by reference: no byte moves. Counted and reserved first, built out of sight, attached whole in one
 * transaction.
 */
export interface Grafts {
  /**
   * Does it all within the caller's transaction, where that is small (1000 nodes or fewer); undefined, and nothing
   * changed, where it isn't. Throws `file_space_not_enough`, `file_not_found`, `file_duplicated_name`.
   */
  small(tx: Tx, graft: Graft): Promise<Grafted | undefined>;
  /**
   * In slices, for background work; sets the task running and tells its progress. Clears what a killed run left, so it
   * is begun again from the start. Rejects with {@link GraftCancelled} where the task was cancelled, with the refusal
   * where it is refused; nothing of it is left then. Aborting `signal` rejects at the next slice and leaves everything
   * for the next run.
   */
  run(graft: Graft, run: GraftRun): Promise<Grafted>;
  /** What a cancelled task gives back: to be called from `tasks.onCancel` of every task type that grafts. */
  cancelled(tx: Tx, task: string): Promise<void>;
  /** Says who keeps more of nodes than their rows, and copies it along; told of every copy within an account. */
  onCopy(copied: (tx: Tx, account: string, mappings: readonly Mapping[]) => Promise<void>): void;
  /** Clears what a graft built out of sight. */
  clear(account: string, task: string, signal: AbortSignal): Promise<void>;
}

/** The task was cancelled meanwhile; what was built of it is gone. */
export class GraftCancelled extends Error {
  override name = 'GraftCancelled';
}

interface GraftDeps {
  readonly database: Database;
  readonly store: DriveStore;
  readonly grafting: GraftStore;
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
  kept: Source[] | undefined;
}

interface Built {
  readonly source: string;
  readonly copy: string;
  bytes: number;
  nodes: number;
}

/** So many nodes are copied within a request. */
const AT_ONCE = 1000;
/** Rows that are read, and written, before others get their turn. */
const READ_SLICE = 1000;
const SMALL_SLICE = 500;
const FIRST_SLICE = 300;
const MOST_IN_SLICE = 2000;
const SLICES_TOGETHER = 4;
/** What one slice is to take: whoever reads waits for so long at each step, whoever writes for some slices. */
const SLICE_MS = 4;
/** Rows that are kept from counting for copying; about 20 MB. */
const KEPT = 120_000;
const PROGRESS_MS = 500;
const CLEAR_MS = 30_000;

const graftPlace = (task: string): string => `!graft/${task}/`;
const standard: Visible = ({ quarantined }) => !quarantined;

export function createGrafts({
  database,
  store,
  grafting,
  nodes,
  trash,
  purges,
  quota,
  tasks,
  jobs,
  clock,
  ids,
}: GraftDeps): Grafts {
  async function rootsOf(sql: Sql, graft: Graft): Promise<Source[]> {
    const wanted = new Set(graft.roots);
    const lineage = await store.lineage(sql, [...wanted]);
    const { goesWith } = createLineage(lineage);
    const known = new Set(
      lineage.filter((node) => wanted.has(node.id) && !goesWith(node, wanted)).map(({ id }) => id),
    );
    const rows = new Map((await grafting.byIds(sql, [...known])).map((row) => [row.id, row]));
    const roots = [...wanted].flatMap((id) => rows.get(id) ?? []).filter(graft.visible ?? standard);
    if (roots.length === 0) throw new ApiFailure('file_not_found');
    return roots;
  }

  /** Gives copies their ids and parents, and counts what belongs to each root. */
  function createMapper({ task }: Graft, roots: readonly Source[]) {
    const built: Built[] = [];
    const folders = new Map<string, { copy: string; root: Built }>();
    const rootIds = new Set(roots.map(({ id }) => id));
    return {
      built,
      map: (row: Source): Mapping => {
        const copy = ids.next();
        const parent = rootIds.has(row.id) ? undefined : folders.get(row.parent);
        const root = parent?.root ?? { source: row.id, copy, bytes: 0, nodes: 0 };
        if (!parent) built.push(root);
        root.bytes += row.size;
        root.nodes += 1;
        if (row.kind === FOLDER) folders.set(row.id, { copy, root });
        return [row.id, copy, parent?.copy ?? `${graftPlace(task)}${copy}`];
      },
    };
  }

  /** Brings what was built into its folder and charges it. */
  async function attach(tx: Tx, graft: Graft, built: readonly Built[], reserved: number): Promise<Grafted> {
    const { account, task } = graft;
    await nodes.lock(tx, account);
    const parent = await nodes.folder(tx, account, graft.parent);
    const rows = await store.byIds(
      tx,
      built.map(({ copy }) => copy),
    );
    const copies = new Map(rows.map((row) => [row.id, row]));
    const wantedNames = new Map(rows.map(({ id, name }) => [id, graft.name ?? name]));
    const arriving = built.filter(({ copy }) => copies.has(copy));
    const sources = createLineage(
      graft.conflict === 'replace'
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
      { parent, conflict: graft.conflict, above, putAside },
    );
    const admitted = arriving.filter((_, at) => names[at] !== undefined);
    await yielded();
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
    await yielded();
    await grafting.attach(
      tx,
      named.filter(({ row, name }) => row.name === name).map(({ row }) => row.id),
      parent,
    );
    if (admitted.length < built.length) await jobs.enqueue(tx, 'clear-graft', { account, task });
    const bytes = admitted.reduce((sum, root) => sum + root.bytes, 0);
    await quota.charge(tx, account, bytes, { reason: graft.reason, reference: task, fromReserved: reserved });
    return {
      made: new Map(admitted.map(({ source, copy }) => [source, copy])),
      bytes,
      nodes: admitted.reduce((sum, root) => sum + root.nodes, 0),
    };
  }

  let copied: Parameters<Grafts['onCopy']>[0] | undefined;
  async function copyRows(tx: Tx, graft: Graft, mappings: readonly Mapping[]): Promise<number> {
    const count = await grafting.copy(tx, graft.account, mappings, clock.now());
    if (graft.reason === 'copy') await copied?.(tx, graft.account, mappings);
    return count;
  }

  async function leaveIfCancelled(sql: Sql, task: string): Promise<void> {
    if (await tasks.isCancelled(sql, task)) throw new GraftCancelled();
  }

  /** Counts what there is to copy; keeps the rows where memory has room for them. */
  async function count(graft: Graft, roots: readonly Source[], signal: AbortSignal): Promise<Counted> {
    const walk = createWalk(grafting, { roots, visible: graft.visible ?? standard, slice: READ_SLICE });
    const counted: Counted = { bytes: 0, nodes: 0, kept: [] };
    for (;;) {
      signal.throwIfAborted();
      const rows = await walk.next(database);
      if (rows.length === 0) return counted;
      for (const row of rows) counted.bytes += row.size;
      counted.nodes += rows.length;
      if (counted.nodes > KEPT) counted.kept = undefined;
      counted.kept?.push(...rows);
      await leaveIfCancelled(database, graft.task);
      await yielded();
    }
  }

  /** The rows to copy, again: those that were kept, or by another walk. */
  async function* again(graft: Graft, roots: readonly Source[], { kept }: Counted): AsyncGenerator<Source[]> {
    if (kept) return yield kept;
    const walk = createWalk(grafting, { roots, visible: graft.visible ?? standard, slice: READ_SLICE });
    for (let rows = await walk.next(database); rows.length > 0; rows = await walk.next(database)) yield rows;
  }

  async function build(
    graft: Graft,
    roots: readonly Source[],
    counted: Counted,
    signal: AbortSignal,
  ): Promise<Built[]> {
    const mapper = createMapper(graft, roots);
    let size = FIRST_SLICE;
    let done = 0;
    let exact = true;
    let told = clock.now();

    /** Some slices in one transaction, because every commit writes the same inner pages again. */
    async function write(tx: Tx, mappings: readonly Mapping[]): Promise<void> {
      await leaveIfCancelled(tx, graft.task);
      const slice = size;
      for (let at = 0; at < mappings.length; at += slice) {
        const part = mappings.slice(at, at + slice);
        const started = performance.now();
        if ((await copyRows(tx, graft, part)) < part.length) exact = false;
        if (part.length === slice) size = nextSlice(slice, performance.now() - started);
        await yielded();
      }
      if (clock.now() - told < PROGRESS_MS) return;
      told = clock.now();
      const progress = Math.min(99, Math.floor((done / counted.nodes) * 100));
      await tasks.update(tx, graft.task, { progress });
    }

    for await (const rows of again(graft, roots, counted)) {
      for (let at = 0; at < rows.length;) {
        signal.throwIfAborted();
        const mappings = rows.slice(at, at + size * SLICES_TOGETHER).map((row) => mapper.map(row));
        at += mappings.length;
        // Built out of sight, so it may be lost: a run after a power cut clears it and begins again.
        await database.transaction((tx) => write(tx, mappings), { durable: false });
        done += mappings.length;
        await yielded();
      }
    }
    return exact ? mapper.built : remeasured(mapper.built);
  }

  /** Where sources vanished under the copying hand, only what was really made counts. */
  async function remeasured(built: readonly Built[]): Promise<Built[]> {
    const measured: Built[] = [];
    for (const root of built) measured.push({ ...root, ...(await grafting.measure(database, root.copy)) });
    return measured;
  }

  async function giveBack(tx: Tx, task: string): Promise<{ account: string } | undefined> {
    const graft = await grafting.end(tx, task);
    if (graft) await quota.release(tx, graft.account, graft.reserved);
    return graft;
  }

  const grafts: Grafts = {
    onCopy(told) {
      copied = told;
    },

    async small(tx, graft) {
      await nodes.lock(tx, graft.account);
      const roots = await rootsOf(tx, graft);
      const walk = createWalk(grafting, { roots, visible: graft.visible ?? standard, slice: AT_ONCE });
      const found: Source[] = [];
      for (let rows = await walk.next(tx); rows.length > 0; rows = await walk.next(tx)) {
        found.push(...rows);
        if (found.length > AT_ONCE) return undefined;
      }
      const mapper = createMapper(graft, roots);
      const mappings = found.map((row) => mapper.map(row));
      for (let at = 0; at < mappings.length; at += SMALL_SLICE) {
        await copyRows(tx, graft, mappings.slice(at, at + SMALL_SLICE));
        await yielded();
      }
      return attach(tx, graft, mapper.built, 0);
    },

    async run(graft, { signal, attached }) {
      const { task, account } = graft;
      await grafts.clear(account, task, signal);
      try {
        await leaveIfCancelled(database, task);
        const roots = await rootsOf(database, graft);
        const counted = await count(graft, roots, signal);
        const { bytes } = counted;
        await database.transaction(async (tx) => {
          await tx.lock(`task:${task}`);
          await leaveIfCancelled(tx, task);
          await quota.reserve(tx, account, bytes);
          await grafting.begin(tx, { task, account, reserved: bytes, created_at: clock.now() });
          await tasks.update(tx, task, { phase: 'PHASE_TYPE_RUNNING', progress: 0, fileSize: bytes });
        });
        const built = await build(graft, roots, counted, signal);
        return await database.transaction(async (tx) => {
          await tx.lock(`task:${task}`);
          await leaveIfCancelled(tx, task);
          const { reserved } = (await grafting.end(tx, task))!;
          const grafted = await attach(tx, graft, built, reserved);
          await attached(tx, grafted);
          return grafted;
        });
      } catch (error) {
        if (!signal.aborted) await grafts.clear(account, task, signal);
        throw error;
      }
    },

    async cancelled(tx, task) {
      const graft = await giveBack(tx, task);
      // Who builds clears up after itself; this is for where nobody does, because the process was killed.
      if (graft)
        await jobs.enqueue(tx, 'clear-graft', { account: graft.account, task }, { delayMs: CLEAR_MS });
    },

    async clear(account, task, signal) {
      await database.transaction(async (tx) => {
        await tx.lock(`task:${task}`);
        await giveBack(tx, task);
      });
      await purges.clear({ account, place: graftPlace(task) }, signal);
    },
  };
  return grafts;
}

/** As many rows as this machine, as busy as it is, can write in a slice's time. */
function nextSlice(size: number, took: number): number {
  const fitting = Math.round((size * SLICE_MS) / Math.max(took, 1));
  return Math.max(100, Math.min(fitting, Math.ceil(size * 1.5), MOST_IN_SLICE));
}
