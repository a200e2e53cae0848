import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Database, Sql, Tx } from '../../foundation/database/index.ts';
import type { Clock, Ids } from '../../foundation/index.ts';
import type { Tasks } from '../../task/index.ts';
import { FILE, FOLDER } from '../drive.ts';
import type { DriveStore } from '../drive-store.ts';
import type { FolderSizeStore } from '../folder-size/index.ts';
import type { Counted, TreeCopyCounts } from './tree-copy-count-service.ts';
import type { Mapping, SourceNode, TreeCopyStore } from './tree-copy-store.ts';
import { treeCopyPlace, type Built, type TreeCopy } from './tree-copy.ts';

/** Hook that is called with each copy within an account. */
export type OnCopy = (tx: Tx, account: string, mappings: readonly Mapping[]) => Promise<void>;

/** Builds copies in a hidden place. */
export interface TreeCopyBuilds {
  onCopy(hook: OnCopy): void;
  /** Builds the copies of the given rows within the caller's transaction. */
  small(
    tx: Tx,
    treeCopy: TreeCopy,
    roots: readonly SourceNode[],
    rows: readonly SourceNode[],
  ): Promise<readonly Built[]>;
  /** Builds the copies of all counted rows in slices, and reports the progress of the task. */
  large(
    treeCopy: TreeCopy,
    roots: readonly SourceNode[],
    counted: Counted,
    signal: AbortSignal,
  ): Promise<readonly Built[]>;
}

/** Folder that is copied, with the sums of its copy. */
interface CopiedFolder {
  readonly id: string;
  readonly root: Built;
  readonly parent: CopiedFolder | undefined;
  bytes: number;
  files: number;
  folders: number;
}

/** Rows that are written before yielding to the event loop. */
const SMALL_SLICE = 500;
const FIRST_SLICE = 500;
/** Smaller slices would mostly write the same inner pages again with each commit. */
const LEAST_IN_SLICE = 500;
const MOST_IN_SLICE = 4000;
/** Target duration of a slice without its commit; others wait for one slice at a time. */
const SLICE_MS = 12;
/** Turns of the event loop between two slices: what a request needs to get answered. */
const TURNS = 4;
const PROGRESS_MS = 500;

export function createTreeCopyBuilds({
  database,
  store,
  copyStore,
  sizes,
  counts,
  tasks,
  clock,
  ids,
  throwIfCancelled,
}: {
  database: Database;
  store: DriveStore;
  copyStore: TreeCopyStore;
  sizes: FolderSizeStore;
  counts: TreeCopyCounts;
  tasks: Tasks;
  clock: Clock;
  ids: Ids;
  throwIfCancelled: (sql: Sql, task: string) => Promise<void>;
}): TreeCopyBuilds {
  let copied: OnCopy | undefined;

  /** Copies rows. Returns false if a source was deleted, or its content replaced, after the rows were read. */
  async function copyRows(
    tx: Tx,
    treeCopy: TreeCopy,
    rows: readonly SourceNode[],
    mappings: readonly Mapping[],
  ): Promise<boolean> {
    const made = await copyStore.copy(tx, treeCopy.account, mappings, clock.now());
    if (treeCopy.reason === 'copy') await copied?.(tx, treeCopy.account, mappings);
    return rows.every(({ kind, size }, at) => made.get(mappings[at]![1]) === (kind === FILE ? size : 0));
  }

  /** Assigns ids and parents to copies, and adds up the contents of each root and folder. */
  function createMapper({ task }: TreeCopy, roots: readonly SourceNode[]) {
    const built: Built[] = [];
    const folders = new Map<string, CopiedFolder>();
    const rootIds = new Set(roots.map(({ id }) => id));
    let last: { folder: string; made: CopiedFolder | undefined } = { folder: '', made: undefined };
    return {
      built,
      map: (row: SourceNode): Mapping => {
        const copy = ids.next();
        const isRoot = rootIds.has(row.id);
        // Siblings follow one another.
        if (!isRoot && row.parent !== last.folder)
          last = { folder: row.parent, made: folders.get(row.parent) };
        const parent = isRoot ? undefined : last.made;
        const root = parent?.root ?? { source: row.id, copy, bytes: 0, nodes: 0, files: 0 };
        if (!parent) built.push(root);
        root.nodes += 1;
        if (row.kind === FILE) {
          root.bytes += row.size;
          root.files += 1;
          if (parent) {
            parent.bytes += row.size;
            parent.files += 1;
          }
        } else {
          if (parent) parent.folders += 1;
          folders.set(row.id, { id: copy, root, parent, bytes: 0, files: 0, folders: 0 });
        }
        return [row.id, copy, parent?.id ?? `${treeCopyPlace(task)}${copy}`];
      },
      /** Returns the sums of all folders that contain something. Call it once, after all rows were mapped. */
      sums(): readonly CopiedFolder[] {
        const all = [...folders.values()];
        // Folders were mapped before their contents.
        for (const { parent, bytes, files, folders: inside } of all.toReversed()) {
          if (!parent) continue;
          parent.bytes += bytes;
          parent.files += files;
          parent.folders += inside;
        }
        return all.filter((folder) => folder.files > 0 || folder.folders > 0);
      },
    };
  }

  async function large(
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

    async function write(tx: Tx, rows: readonly SourceNode[], mappings: readonly Mapping[]): Promise<void> {
      await throwIfCancelled(tx, treeCopy.task);
      const started = performance.now();
      if (!(await copyRows(tx, treeCopy, rows, mappings))) exact = false;
      if (mappings.length === size) size = nextSlice(size, performance.now() - started);
      if (clock.now() - reportedAt < PROGRESS_MS) return;
      reportedAt = clock.now();
      const progress = Math.min(99, Math.floor((done / counted.nodes) * 100));
      await tasks.update(tx, treeCopy.task, { progress });
    }

    for await (const rows of counts.again(roots, counted)) {
      for (let at = 0; at < rows.length;) {
        signal.throwIfAborted();
        const slice = rows.slice(at, at + size);
        const mappings = slice.map((row) => mapper.map(row));
        at += mappings.length;
        // Not durable: the nodes are hidden, and a run after a power cut clears them and starts over.
        await database.transaction((tx) => write(tx, slice, mappings), { durable: false });
        done += mappings.length;
        for (let turn = 0; turn < TURNS; turn++) await yieldToEventLoop();
      }
    }
    if (!exact)
      return database.transaction(async (tx) => {
        await throwIfCancelled(tx, treeCopy.task);
        return recounted(tx, mapper.built);
      });
    const sums = mapper.sums();
    for (let at = 0; at < sums.length; at += MOST_IN_SLICE) {
      signal.throwIfAborted();
      await database.transaction(
        async (tx) => {
          await throwIfCancelled(tx, treeCopy.task);
          await sizes.fill(tx, sums.slice(at, at + MOST_IN_SLICE));
        },
        { durable: false },
      );
      for (let turn = 0; turn < TURNS; turn++) await yieldToEventLoop();
    }
    return mapper.built;
  }

  /** Counts the copies again after sources were deleted or replaced during the copying. */
  async function recounted(tx: Tx, built: readonly Built[]): Promise<Built[]> {
    const copies = built.map(({ copy }) => copy);
    await sizes.recount(tx, copies);
    const rows = await store.byIds(tx, copies);
    const found = new Map(rows.map((row) => [row.id, row]));
    return built.map((root) => {
      const { kind = FILE, size = 0, file_count = 0, folder_count = 0 } = found.get(root.copy) ?? {};
      const files = file_count + (found.has(root.copy) && kind === FILE ? 1 : 0);
      return { ...root, bytes: size, files, nodes: files + folder_count + (kind === FOLDER ? 1 : 0) };
    });
  }

  return {
    onCopy(hook) {
      copied = hook;
    },

    async small(tx, treeCopy, roots, rows) {
      const mapper = createMapper(treeCopy, roots);
      const mappings = rows.map((row) => mapper.map(row));
      let exact = true;
      for (let at = 0; at < rows.length; at += SMALL_SLICE) {
        const [slice, copies] = [rows.slice(at, at + SMALL_SLICE), mappings.slice(at, at + SMALL_SLICE)];
        if (!(await copyRows(tx, treeCopy, slice, copies))) exact = false;
        await yieldToEventLoop();
      }
      // The sources may belong to somebody else, whose tree isn't locked.
      if (!exact) return recounted(tx, mapper.built);
      await sizes.fill(tx, mapper.sums());
      return mapper.built;
    },

    large,
  };
}

/** Returns the number of rows that this machine, under its current load, can write in the time of a slice. */
function nextSlice(size: number, took: number): number {
  const fitting = Math.round((size * SLICE_MS) / Math.max(took, 1));
  return Math.max(LEAST_IN_SLICE, Math.min(fitting, Math.ceil(size * 1.5), MOST_IN_SLICE));
}
