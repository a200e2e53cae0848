import { isApiFailure, type ErrorId } from '@bowerbird/contract';
import type { Database, Tx } from '../foundation/database/index.ts';
import type { Clock } from '../foundation/index.ts';
import type { Jobs } from '../foundation/jobs/index.ts';
import type { Quota, Traffic } from '../membership/index.ts';
import { isFinished, type Tasks } from '../task/index.ts';
import { isWanted, sizeOf, type SourceFileRow, type FetchRequestRow } from './offline.ts';
import type { SourceFileStore } from './source-file-store.ts';
import type { FetchRequestStore } from './fetch-request-store.ts';

export const DELIVER = 'deliver-offline';
/** Files that are kept within this interval are delivered together. */
const GATHER_MS = 2000;

/** Errors of one member's request that don't concern the source. */
const OWN_LIMITS: ReadonlySet<ErrorId> = new Set(['file_space_not_enough', 'traffic_offline_limit']);

/** Manages the open requests of members. Lock order: task, then source, tree, day, quota. */
export interface FetchRequests {
  /** Reserves quota for files that are not delivered yet. Throws `file_space_not_enough`, `traffic_offline_limit`. */
  reserve(tx: Tx, request: FetchRequestRow, files: readonly SourceFileRow[]): Promise<void>;
  /** Reserves quota for every request of a source separately. Requests of members without enough space fail. */
  reserveAll(source: string): Promise<void>;
  /** Fails a task. Files that were delivered already remain in the drive. */
  fail(task: string, error: ErrorId): Promise<void>;
  /** Schedules the delivery of kept files to all requests: `soon` batches them, `now` does not wait. */
  deliver(tx: Tx, source: string, when: 'soon' | 'now'): Promise<void>;
  /** Ends a request and releases its quota. */
  end(tx: Tx, request: FetchRequestRow): Promise<void>;
}

export function createFetchRequests({
  database,
  requests: store,
  fileStore,
  quota,
  traffic,
  tasks,
  jobs,
  clock,
}: {
  database: Database;
  requests: FetchRequestStore;
  fileStore: SourceFileStore;
  quota: Quota;
  traffic: Pick<Traffic, 'check'>;
  tasks: Tasks;
  jobs: Jobs;
  clock: Clock;
}): FetchRequests {
  /** Reserves storage if it and the month's traffic suffice; a failure changes nothing. */
  async function setAside(tx: Tx, account: string, bytes: number): Promise<void> {
    await quota.reserve(tx, account, bytes);
    try {
      await traffic.check(tx, account, 'offline', bytes);
    } catch (error) {
      await quota.release(tx, account, bytes);
      throw error;
    }
  }

  const service: FetchRequests = {
    async reserve(tx, request, files) {
      const delivered = await store.delivered(tx, request.task);
      const size = sizeOf(
        files.filter(({ position }) => isWanted(request, position) && !delivered.has(position)),
      );
      const more = (size ?? 0) - request.reserved;
      if (more > 0) await setAside(tx, request.account, more);
      if (more < 0) await quota.release(tx, request.account, -more);
      if (more !== 0) await store.update(tx, request.task, { reserved: request.reserved + more });
    },

    async reserveAll(source) {
      const files = await fileStore.list(database, source);
      for (const { task } of await store.activeOrScheduled(database, source)) {
        const error = await database.transaction(async (tx) => {
          await tx.lock(`task:${task}`);
          const request = await store.find(tx, task);
          if (!request?.active) return undefined;
          const total = sizeOf(files.filter(({ position }) => isWanted(request, position)));
          await tasks.update(tx, task, {
            ...(total === undefined ? {} : { fileSize: total, params: { size: String(total) } }),
          });
          // A failed reservation changes nothing, so the transaction can go on.
          return service.reserve(tx, request, files).then(
            () => undefined,
            (failure: unknown) => {
              if (isApiFailure(failure) && OWN_LIMITS.has(failure.id)) return failure.id;
              throw failure;
            },
          );
        });
        if (error) await service.fail(task, error);
      }
    },

    async fail(task, error) {
      await database.transaction(async (tx) => {
        await tx.lock(`task:${task}`);
        const request = await store.find(tx, task);
        const row = await tasks.byId(tx, task);
        if (!request || !row || isFinished(row.phase)) return;
        await service.end(tx, request);
        await tasks.update(tx, task, { phase: 'PHASE_TYPE_ERROR', error, params: { speed: '0' } });
      });
    },

    async deliver(tx, source, when) {
      const now = clock.now();
      const at = when === 'now' ? now : Math.ceil((now + 1) / GATHER_MS) * GATHER_MS;
      // The key contains the time, since a delivery that is already running may have missed the file.
      for (const { task } of await store.activeOrScheduled(tx, source))
        await jobs.enqueue(tx, DELIVER, { task }, { key: `${task}:${when}:${at}`, delayMs: at - now });
    },

    async end(tx, request) {
      await quota.release(tx, request.account, request.reserved);
      await store.update(tx, request.task, { active: false, paused: false, reserved: 0 });
    },
  };
  return service;
}
