import type { Jobs } from '../foundation/jobs/index.ts';
import type { ChecksumUpkeep } from './upload-checksum-service.ts';
import type { Upkeep } from './upload-upkeep-service.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

export function defineUploadJobs(jobs: Jobs, upkeep: Upkeep, checksums: ChecksumUpkeep): void {
  jobs.define('finish-uploads', (_payload, { signal }) => upkeep.finish(signal), { everyMs: 20 * SECOND_MS });
  jobs.define('expire-uploads', (_payload, { signal }) => upkeep.expire(signal), { everyMs: 10 * MINUTE_MS });
  jobs.define('fill-checksums', (_payload, { signal }) => checksums.fill(signal), {
    everyMs: 20 * SECOND_MS,
  });
  jobs.define('sweep-uploads', (_payload, { signal }) => upkeep.sweep(signal), { everyMs: 6 * HOUR_MS });
}
