import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Clock, Ids } from '../../foundation/index.ts';
import type { Database, KeysetPosition } from '../../foundation/database/index.ts';
import type { Quota } from '../../membership/index.ts';
import { createWalk, type TreeCopyStore } from '../tree-copy/index.ts';
import type { Lists, Nodes, TrashRules } from '../node/index.ts';
import type { Purges, TrashCan } from '../trash/index.ts';
import type { DriveStore } from '../drive-store.ts';
import { FILE, FOLDER } from '../drive.ts';

/** Place among everything that was trashed, the oldest first. */
export interface TrashPlace {
  readonly at: number;
  readonly id: string;
}

export interface Retention {
  /**
   * Permanently deletes those nodes of a slice of the trash of all accounts that have been there long enough. Returns
   * where the next slice begins, undefined at the end.
   */
  expire(place: TrashPlace | undefined): Promise<TrashPlace | undefined>;
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
  readonly trashRules: TrashRules;
  readonly clock: Clock;
  readonly ids: Ids;
}

const SLICE = 200;
const DAY_MS = 24 * 3600 * 1000;
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
  trashRules,
  clock,
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
    async expire(place) {
      const now = clock.now();
      const before = now - trashRules.least.trashDays * DAY_MS;
      const old = await store.trashedBefore(database, before, SLICE, place);
      for (const [account, group] of Map.groupBy(old, (row) => row.account)) {
        const { daysOf } = await trashRules.trash(database, account);
        const isDue = (at: number | null): boolean => at !== null && at < now - daysOf(at) * DAY_MS;
        const due = group.filter((row) => isDue(row.trashed_at));
        if (due.length === 0) continue;
        await database.transaction(async (tx) => {
          await nodes.lock(tx, account);
          // Checked again under the lock: the node may have been restored in the meantime.
          const still = (
            await store.byIds(
              tx,
              due.map(({ id }) => id),
            )
          ).filter(({ trashed_at }) => isDue(trashed_at));
          await purges.take(
            tx,
            account,
            still.map(({ id }) => id),
            ids.next(),
          );
          await trash.changed(tx, account);
        });
      }
      const last = old.at(-1);
      return last && old.length === SLICE ? { at: last.trashed_at!, id: last.id } : undefined;
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
