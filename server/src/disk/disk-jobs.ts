import type { Jobs } from '../foundation/jobs/index.ts';
import type { DiskWatch } from './disk-watch-service.ts';

const MINUTE_MS = 60 * 1000;

export function defineDiskJobs(jobs: Jobs, watch: DiskWatch): void {
  jobs.define('watch-disk', () => watch.look(), { everyMs: MINUTE_MS });
}
