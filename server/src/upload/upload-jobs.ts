import type { Jobs } from '../foundation/jobs/index.ts';
import type { Upkeep } from './upload-upkeep-service.ts';

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;

export function defineUploadJobs(jobs: Jobs, upkeep: Upkeep): void {
  jobs.define('expire-uploads', (_payload, { signal }) => upkeep.expire(signal), { everyMs: 10 * MINUTE_MS });
  jobs.define('sweep-uploads', (_payload, { signal }) => upkeep.sweep(signal), { everyMs: 6 * HOUR_MS });
}
