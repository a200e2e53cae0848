import { cleanName, isApiFailure, type ErrorId } from '@bowerbird/contract';
import { FOLDER, type Blobs, type Events, type NodeRow, type Nodes } from '../drive/index.ts';
import type { Database, Tx } from '../foundation/database/index.ts';
import type { Clock } from '../foundation/index.ts';
import type { Quota } from '../membership/index.ts';
import { isFinished, type TaskRow, type Tasks } from '../task/index.ts';
import type { Sources } from './offline-source-service.ts';
import type { Wishes } from './offline-wish-service.ts';
import { dayOf, isWanted, type SourceRow, type WishRow } from './offline.ts';
import type { SourceStore } from './source-store.ts';
import type { WishStore } from './wish-store.ts';

/** Brings what is kept into the drives of those who wanted it. */
export interface Deliveries {
  /** Everything that can be delivered of a task; ends the task where nothing is left to come. May be run again at any time. */
  deliver(task: string, signal?: AbortSignal): Promise<void>;
}

/** What the creation of a task left for its end. */
export interface OfflineState {
  /** The name that the member chose; "" takes the source's. */
  readonly name: string;
  /** Id that the file or folder will have, so that clients know it from the start; absent in tasks of before. */
  readonly node?: string;
  /** A file of the member's: where the content is the same, it is what the task leads to. */
  readonly unless?: string;
}

const SLICE = 25;
/** Deeper folders of a torrent are joined into one. */
const DEEPEST = 64;

interface Kept {
  readonly position: number;
  readonly path: readonly string[];
  readonly hash: string;
  readonly size: number;
}

export function createDeliveries({
  database,
  store,
  wishStore,
  sources,
  wishes,
  blobs,
  events,
  nodes,
  quota,
  tasks,
  clock,
}: {
  database: Database;
  store: SourceStore;
  wishStore: WishStore;
  sources: Sources;
  wishes: Wishes;
  blobs: Blobs;
  events: Events;
  nodes: Nodes;
  quota: Quota;
  tasks: Tasks;
  clock: Clock;
}): Deliveries {
  /** The wish and its task while both are open; the task's lock is held from here on. */
  async function open(
    tx: Tx,
    id: string,
  ): Promise<{ wish: WishRow; task: TaskRow; source: SourceRow } | undefined> {
    await tx.lock(`task:${id}`);
    const wish = await wishStore.find(tx, id);
    const task = await tasks.byId(tx, id);
    if (!wish?.active || !task || isFinished(task.phase)) return undefined;
    return { wish, task, source: (await store.find(tx, wish.source))! };
  }

  /** Files of several, or of one that lies in a folder, come as a folder. */
  async function isFolder(tx: Tx, source: SourceRow): Promise<boolean> {
    const [first, second] = await store.filesAfter(tx, source.id, -1, 2);
    return second !== undefined || (first?.path.length ?? 1) > 1;
  }

  async function rootOf(tx: Tx, wish: WishRow, task: TaskRow, source: SourceRow): Promise<string> {
    if (wish.root !== undefined) return nodes.folder(tx, wish.account, wish.root);
    const { name: chosen, node: id } = task.state as OfflineState;
    const folder = await nodes.addFolder(tx, {
      id,
      account: wish.account,
      parent: wish.parent,
      name: cleanName(chosen || source.facts!.name, 'torrent'),
      conflict: 'rename',
      origin: { from: 'offline' },
      modifiedAt: source.modifiedAt,
    });
    await wishStore.update(tx, wish.task, { root: folder.id });
    await tasks.update(tx, wish.task, { fileId: folder.id, fileName: folder.name });
    return folder.id;
  }

  /** Makes, or finds, the folders above files; each only once in a slice. */
  function createFolders(
    tx: Tx,
    account: string,
    root: string,
    modifiedAt: number | undefined,
  ): (path: readonly string[]) => Promise<string> {
    const known = new Map<string, string>();
    const folderOf = async (path: readonly string[]): Promise<string> => {
      if (path.length === 0) return root;
      const key = JSON.stringify(path);
      const found = known.get(key);
      if (found !== undefined) return found;
      const parent = await folderOf(path.slice(0, -1));
      const wanted = { account, parent, name: cleanName(path.at(-1)!, 'folder'), modifiedAt };
      const there = await nodes.addFolder(tx, { ...wanted, conflict: 'skip' });
      const made =
        there.kind === FOLDER ? there : await nodes.addFolder(tx, { ...wanted, conflict: 'rename' });
      known.set(key, made.id);
      return made.id;
    };
    return folderOf;
  }

  const shallow = (path: readonly string[]): string[] =>
    path.length <= DEEPEST
      ? [...path]
      : [...path.slice(0, DEEPEST - 2), path.slice(DEEPEST - 2, -1).join(' - '), path.at(-1)!];

  /** The earlier file, where what was fetched is no other than it. */
  async function unchanged(
    tx: Tx,
    account: string,
    { state }: TaskRow,
    hash: string,
  ): Promise<NodeRow | undefined> {
    const { unless } = state as OfflineState;
    const earlier = unless === undefined ? undefined : await nodes.find(tx, account, unless);
    return earlier?.blob === hash ? earlier : undefined;
  }

  async function place(
    tx: Tx,
    { wish, task, source }: { wish: WishRow; task: TaskRow; source: SourceRow },
    files: readonly Kept[],
  ): Promise<void> {
    const { account } = wish;
    await nodes.lock(tx, account);
    const inFolder = await isFolder(tx, source);
    const root = inFolder ? await rootOf(tx, wish, task, source) : wish.parent;
    const folderOf = createFolders(tx, account, root, source.modifiedAt);
    const { name: chosen, node: promised } = task.state as OfflineState;
    let bytes = 0;
    for (const { position, path, hash, size } of files) {
      const segments = shallow(path);
      const same = inFolder ? undefined : await unchanged(tx, account, task, hash);
      const node =
        same ??
        (await nodes.addFile(tx, {
          id: inFolder ? undefined : promised,
          account,
          parent: inFolder ? await folderOf(segments.slice(0, -1)) : root,
          name: cleanName((!inFolder && chosen) || segments.at(-1)!, 'file'),
          blob: hash,
          size,
          conflict: 'rename',
          origin: { from: 'offline' },
          modifiedAt: source.modifiedAt,
        }));
      await wishStore.deliver(tx, wish.task, position, node.id);
      if (!inFolder) {
        await wishStore.update(tx, wish.task, { root: node.id });
        await tasks.update(tx, wish.task, {
          fileId: node.id,
          fileName: node.name,
          name: node.name,
          // A site that announces no length tells it by ending.
          fileSize: size,
          params: { size: String(size), ...(same ? { unchanged: 'true' } : {}) },
        });
      }
      if (!same) bytes += size;
    }
    await wishStore.countBytes(tx, account, dayOf(clock.now()), bytes);
    const fromReserved = Math.min(bytes, wish.reserved);
    await quota.charge(tx, account, bytes, { reason: 'offline', reference: wish.task, fromReserved });
    await wishStore.update(tx, wish.task, { reserved: wish.reserved - fromReserved });
  }

  /** Delivers the next few files after a position; gives where to go on, or undefined at the end. */
  async function slice(id: string, after: number): Promise<number | undefined> {
    return database.transaction(async (tx) => {
      const opened = await open(tx, id);
      if (!opened) return undefined;
      const { wish } = opened;
      const found = await wishStore.undelivered(tx, wish, after, SLICE);
      const wanted = found.filter(({ position }) => isWanted(wish, position));
      const here: Kept[] = [];
      for (const file of wanted) {
        if (await blobs.byHash(tx, file.hash, file.size)) here.push(file);
        else await fetchAgain(tx, wish, file.position);
      }
      if (here.length > 0) await place(tx, opened, here);
      return found.length < SLICE ? undefined : found.at(-1)!.position;
    });
  }

  /** Its bytes were collected, because nobody had them in a drive for a day. */
  async function fetchAgain(tx: Tx, wish: WishRow, position: number): Promise<void> {
    await store.updateFile(tx, wish.source, position, { state: 'waiting', hash: null, received: 0 });
    await sources.queue(tx, wish.source, wish.priority);
  }

  async function finish(id: string): Promise<void> {
    await database.transaction(async (tx) => {
      const opened = await open(tx, id);
      if (!opened?.source.facts) return;
      const { wish } = opened;
      const delivered = await wishStore.delivered(tx, id);
      const files = (await wishStore.states(tx, wish.source)).filter(({ position }) =>
        isWanted(wish, position),
      );
      const isSettled = ({ position, state }: (typeof files)[number]): boolean =>
        state === 'failed' || delivered.has(position);
      if (!files.every(isSettled)) return;
      const failed = files.filter(({ position }) => !delivered.has(position));
      await wishes.end(tx, wish);
      if (wish.root !== undefined) await events.came(tx, wish.account, 'TYPE_DOWNLOAD', [wish.root]);
      const params = { step: 'done', speed: '0', failed: String(failed.length) };
      const [first] = failed;
      if (first)
        await tasks.update(tx, id, {
          phase: 'PHASE_TYPE_ERROR',
          error: first.failure?.error ?? 'internal',
          params,
        });
      else await tasks.update(tx, id, { phase: 'PHASE_TYPE_COMPLETE', message: 'Saved', params });
    });
  }

  return {
    async deliver(id, signal) {
      try {
        for (let after: number | undefined = -1; after !== undefined; after = await slice(id, after))
          signal?.throwIfAborted();
      } catch (error) {
        if (!isApiFailure(error) || !REFUSALS.has(error.id)) throw error;
        return wishes.fail(id, error.id);
      }
      await finish(id);
    },
  };
}

/** What stands in the way for good; anything else is tried again. */
const REFUSALS: ReadonlySet<ErrorId> = new Set([
  'file_space_not_enough',
  'file_not_found',
  'invalid_argument',
]);
