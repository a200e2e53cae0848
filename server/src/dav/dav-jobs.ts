import type { Database } from '../foundation/database/index.ts';
import type { Jobs } from '../foundation/jobs/index.ts';
import type { Locks } from './dav-lock-service.ts';
import type { Properties } from './dav-property-service.ts';

const HOUR_MS = 3600 * 1000;
const DAY_MS = 24 * HOUR_MS;

export function defineDavJobs(
  jobs: Jobs,
  { database, locks, properties }: { database: Database; locks: Locks; properties: Properties },
): void {
  jobs.define('forget-dav-locks', () => database.transaction((tx) => locks.forgetOver(tx)), {
    everyMs: HOUR_MS,
  });
  jobs.define('forget-dav-properties', (_payload, { signal }) => properties.forgetOrphans(signal), {
    everyMs: DAY_MS,
  });
}
