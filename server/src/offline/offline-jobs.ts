import type { Jobs } from '../foundation/jobs/index.ts';
import type { Controls } from './offline-control-service.ts';
import type { Deliveries } from './offline-delivery-service.ts';
import type { Cleanup } from './offline-cleanup-service.ts';
import { DELIVER } from './offline-request-service.ts';

export const REST = 'rest-offline';
const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;

export function defineOfflineJobs(
  jobs: Jobs,
  { deliveries, cleanup, controls }: { deliveries: Deliveries; cleanup: Cleanup; controls: Controls },
): void {
  jobs.define<{ task: string }>(DELIVER, ({ task }, { signal }) => deliveries.deliver(task, signal), {
    parallel: 2,
  });
  jobs.define<{ account: string }>(REST, ({ account }) => controls.pauseAll(account));
  jobs.define('mend-offline', (_payload, { signal }) => cleanup.mend(signal), { everyMs: MINUTE_MS });
  jobs.define('forget-sources', (_payload, { signal }) => cleanup.forget(signal), { everyMs: 6 * HOUR_MS });
}
