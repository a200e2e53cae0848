import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Jobs } from '../foundation/jobs/index.ts';
import type { Batches, Renames } from './change/index.ts';
import type { Collector } from './blob/index.ts';
import type { EventLog } from './event/index.ts';
import type { Grants } from './people/index.ts';
import type { NameMerges } from './name-index/index.ts';
import type { TreeCopies } from './tree-copy/index.ts';
import type { Purges, Purging } from './trash/index.ts';
import type { Versions } from './version/index.ts';
import type { Retention, TrashPlace } from './maintenance/index.ts';

const HOUR_MS = 3600 * 1000;
const MINUTE_MS = 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

export interface DriveJobs {
  readonly batches: Batches;
  readonly renames: Renames;
  readonly treeCopies: TreeCopies;
  readonly purges: Purges;
  readonly retention: Retention;
  readonly collector: Collector;
  readonly eventLog: EventLog;
  readonly grants: Pick<Grants, 'forget'>;
  readonly versions: Versions;
  readonly merges: NameMerges;
}

export function defineDriveJobs(
  jobs: Jobs,
  {
    batches,
    renames,
    treeCopies,
    purges,
    retention,
    collector,
    eventLog,
    grants,
    versions,
    merges,
  }: DriveJobs,
): void {
  jobs.define<{ task: string }>('batch', ({ task }, run) => batches.goOn(task, run), { parallel: 2 });
  jobs.define<{ task: string }>('rename', ({ task }, run) => renames.goOn(task, run), { parallel: 2 });
  jobs.define<{ task: string }>('copy', ({ task }, run) => batches.goOnCopying(task, run), { parallel: 2 });
  jobs.define<{ account: string; task: string }>('clear-graft', ({ account, task }, { signal }) =>
    treeCopies.clear(account, task, signal),
  );
  jobs.define<Purging>('purge', (purging, { signal }) => purges.run(purging, signal));
  jobs.define<{ account: string }>('measure-trash', ({ account }) => retention.measure(account));
  jobs.define<{ account: string }>('merge-names', ({ account }, { signal }) => merges.merge(account, signal));
  jobs.define<{ account: string }>('trim-names', ({ account }, { signal }) => merges.trim(account, signal));
  jobs.define('fill-names', (_, { signal }) => merges.fill(signal), { everyMs: DAY_MS });
  jobs.define('collect-blobs', async (_, { signal }) => void (await collector.collect(signal)), {
    everyMs: 10 * MINUTE_MS,
  });
  jobs.define('sweep-blobs', async (_, { signal }) => void (await collector.sweep(signal)), {
    everyMs: DAY_MS,
  });
  jobs.define('expire-versions', (_, { signal }) => versions.expire(signal), { everyMs: DAY_MS });
  jobs.define('forget-grants', (_, { signal }) => grants.forget(signal), { everyMs: DAY_MS });
  jobs.define('forget-events', (_, { signal }) => eventLog.forgetOld(signal), { everyMs: DAY_MS });
  jobs.define(
    'trash-retention',
    async (_, { signal }) => {
      let place: TrashPlace | undefined;
      do {
        signal.throwIfAborted();
        await yieldToEventLoop();
        place = await retention.expire(place);
      } while (place);
    },
    { everyMs: HOUR_MS },
  );
}
