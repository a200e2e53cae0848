import type { Room } from '@bowerbird/storage';
import type { Accounts } from '../account/index.ts';
import type { Database } from '../foundation/database/index.ts';
import type { Log } from '../foundation/index.ts';
import type { Jobs } from '../foundation/jobs/index.ts';
import type { Settings } from '../site/index.ts';
import { defineDiskJobs } from './disk-jobs.ts';
import { createDiskWatch, type DiskWatch } from './disk-watch-service.ts';

export type { DiskLevel, DiskStatus } from './disk.ts';

interface Parts {
  database: Database;
  room: Room;
  accounts: Accounts;
  settings: Settings;
  log: Log;
  /** Free bytes below which administrators are warned. */
  warnBelow: number;
}

export interface Disk {
  /** Free, reserved and pending space, for health checks and the administrator. */
  readonly status: DiskWatch['status'];
  define(jobs: Jobs): void;
}

/** Watches the disk that stores the files: measures its free space, and sends emails when it runs low. */
export function createDisk(parts: Parts): Disk {
  const watch = createDiskWatch(parts);
  return { status: watch.status, define: (jobs) => defineDiskJobs(jobs, watch) };
}
