import type { Clock } from '../../foundation/index.ts';
import type { Tx } from '../../foundation/database/index.ts';
import type { Jobs } from '../../foundation/jobs/index.ts';
import type { FolderSizeStore } from '../folder-size/index.ts';
import type { DriveStore } from '../drive-store.ts';

/** Period within which changes of the trash are measured together. */
const MEASURE_MS = 2000;

export interface TrashCan {
  /** Marks nodes as trashed, none of which is below another; only these are marked, not their descendants. */
  put(tx: Tx, account: string, ids: readonly string[]): Promise<void>;
  /** Schedules a new measurement of the trash. */
  changed(tx: Tx, account: string): Promise<void>;
}

export function createTrashCan({
  store,
  sizes,
  jobs,
  clock,
}: {
  store: DriveStore;
  sizes: FolderSizeStore;
  jobs: Jobs;
  clock: Clock;
}): TrashCan {
  const can: TrashCan = {
    async put(tx, account, ids) {
      if (ids.length === 0) return;
      await sizes.leave(tx, ids);
      await store.updateMany(tx, ids, { trashed_at: clock.now() });
      await can.changed(tx, account);
    },
    async changed(tx, account) {
      const now = clock.now();
      // A change during one measurement belongs to the next: the key contains the time, so it is never mistaken
      // for done.
      const at = Math.ceil((now + 1) / MEASURE_MS) * MEASURE_MS;
      await jobs.enqueue(tx, 'measure-trash', { account }, { key: `${account}:${at}`, delayMs: at - now });
    },
  };
  return can;
}
