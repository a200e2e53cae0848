import { ApiFailure, ERRORS, isApiFailure, LIMITS, parseSize } from '@bowerbird/contract';
import type { BlobStore } from '@bowerbird/storage';
import type { Conflict, NodeRow, Nodes } from '../drive/index.ts';
import type { Database, Tx } from '../foundation/database/index.ts';
import { createSemaphore, type Ids } from '../foundation/index.ts';
import type { Aborting } from './upload-abort-service.ts';
import { ResidentStays, type Adding, type Arrival } from './upload-add-service.ts';
import type { SmallBodies } from './upload-small-service.ts';
import { readAsk, type KeptContent } from './upload.ts';

export interface BatchFile {
  readonly parent_id?: string | undefined;
  readonly name: string;
  readonly size: number | string;
  readonly conflict?: Conflict | undefined;
  readonly user_modified_time?: string | undefined;
}

/** File whose bytes are durable. */
interface KeptFile {
  readonly file: BatchFile;
  readonly id: string;
  readonly kept: KeptContent;
  readonly modifiedAt: number | undefined;
}

interface RefusedFile {
  readonly file: BatchFile;
  readonly failure: ApiFailure;
}

export type BatchBody = KeptFile | RefusedFile;

/** New file, or the one that stays in its place; or the reason why there is none. */
export type BatchResult = { readonly node: NodeRow } | RefusedFile;

/** Uploads of many small files at once. */
export interface BatchUploads {
  /** Stores the contents of the files; durable when it resolves. `bytes` are those of all files, in order. */
  keep(files: readonly BatchFile[], bytes: Uint8Array): Promise<BatchBody[]>;
  /** Publishes the files in one transaction. Those that are refused leave the others unaffected. */
  publish(account: string, bodies: readonly BatchBody[]): Promise<BatchResult[]>;
}

export interface BatchDeps {
  readonly database: Database;
  readonly storage: BlobStore;
  readonly smallBodies: SmallBodies;
  readonly adding: Adding;
  readonly aborting: Aborting;
  readonly nodes: Nodes;
  readonly ids: Ids;
}

/** Files that are written at the same time. */
const AT_ONCE = 8;

export function createBatchUploads(deps: BatchDeps): BatchUploads {
  const { database, storage, smallBodies, adding, aborting, nodes, ids } = deps;
  const writing = createSemaphore({ atOnce: AT_ONCE });

  async function keepOne(file: BatchFile, bytes: Uint8Array): Promise<BatchBody> {
    try {
      const { modifiedAt } = readAsk({ ...file, hash: undefined });
      const id = ids.next();
      return { file, id, modifiedAt, kept: await smallBodies.keepBytes(id, bytes) };
    } catch (error) {
      return refused(file, error);
    }
  }

  const discard = (bodies: readonly BatchBody[]): void => {
    for (const body of bodies) if ('kept' in body) aborting.letGo(storage.remove(body.kept.storeKey));
  };

  /** Publishes a file in a step of the transaction, which is rolled back alone if the file is refused. */
  async function publishOne(outer: Tx, account: string, body: BatchBody): Promise<BatchResult> {
    if ('failure' in body) return body;
    try {
      return {
        node: await database.transaction((tx) => adding.add(tx, arrivalOf(account, body), body.kept, 0)),
      };
    } catch (error) {
      const result = error instanceof ResidentStays ? { node: error.resident } : refused(body.file, error);
      outer.afterCommit(() => discard([body]));
      return result;
    }
  }

  return {
    async keep(files, bytes) {
      const sizes = files.map(sizeOf);
      if (sizes.reduce((sum, size) => sum + size, 0) !== bytes.byteLength)
        throw new ApiFailure('upload_size_mismatch');
      let at = 0;
      const kept = await Promise.allSettled(
        files.map((file, index) => {
          const content = bytes.subarray(at, (at += sizes[index]!));
          return writing.run(() => keepOne(file, content));
        }),
      );
      const bodies = kept.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      const fault = kept.find((one) => one.status === 'rejected');
      if (!fault) return bodies;
      discard(bodies);
      throw fault.reason;
    },

    publish: (account, bodies) =>
      database.transaction(async (tx) => {
        await nodes.lock(tx, account);
        return tx.join(async () => {
          const results: BatchResult[] = [];
          for (const body of bodies) results.push(await publishOne(tx, account, body));
          return results;
        });
      }),
  };
}

function arrivalOf(account: string, { file, id, modifiedAt }: KeptFile): Arrival {
  const { parent_id: parent, name, conflict = 'rename' } = file;
  return { id, account, parent: parent || account, name, conflict, modifiedAt };
}

function sizeOf({ size }: BatchFile): number {
  const bytes = parseSize(size);
  if (bytes === undefined || bytes > LIMITS.uploadBatchFileBytes)
    throw new ApiFailure('invalid_argument', { field: 'size' });
  return bytes;
}

/** Refusals concern one file; faults are thrown, and the whole batch has to be sent again. */
function refused(file: BatchFile, error: unknown): RefusedFile {
  if (!isApiFailure(error) || ERRORS[error.id].status >= 500) throw error;
  return { file, failure: error };
}
