import type { Jobs } from '../foundation/jobs/index.ts';
import { RUN, type Runs } from './subscription-run-service.ts';

const MINUTE_MS = 60_000;

export function defineSubscriptionJobs(jobs: Jobs, runs: Runs): void {
  jobs.define<{ id: string }>(RUN, ({ id }, job) => runs.run(id, job), { parallel: 4 });
  jobs.define('ask-subscriptions', (_payload, { signal }) => runs.askDue(signal), { everyMs: MINUTE_MS });
  jobs.define('forget-subscriptions', () => runs.forget(), { everyMs: 60 * MINUTE_MS });
}
