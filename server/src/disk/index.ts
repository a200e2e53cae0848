import type { Room } from '@bowerbird/storage';
import type { Accounts } from '../account/index.ts';
import type { Domain, Foundation } from '../foundation/domain/index.ts';
import type { Settings } from '../site/index.ts';
import { defineDiskJobs } from './disk-jobs.ts';
import { createDiskWatch, type DiskWatch } from './disk-watch-service.ts';

export type { DiskLevel, DiskStatus } from './disk.ts';

interface Parts extends Foundation {
  room: Room;
  accounts: Accounts;
  settings: Settings;
  /** Free bytes below which administrators are warned. */
  warnBelow: number;
}

export interface Disk extends Domain {
  /** Free, reserved and pending space, for health checks and the administrator. */
  readonly status: DiskWatch['status'];
}

/** Watches the disk that stores the files: measures its free space, and sends emails when it runs low. */
export function createDisk(parts: Parts): Disk {
  const watch = createDiskWatch(parts);
  return { status: watch.status, define: (jobs) => defineDiskJobs(jobs, watch) };
}
