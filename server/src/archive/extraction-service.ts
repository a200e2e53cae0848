import { ApiFailure, fileTime, isApiFailure, type DecompressStatus, type ErrorId } from '@bowerbird/contract';
import { FILE, FOLDER, type NodeRow, type Nodes, type Placements, type Recents } from '../drive/index.ts';
import type { Database, Sql, Tx } from '../foundation/database/index.ts';
import type { Clock, Keys } from '../foundation/index.ts';
import type { Jobs } from '../foundation/jobs/index.ts';
import type { Quota } from '../membership/index.ts';
import { isFinished, type TaskRow, type Tasks } from '../task/index.ts';
import type { Receiving } from '../upload/index.ts';
import type { ArchiveReading } from './archive-reading-service.ts';
import {
  BadArchive,
  UnknownMethod,
  WrongPassword,
  type ArchiveItem,
  type Unpacked,
} from './archive-items.ts';
import { createArchiveTasks, TaskOver } from './archive-task.ts';
import { choose, folderNameOf, placeOf, type ExtractionState } from './extraction.ts';

export interface Extraction {
  readonly account: string;
  readonly archive: string;
  readonly password: string;
  /** Paths of files or folders; empty for all. */
  readonly chosen: readonly string[];
  /** Destination folder; undefined for the archive's own folder. */
  readonly parent: string | undefined;
}

export interface Extractions {
  begin(
    extraction: Extraction,
  ): Promise<{ status: DecompressStatus; task: TaskRow | undefined; files: number }>;
  /** Bytes reserved for running extractions, by account, for a recount of quotas. */
  reserved(sql: Sql): Promise<ReadonlyMap<string, number>>;
  define(jobs: Jobs): void;
}

type ExtractionTask = TaskRow<ExtractionState>;

const JOB = 'extract';
const PASSWORD = 'archive-password';
const TOLD_EVERY_MS = 1000;
const LOCKED = { missing: 'PASS_WORD_EMPTY', wrong: 'PASS_WORD_ERROR' } as const;

interface Parts {
  database: Database;
  reading: ArchiveReading;
  nodes: Nodes;
  recents: Pick<Recents, 'noted'>;
  placements: Placements;
  quota: Quota;
  tasks: Tasks;
  jobs: Jobs;
  receive: Receiving['receive'];
  keys: Keys;
  clock: Clock;
}

export function createExtractions(parts: Parts): Extractions {
  const { database, reading, nodes, recents, placements, quota, tasks, jobs, receive, keys, clock } = parts;
  const work = createArchiveTasks<ExtractionState>({ database, nodes, tasks });
  const { open } = work;

  const progressOf = ({ done, total }: Pick<ExtractionState, 'done' | 'total'>): number =>
    total === 0 ? 0 : Math.min(99, Math.floor((done * 100) / total));

  async function rootOf(tx: Tx, task: ExtractionTask): Promise<string> {
    const { root, parent, name } = task.state;
    if (root !== undefined) return nodes.folder(tx, task.account, root);
    const folder = await nodes.addFolder(tx, {
      account: task.account,
      parent: await nodes.folder(tx, task.account, parent),
      name,
      conflict: 'rename',
      origin: { from: 'decompress' },
    });
    await recents.noted(tx, task.account, 'extracted', [folder.id]);
    return folder.id;
  }

  async function folderAt(tx: Tx, account: string, root: string, path: readonly string[]): Promise<string> {
    let parent = root;
    for (const name of path) {
      const there = await nodes.addFolder(tx, { account, parent, name, conflict: 'skip' });
      const made =
        there.kind === FOLDER
          ? there
          : await nodes.addFolder(tx, { account, parent, name, conflict: 'rename' });
      parent = made.id;
    }
    return parent;
  }

  /** Records an extracted entry, in the transaction that creates its node. */
  async function step(tx: Tx, task: ExtractionTask, item: ArchiveItem, root: string): Promise<void> {
    const state = task.state;
    const size = item.kind === 'file' ? item.size : 0;
    const after: ExtractionState = {
      ...state,
      root,
      next: item.index + 1,
      reserved: state.reserved - size,
      done: state.done + size,
    };
    await tasks.update(tx, task.id, { state: after, fileId: root, progress: progressOf(after) });
  }

  async function extract(id: string, item: ArchiveItem, source: AsyncIterable<Uint8Array>): Promise<void> {
    await receive({ source, size: item.size, most: item.size }, async (tx, { hash, size }) => {
      const task = await open(tx, id);
      const root = await rootOf(tx, task);
      const place = placeOf(item);
      await nodes.addFile(tx, {
        account: task.account,
        parent: await folderAt(tx, task.account, root, place.slice(0, -1)),
        name: place.at(-1)!,
        blob: hash,
        size,
        conflict: 'rename',
        origin: { from: 'decompress' },
        modifiedAt: fileTime(item.modifiedAt),
      });
      const fromReserved = Math.min(size, task.state.reserved);
      await quota.charge(tx, task.account, size, { reason: 'decompress', reference: id, fromReserved });
      await step(tx, task, item, root);
    });
  }

  async function makeFolder(id: string, item: ArchiveItem): Promise<void> {
    await database.transaction(async (tx) => {
      const task = await open(tx, id);
      const root = await rootOf(tx, task);
      const folder = await folderAt(tx, task.account, root, placeOf(item));
      const modifiedAt = fileTime(item.modifiedAt);
      if (folder !== root && modifiedAt !== undefined)
        await placements.setModified(tx, { id: folder }, modifiedAt);
      await step(tx, task, item, root);
    });
  }

  /** Reports the progress of a large entry from time to time. */
  async function* watched(
    id: string,
    state: ExtractionState,
    source: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    let passed = 0;
    let told = clock.now();
    for await (const chunk of source) {
      signal.throwIfAborted();
      yield chunk;
      passed += chunk.byteLength;
      if (clock.now() - told < TOLD_EVERY_MS) continue;
      told = clock.now();
      if (await tasks.isCancelled(database, id)) throw new TaskOver();
      const progress = progressOf({ done: state.done + passed, total: state.total });
      await database.transaction((tx) => tasks.update(tx, id, { progress }));
    }
  }

  async function run(begun: ExtractionTask, signal: AbortSignal): Promise<void> {
    const { id } = begun;
    const { blob, size, chosen, password: sealed } = begun.state;
    const password = sealed === '' ? '' : (keys.decrypt(PASSWORD, sealed) ?? '');
    const archive = await reading.open({ hash: blob, size }, password);
    if (typeof archive === 'string') throw new WrongPassword();
    const { next } = begun.state;
    const toCome = choose(archive.items, chosen).filter(({ index }) => index >= next);
    const files = toCome.filter(({ kind }) => kind === 'file');
    const contents = archive.unpack(files, password, signal)[Symbol.asyncIterator]();
    try {
      for (const item of toCome) {
        signal.throwIfAborted();
        const task = await tasks.byId<ExtractionState>(database, id);
        if (!task || isFinished(task.phase)) throw new TaskOver();
        if (item.kind === 'folder') {
          await makeFolder(id, item);
          continue;
        }
        const { value } = await contents.next();
        if (value === undefined) throw new BadArchive('an entry is missing');
        await extract(id, item, watched(id, task.state, (value as Unpacked).content, signal));
      }
    } finally {
      await contents.return?.();
    }
    await end(id, undefined);
  }

  /** Ends the task and releases its remaining reservation. */
  async function end(id: string, error: ErrorId | undefined): Promise<void> {
    await database.transaction(async (tx) => {
      const task = await open(tx, id);
      const state = task.state;
      // An archive that contains only links still has a folder.
      const root = error === undefined ? await rootOf(tx, task) : state.root;
      await quota.release(tx, task.account, state.reserved);
      const after: ExtractionState = { ...state, root, reserved: 0, password: '' };
      await tasks.update(tx, id, {
        state: after,
        ...(root === undefined ? {} : { fileId: root }),
        ...(error === undefined ? { phase: 'PHASE_TYPE_COMPLETE' } : { phase: 'PHASE_TYPE_ERROR', error }),
      });
    });
  }

  tasks.onCancel<ExtractionState>('decompress', (tx, task) =>
    quota.release(tx, task.account, task.state.reserved),
  );

  return {
    async begin({ account, archive: id, password, chosen, parent }) {
      const node = await nodes.find(database, account, id);
      if (node?.kind !== FILE || node.blob === null) throw new ApiFailure('file_not_found');
      const archive = await reading.open({ hash: node.blob, size: node.size }, password);
      if (typeof archive === 'string') return { status: LOCKED[archive], task: undefined, files: 0 };
      const items = choose(archive.items, chosen);
      const files = items.filter(({ kind }) => kind === 'file');
      if (chosen.length > 0 && items.length === 0) throw new ApiFailure('file_not_found');
      const verdict = await archive.judge(items, password);
      if (verdict !== 'right') return { status: LOCKED[verdict], task: undefined, files: files.length };
      const total = files.reduce((sum, { size }) => sum + size, 0);
      if (!Number.isSafeInteger(total))
        throw new ApiFailure('archive_invalid', { reason: 'its sizes are invalid' });
      const isLocked = files.some(({ isLocked }) => isLocked);
      try {
        const task = await reserve(node, { password: isLocked ? password : '', chosen, parent, total });
        return { status: 'OK', task, files: files.length };
      } catch (error) {
        if (!isApiFailure(error) || error.id !== 'file_space_not_enough') throw error;
        return { status: 'NEED_MORE_QUOTA', task: undefined, files: files.length };
      }
    },

    async reserved(sql) {
      const sums = new Map<string, number>();
      for (const task of await tasks.unfinished<ExtractionState>(sql, 'decompress'))
        sums.set(task.account, (sums.get(task.account) ?? 0) + task.state.reserved);
      return sums;
    },

    define: (queue) => work.define(queue, JOB, { run, fail: end, failureOf }),
  };

  function reserve(
    node: NodeRow,
    {
      password,
      chosen,
      parent,
      total,
    }: { password: string; chosen: readonly string[]; parent: string | undefined; total: number },
  ): Promise<TaskRow> {
    return database.transaction(async (tx) => {
      await nodes.lock(tx, node.account);
      const state: ExtractionState = {
        blob: node.blob!,
        size: node.size,
        chosen,
        password: password === '' ? '' : keys.encrypt(PASSWORD, password),
        parent: await nodes.folder(tx, node.account, parent ?? node.parent),
        name: folderNameOf(node.name),
        root: undefined,
        next: 0,
        reserved: total,
        done: 0,
        total,
      };
      await quota.reserve(tx, node.account, total);
      const task = await tasks.begin(tx, {
        account: node.account,
        type: 'decompress',
        name: node.name,
        fileName: state.name,
        fileSize: total,
        phase: 'PHASE_TYPE_RUNNING',
        state,
      });
      await jobs.enqueue(tx, JOB, { task: task.id }, { key: task.id });
      return task;
    });
  }
}

function failureOf(error: unknown): ErrorId {
  if (error instanceof WrongPassword) return 'unzip_password_incorrect';
  if (error instanceof UnknownMethod) return 'unsupported';
  if (error instanceof BadArchive) return 'archive_invalid';
  if (isApiFailure(error) && error.status < 500) return error.id;
  return 'internal';
}
