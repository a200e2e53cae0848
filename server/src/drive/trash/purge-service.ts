import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Clock } from '../../foundation/index.ts';
import type { Database, Tx } from '../../foundation/database/index.ts';
import type { Jobs } from '../../foundation/jobs/index.ts';
import type { Quota } from '../../membership/index.ts';
import type { VersionStore } from '../version/index.ts';
import type { PurgedNode, PurgeStore } from './purge-store.ts';
import type { FolderSizeStore } from '../folder-size/index.ts';
import type { DriveStore } from '../drive-store.ts';
import { FILE, FOLDER } from '../drive.ts';

export interface Purging {
  readonly account: string;
  /** The purge place that the roots were moved to; ends in a slash. */
  readonly place: string;
}

export interface Purges {
  /**
   * Deletes nodes permanently. They are hidden at once; their rows are deleted now or, if there are many, by a
   * job.
   */
  take(tx: Tx, account: string, ids: readonly string[], batch: string): Promise<void>;
  /** Deletes the nodes of a purge place, leaf nodes first, refunding quota slice by slice. Idempotent. */
  run(purging: Purging, signal: AbortSignal): Promise<void>;
  /** Same as `run`, for rows that were never charged. */
  clear(purging: Purging, signal: AbortSignal): Promise<void>;
  /** Clears within the transaction. Returns false, having done nothing, if there are too many rows. */
  clearSmall(tx: Tx, purging: Purging): Promise<boolean>;
}

/** Maximum number of rows that are deleted within the request. */
const AT_ONCE = 1000;
const SLICE = 400;

export const purgePlace = (batch: string): string => `!purge/${batch}/`;

interface PurgeDeps {
  readonly database: Database;
  readonly store: DriveStore;
  readonly purge: PurgeStore;
  readonly versionStore: VersionStore;
  readonly sizes: FolderSizeStore;
  readonly quota: Quota;
  readonly jobs: Jobs;
  readonly clock: Clock;
}

export function createPurges(deps: PurgeDeps): Purges {
  const { database, store, purge, versionStore, sizes, quota, jobs, clock } = deps;

  /** Removes the versions of deleted rows, releases the blobs of both, and refunds their storage if it was charged. */
  async function settle(
    tx: Tx,
    rows: readonly PurgedNode[],
    refund: { account: string; reference: string } | undefined,
  ): Promise<void> {
    const files = rows.filter(({ kind }) => kind === FILE);
    const versions = await versionStore.ofNodes(
      tx,
      files.map(({ id }) => id),
    );
    await versionStore.remove(
      tx,
      versions.map(({ id }) => id),
    );
    const gone = [...files, ...versions];
    await purge.release(
      tx,
      [...new Set(gone.flatMap(({ blob }) => (blob === null ? [] : [blob])))],
      clock.now(),
    );
    const bytes = gone.reduce((sum, { size }) => sum + size, 0);
    if (refund)
      await quota.refund(tx, refund.account, bytes, { reason: 'delete', reference: refund.reference });
  }

  async function remove(tx: Tx, rows: readonly PurgedNode[]): Promise<void> {
    if (rows.length > 0)
      await purge.remove(
        tx,
        rows.map(({ id }) => id),
      );
  }

  /**
   * Deletes about one slice of rows; `stack` holds the folders that are being emptied, innermost last. A folder is
   * deleted once it is empty, so that no row is ever without its parent.
   */
  async function slice(
    tx: Tx,
    { account, place }: Purging,
    stack: string[],
    charged: boolean,
  ): Promise<boolean> {
    await tx.lock(`tree:${account}`);
    const gone: PurgedNode[] = [];
    while (gone.length < SLICE) {
      const folder = stack.at(-1);
      const inside = await (folder === undefined
        ? purge.rootsIn(tx, place, SLICE)
        : purge.childrenOf(tx, folder, SLICE));
      if (inside.length === 0 && folder === undefined) break;
      const deleted =
        inside.length > 0
          ? inside.filter(({ kind }) => kind === FILE)
          : [{ id: stack.pop()!, kind: FOLDER, size: 0, blob: null }];
      await remove(tx, deleted);
      gone.push(...deleted);
      stack.push(...inside.filter(({ kind }) => kind === FOLDER).map(({ id }) => id));
    }
    await settle(tx, gone, charged ? { account, reference: place } : undefined);
    return gone.length > 0;
  }

  async function all(purging: Purging, signal: AbortSignal, charged: boolean): Promise<void> {
    const stack: string[] = [];
    for (;;) {
      signal.throwIfAborted();
      const before = [...stack];
      const work = (tx: Tx): Promise<boolean> => {
        stack.splice(0, stack.length, ...before);
        return slice(tx, purging, stack, charged);
      };
      // A slice that a power cut undoes is deleted again by the job, which still exists.
      const more = await database.transaction(work, { durable: false });
      if (!more) return;
      await yieldToEventLoop();
    }
  }

  return {
    async take(tx, account, ids, batch) {
      const place = purgePlace(batch);
      await sizes.leave(tx, ids);
      const rows = await purge.subtrees(tx, ids, AT_ONCE + 1);
      if (rows.length <= AT_ONCE) {
        await remove(tx, rows);
        return settle(tx, rows, { account, reference: place });
      }
      await store.putAway(tx, ids, place);
      await jobs.enqueue(tx, 'purge', { account, place });
    },
    run: (purging, signal) => all(purging, signal, true),
    clear: (purging, signal) => all(purging, signal, false),
    async clearSmall(tx, { place }) {
      const roots = await purge.rootsIn(tx, place, AT_ONCE + 1);
      const rows =
        roots.length > AT_ONCE
          ? roots
          : await purge.subtrees(
              tx,
              roots.map(({ id }) => id),
              AT_ONCE + 1,
            );
      if (rows.length > AT_ONCE) return false;
      await remove(tx, rows);
      await settle(tx, rows, undefined);
      return true;
    },
  };
}
