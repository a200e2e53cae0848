import { ApiFailure, clipBytes, isApiFailure, LIMITS, type ErrorId } from '@bowerbird/contract';
import { FOLDER, type Nodes } from '../drive/index.ts';
import type { Database } from '../foundation/database/index.ts';
import type { Jobs } from '../foundation/jobs/index.ts';
import type { Quota } from '../membership/index.ts';
import type { TaskRow, Tasks } from '../task/index.ts';
import type { Receiving } from '../upload/index.ts';
import type { Archives } from './archive-service.ts';
import { createArchiveTasks, TaskOver } from './archive-task.ts';

/** Compression of a folder to a zip beside it; the folder stays. */
export interface Packings {
  begin(account: string, folder: string): Promise<TaskRow>;
  define(jobs: Jobs): void;
}

interface PackingState {
  readonly folder: string;
}

const JOB = 'pack';
const EXTENSION = '.zip';
const LOOKED_EVERY_BYTES = 16 * 2 ** 20;

interface Parts {
  database: Database;
  archives: Archives;
  nodes: Nodes;
  quota: Quota;
  tasks: Tasks;
  jobs: Jobs;
  receive: Receiving['receive'];
}

const failureOf = (error: unknown): ErrorId => (isApiFailure(error) ? error.id : 'internal');

export function createPackings({ database, archives, nodes, quota, tasks, jobs, receive }: Parts): Packings {
  const work = createArchiveTasks<PackingState>({ database, nodes, tasks });
  const { open } = work;

  async function* watched(
    id: string,
    source: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    let since = 0;
    for await (const chunk of source) {
      signal.throwIfAborted();
      yield chunk;
      since += chunk.byteLength;
      if (since < LOOKED_EVERY_BYTES) continue;
      since = 0;
      if (await tasks.isCancelled(database, id)) throw new TaskOver();
    }
  }

  async function pack(task: TaskRow<PackingState>, signal: AbortSignal): Promise<void> {
    const { account } = task;
    const { folder } = task.state;
    const { limit, used, reserved } = await quota.of(database, account);
    const source = watched(task.id, archives.contents(account, [folder]), signal);
    await receive(
      { source, size: undefined, most: Math.max(0, limit - used - reserved) },
      async (tx, { hash, size }) => {
        await open(tx, task.id);
        const node = await nodes.find(tx, account, folder);
        if (!node) throw new ApiFailure('file_not_found');
        const file = await nodes.addFile(tx, {
          account,
          parent: node.parent,
          name: clipBytes(node.name, LIMITS.nameBytes - EXTENSION.length) + EXTENSION,
          blob: hash,
          size,
          conflict: 'rename',
          origin: { from: 'pack_files' },
        });
        await quota.charge(tx, account, size, { reason: 'pack', reference: file.id });
        await tasks.update(tx, task.id, {
          phase: 'PHASE_TYPE_COMPLETE',
          fileId: file.id,
          fileName: file.name,
          fileSize: size,
        });
      },
    );
  }

  async function fail(id: string, error: ErrorId): Promise<void> {
    await database.transaction(async (tx) => {
      await open(tx, id);
      await tasks.update(tx, id, { phase: 'PHASE_TYPE_ERROR', error });
    });
  }

  return {
    async begin(account, folder) {
      const node = await nodes.find(database, account, folder);
      if (node?.kind !== FOLDER) throw new ApiFailure('file_not_found');
      const order = { key: 'name', descending: false, foldersFirst: false } as const;
      const { rows } = await nodes.children(database, folder, { order, limit: 1, place: undefined });
      if (rows.length === 0) throw new ApiFailure('cannot_pack_empty_folder');
      return database.transaction(async (tx) => {
        const task = await tasks.begin(tx, {
          account,
          type: 'pack_files',
          name: node.name,
          fileName: node.name,
          phase: 'PHASE_TYPE_RUNNING',
          state: { folder } satisfies PackingState,
        });
        await jobs.enqueue(tx, JOB, { task: task.id }, { key: task.id });
        return task;
      });
    },

    define: (queue) => work.define(queue, JOB, { run: pack, fail, failureOf }),
  };
}
