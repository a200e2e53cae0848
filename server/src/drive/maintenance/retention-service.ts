import type { Clock, Ids } from '../../foundation/index.ts';
import type { Database } from '../../foundation/database/index.ts';
import type { Quota } from '../../membership/index.ts';
import type { FolderSizeStore } from '../folder-size/index.ts';
import type { Nodes, TrashRules } from '../node/index.ts';
import type { Purges, TrashCan } from '../trash/index.ts';
import type { DriveStore } from '../drive-store.ts';

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
  measure(account: string): Promise<void>;
}

interface RetentionDeps {
  readonly database: Database;
  readonly store: DriveStore;
  readonly sizes: FolderSizeStore;
  readonly nodes: Nodes;
  readonly purges: Purges;
  readonly trash: TrashCan;
  readonly quota: Quota;
  readonly trashRules: TrashRules;
  readonly clock: Clock;
  readonly ids: Ids;
}

const SLICE = 200;
const DAY_MS = 24 * 3600 * 1000;

export function createRetention({
  database,
  store,
  sizes,
  nodes,
  purges,
  trash,
  quota,
  trashRules,
  clock,
  ids,
}: RetentionDeps): Retention {
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

    async measure(account) {
      const bytes = await sizes.trashBytes(database, account);
      await database.transaction((tx) => quota.measuredTrash(tx, account, bytes));
    },
  };
}
