import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Ids } from '../../foundation/index.ts';
import type { Database, KeysetPosition } from '../../foundation/database/index.ts';
import type { Quota } from '../../membership/index.ts';
import { createWalk, type TreeCopyStore } from '../tree-copy/index.ts';
import type { Lists, Nodes } from '../node/index.ts';
import type { Purges, TrashCan } from '../trash/index.ts';
import type { DriveStore } from '../drive-store.ts';
import { FILE, FOLDER } from '../drive.ts';

export interface Retention {
  /** Permanently deletes a slice of the nodes trashed before a time. Returns false if there were none. */
  expire(before: number): Promise<boolean>;
  /** Measures the size of an account's trash, and stores it beside the quota. */
  measure(account: string, signal: AbortSignal): Promise<void>;
}

interface RetentionDeps {
  readonly database: Database;
  readonly store: DriveStore;
  readonly copyStore: TreeCopyStore;
  readonly nodes: Nodes;
  readonly lists: Lists;
  readonly purges: Purges;
  readonly trash: TrashCan;
  readonly quota: Quota;
  readonly ids: Ids;
}

const SLICE = 200;
const WALKED = 1000;

export function createRetention({
  database,
  store,
  copyStore,
  nodes,
  lists,
  purges,
  trash,
  quota,
  ids,
}: RetentionDeps): Retention {
  async function sizeOf(roots: readonly string[], signal: AbortSignal): Promise<number> {
    const walk = createWalk(copyStore, { roots: await copyStore.byIds(database, roots), slice: WALKED });
    let bytes = 0;
    for (;;) {
      signal.throwIfAborted();
      const rows = await walk.next(database);
      if (rows.length === 0) return bytes;
      for (const { size } of rows) bytes += size;
      await yieldToEventLoop();
    }
  }

  return {
    async expire(before) {
      const due = await store.trashedBefore(database, before, SLICE);
      for (const [account, group] of Map.groupBy(due, (row) => row.account)) {
        await database.transaction(async (tx) => {
          await nodes.lock(tx, account);
          // Checked again under the lock: the node may have been restored in the meantime.
          const still = (
            await store.byIds(
              tx,
              group.map(({ id }) => id),
            )
          ).filter(({ trashed_at }) => trashed_at !== null && trashed_at < before);
          await purges.take(
            tx,
            account,
            still.map(({ id }) => id),
            ids.next(),
          );
          await trash.changed(tx, account);
        });
      }
      return due.length > 0;
    },

    async measure(account, signal) {
      const view = {
        area: { trashOf: account },
        order: { key: 'name', descending: false, foldersFirst: true },
        kinds: [FOLDER, FILE],
        trashed: [true],
      } as const;
      let bytes = 0;
      for (let place: KeysetPosition | undefined; ;) {
        const { rows, next } = await lists.page(database, view, { limit: WALKED, place });
        bytes += await sizeOf(
          rows.map(({ id }) => id),
          signal,
        );
        if (!next) break;
        place = next;
      }
      await database.transaction((tx) => quota.measuredTrash(tx, account, bytes));
    },
  };
}
