import { cleanName, isApiFailure, type ErrorId } from '@bowerbird/contract';
import { FOLDER, type Blobs, type Events, type NodeRow, type Nodes } from '../drive/index.ts';
import type { Database, Tx } from '../foundation/database/index.ts';
import type { Clock } from '../foundation/index.ts';
import type { Quota } from '../membership/index.ts';
import { isFinished, type TaskRow, type Tasks } from '../task/index.ts';
import type { Pushes } from '../push/index.ts';
import type { Sources } from './offline-source-service.ts';
import type { FetchRequests } from './offline-request-service.ts';
import { dayOf, isWanted, type SourceRow, type FetchRequestRow } from './offline.ts';
import type { SourceFileStore } from './source-file-store.ts';
import type { SourceStore } from './source-store.ts';
import type { FetchRequestStore } from './fetch-request-store.ts';

/** Delivers kept files into the drives of the members who requested them. */
export interface Deliveries {
  /** Delivers all kept files of a task, and ends the task if no more will come. Safe to run again at any time. */
  deliver(task: string, signal?: AbortSignal): Promise<void>;
}

/** State that the creation of a task saves for the delivery. */
export interface OfflineState {
  /** The name that the member chose; "" for the source's. */
  readonly name: string;
  /** The id of the future file or folder, so that clients know it from the start; absent in tasks of older versions. */
  readonly node?: string;
  /** A file of the member's: if its content is the same, it becomes the result of the task. */
  readonly unless?: string;
}

const SLICE = 25;
/** Folders of a torrent below this depth are joined into one. */
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
  fileStore,
  requestStore,
  sources,
  requests,
  blobs,
  events,
  nodes,
  quota,
  tasks,
  pushes,
  clock,
}: {
  database: Database;
  store: SourceStore;
  fileStore: SourceFileStore;
  requestStore: FetchRequestStore;
  sources: Sources;
  requests: FetchRequests;
  blobs: Blobs;
  events: Events;
  nodes: Nodes;
  quota: Quota;
  tasks: Tasks;
  pushes: Pick<Pushes, 'tell'>;
  clock: Clock;
}): Deliveries {
  /** Locks the task and returns it with its request; undefined unless both are open. */
  async function open(
    tx: Tx,
    id: string,
  ): Promise<{ request: FetchRequestRow; task: TaskRow<OfflineState>; source: SourceRow } | undefined> {
    await tx.lock(`task:${id}`);
    const request = await requestStore.find(tx, id);
    const task = await tasks.byId<OfflineState>(tx, id);
    if (!request?.active || !task || isFinished(task.phase)) return undefined;
    return { request, task, source: (await store.find(tx, request.source))! };
  }

  /** Returns whether a source is delivered as a folder: several files, or one file in a folder. */
  async function isFolder(tx: Tx, source: SourceRow): Promise<boolean> {
    const [first, second] = await fileStore.after(tx, source.id, -1, 2);
    return second !== undefined || (first?.path.length ?? 1) > 1;
  }

  async function rootOf(
    tx: Tx,
    request: FetchRequestRow,
    task: TaskRow<OfflineState>,
    source: SourceRow,
  ): Promise<string> {
    if (request.root !== undefined) return nodes.folder(tx, request.account, request.root);
    const { name: chosen, node: id } = task.state;
    const folder = await nodes.addFolder(tx, {
      id,
      account: request.account,
      parent: request.parent,
      name: cleanName(chosen || source.facts!.name, 'torrent'),
      conflict: 'rename',
      origin: { from: 'offline' },
      modifiedAt: source.modifiedAt,
    });
    await requestStore.update(tx, request.task, { root: folder.id });
    await tasks.update(tx, request.task, { fileId: folder.id, fileName: folder.name });
    return folder.id;
  }

  /** Returns a function that finds or creates the folder of a path; each only once in a slice. */
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

  /** Returns the earlier file if its content equals the fetched one. */
  async function unchanged(
    tx: Tx,
    account: string,
    { state }: TaskRow<OfflineState>,
    hash: string,
  ): Promise<NodeRow | undefined> {
    const { unless } = state;
    const earlier = unless === undefined ? undefined : await nodes.find(tx, account, unless);
    return earlier?.blob === hash ? earlier : undefined;
  }

  async function place(
    tx: Tx,
    { request, task, source }: { request: FetchRequestRow; task: TaskRow<OfflineState>; source: SourceRow },
    files: readonly Kept[],
  ): Promise<void> {
    const { account } = request;
    await nodes.lock(tx, account);
    const inFolder = await isFolder(tx, source);
    const root = inFolder ? await rootOf(tx, request, task, source) : request.parent;
    const folderOf = createFolders(tx, account, root, source.modifiedAt);
    const { name: chosen, node: promised } = task.state;
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
      await requestStore.deliver(tx, request.task, position, node.id);
      if (!inFolder) {
        await requestStore.update(tx, request.task, { root: node.id });
        await tasks.update(tx, request.task, {
          fileId: node.id,
          fileName: node.name,
          name: node.name,
          // If the site announced no length, the size is known only once the response has ended.
          fileSize: size,
          params: { size: String(size), ...(same ? { unchanged: 'true' } : {}) },
        });
      }
      if (!same) bytes += size;
    }
    await requestStore.countBytes(tx, account, dayOf(clock.now()), bytes);
    const fromReserved = Math.min(bytes, request.reserved);
    await quota.charge(tx, account, bytes, { reason: 'offline', reference: request.task, fromReserved });
    await requestStore.update(tx, request.task, { reserved: request.reserved - fromReserved });
  }

  /** Delivers the next files after a position. Returns the position to continue from, or undefined at the end. */
  async function slice(id: string, after: number): Promise<number | undefined> {
    return database.transaction(async (tx) => {
      const opened = await open(tx, id);
      if (!opened) return undefined;
      const { request } = opened;
      const found = await requestStore.undelivered(tx, request, after, SLICE);
      const wanted = found.filter(({ position }) => isWanted(request, position));
      const here: Kept[] = [];
      for (const file of wanted) {
        if (await blobs.byHash(tx, file.hash, file.size)) here.push(file);
        else await fetchAgain(tx, request, file.position);
      }
      if (here.length > 0) await place(tx, opened, here);
      return found.length < SLICE ? undefined : found.at(-1)!.position;
    });
  }

  /** Queues a file again whose bytes were garbage collected, because no drive had them for a day. */
  async function fetchAgain(tx: Tx, request: FetchRequestRow, position: number): Promise<void> {
    await fileStore.update(tx, request.source, position, { state: 'waiting', hash: null, received: 0 });
    await sources.queue(tx, request.source, request.priority);
  }

  async function finish(id: string): Promise<void> {
    await database.transaction(async (tx) => {
      const opened = await open(tx, id);
      if (!opened?.source.facts) return;
      const { request } = opened;
      const delivered = await requestStore.delivered(tx, id);
      const files = (await requestStore.states(tx, request.source)).filter(({ position }) =>
        isWanted(request, position),
      );
      const isSettled = ({ position, state }: (typeof files)[number]): boolean =>
        state === 'failed' || delivered.has(position);
      if (!files.every(isSettled)) return;
      const failed = files.filter(({ position }) => !delivered.has(position));
      await requests.end(tx, request);
      if (request.root !== undefined) await events.came(tx, request.account, 'TYPE_DOWNLOAD', [request.root]);
      const params = { step: 'done', speed: '0', failed: String(failed.length) };
      const [first] = failed;
      if (first)
        await tasks.update(tx, id, {
          phase: 'PHASE_TYPE_ERROR',
          error: first.failure?.error ?? 'internal',
          params,
        });
      else {
        await tasks.update(tx, id, { phase: 'PHASE_TYPE_COMPLETE', message: 'Saved', params });
        await pushes.tell(tx, request.account, { kind: 'download', name: opened.task.name });
      }
    });
  }

  return {
    async deliver(id, signal) {
      try {
        for (let after: number | undefined = -1; after !== undefined; after = await slice(id, after))
          signal?.throwIfAborted();
      } catch (error) {
        if (!isApiFailure(error) || !REFUSALS.has(error.id)) throw error;
        return requests.fail(id, error.id);
      }
      await finish(id);
    },
  };
}

/** Permanent failures; everything else is retried. */
const REFUSALS: ReadonlySet<ErrorId> = new Set([
  'file_space_not_enough',
  'file_not_found',
  'invalid_argument',
]);
