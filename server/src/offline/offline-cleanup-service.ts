import type { BlobStore } from '@bowerbird/storage';
import type { Database } from '../foundation/database/index.ts';
import type { Clock } from '../foundation/index.ts';
import type { Sources } from './offline-source-service.ts';
import type { FetchRequests } from './offline-request-service.ts';
import { dayOf, LONGEST_RETRY_MS } from './offline.ts';
import type { SourceLeaseStore } from './source-lease-store.ts';
import type { SourceStore } from './source-store.ts';
import type { FetchRequestStore } from './fetch-request-store.ts';

export interface Cleanup {
  /** Queues or delivers requests that were left behind by a process that ended. */
  mend(signal: AbortSignal): Promise<void>;
  /** Deletes sources without requests and the bytes that were staged for them. */
  forget(signal: AbortSignal): Promise<void>;
}

const DAY_MS = 24 * 3600 * 1000;
const FORGET_MS = 7 * DAY_MS;
const SLICE = 100;
const STAGED = /^src-([a-z0-9]+)-\d+-\d+$/;

export function createCleanup({
  database,
  storage,
  store,
  leaseStore,
  requestStore,
  sources,
  requests,
  clock,
}: {
  database: Database;
  storage: BlobStore;
  store: SourceStore;
  leaseStore: SourceLeaseStore;
  requestStore: FetchRequestStore;
  sources: Sources;
  requests: FetchRequests;
  clock: Clock;
}): Cleanup {
  return {
    async mend(signal) {
      await database.transaction((tx) => leaseStore.fixFutureTimes(tx, LONGEST_RETRY_MS));
      for (const { source, priority } of await requestStore.stranded(database, SLICE)) {
        signal.throwIfAborted();
        await database.transaction(async (tx) => {
          await sources.lock(tx, source);
          const isOpen = (await requestStore.states(tx, source)).some(({ state }) => state === 'waiting');
          const row = await store.find(tx, source);
          if (isOpen || !row?.facts) await sources.queue(tx, source, priority);
          else await requests.deliver(tx, source, 'now');
        });
      }
    },

    async forget(signal) {
      for (let more = true; more && !signal.aborted;) {
        const old = await store.unused(database, clock.now() - FORGET_MS, SLICE);
        for (const { id } of old) await database.transaction((tx) => store.remove(tx, id));
        more = old.length === SLICE;
      }
      await database.transaction((tx) => requestStore.forgetDays(tx, dayOf(clock.now() - FORGET_MS)));
      for await (const { uploadId: area, modifiedAt } of storage.staged()) {
        if (signal.aborted) return;
        const [, source] = STAGED.exec(area) ?? [];
        if (source === undefined || clock.now() - modifiedAt.getTime() < DAY_MS) continue;
        if (!(await requestStore.isRequested(database, source.toUpperCase()))) await storage.discard(area);
      }
    },
  };
}
