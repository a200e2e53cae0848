import type { Jobs } from '../foundation/jobs/index.ts';
import type { ChecksumBackfill } from './upload-checksum-service.ts';
import type { Cleanup } from './upload-cleanup-service.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

export function defineUploadJobs(jobs: Jobs, cleanup: Cleanup, checksums: ChecksumBackfill): void {
  jobs.define('finish-uploads', (_payload, { signal }) => cleanup.finish(signal), {
    everyMs: 20 * SECOND_MS,
  });
  jobs.define('expire-uploads', (_payload, { signal }) => cleanup.expire(signal), {
    everyMs: 10 * MINUTE_MS,
  });
  jobs.define('fill-checksums', (_payload, { signal }) => checksums.fill(signal), {
    everyMs: 20 * SECOND_MS,
  });
  jobs.define('sweep-uploads', (_payload, { signal }) => cleanup.sweep(signal), { everyMs: 6 * HOUR_MS });
}
