import type { FetcherSettings } from '@bowerbird/contract';
import type { BlobStore } from '@bowerbird/storage';
import type { Blobs, Drive, Events, Nodes } from '../drive/index.ts';
import type { Sql, Tx } from '../foundation/database/index.ts';
import type { Domain, EraseAccount, Foundation } from '../foundation/domain/index.ts';
import type { Benefits, Quota, Traffic } from '../membership/index.ts';
import type { Pushes } from '../push/index.ts';
import type { Shield } from '../shield/index.ts';
import type { Tasks } from '../task/index.ts';
import { createFetcher } from './fetcher.ts';
import { createControls } from './offline-control-service.ts';
import { createCreations } from './offline-creation-service.ts';
import { createDeliveries } from './offline-delivery-service.ts';
import { createFetching } from './offline-fetch-service.ts';
import { createInspections } from './offline-inspection-service.ts';
import { MEMBER_LOOKS, VISITOR_LOOKS } from './offline-limits.ts';
import { createUnattendedFetches, type UnattendedFetches } from './offline-unattended-service.ts';
import { defineOfflineJobs, REST } from './offline-jobs.ts';
import { createQuestions } from './offline-question-service.ts';
import {
  createLinkHandler,
  mountOffline,
  type LinkHandler,
  type OfflineRoutes,
  type SaveShare,
} from './offline-routes.ts';
import { createResources, type NameShare } from './offline-resource-service.ts';
import { createSources } from './offline-source-service.ts';
import { createStatuses } from './offline-status-service.ts';
import { createCleanup } from './offline-cleanup-service.ts';
import { createFetchRequests } from './offline-request-service.ts';
import type { OfflineLimits } from './offline.ts';
import { createSourceFileStore } from './source-file-store.ts';
import { createSourceLeaseStore } from './source-lease-store.ts';
import { createSourceStore } from './source-store.ts';
import { createFetchRequestStore } from './fetch-request-store.ts';

export { DEFAULT_FOLDER } from './offline-creation-service.ts';
export type { UnattendedFetch, UnattendedFetches } from './offline-unattended-service.ts';
export type { TextQuestion } from './offline-question-service.ts';
export type { OfflineLimits } from './offline.ts';

export interface OfflineDeps extends Foundation {
  readonly storage: BlobStore;
  readonly shield: Shield;
  readonly quota: Quota;
  readonly tasks: Tasks;
  readonly nodes: Nodes;
  readonly blobs: Blobs;
  readonly events: Events;
  readonly trash: Drive['trash'];
  readonly benefits: Benefits;
  readonly traffic: Traffic;
  readonly pushes: Pick<Pushes, 'tell'>;
  readonly limits: OfflineLimits;
  /** The program and settings of the fetcher process. */
  readonly program: string;
  readonly settings: FetcherSettings;
  readonly path: string;
  readonly siteOrigin: string | undefined;
  readonly saveShare: SaveShare;
  readonly nameShare: NameShare;
}

export interface Offline extends Domain {
  /** Answers the creation of files from links. */
  readonly create: LinkHandler;
  /** Fetches for members on behalf of other domains. */
  readonly unattendedFetches: UnattendedFetches;
  /** Returns the bytes that are reserved for open requests, by account. */
  reserved(sql: Sql): Promise<Map<string, number>>;
  /** Returns whether an account has created all cloud downloads that it may create today. */
  isOutOfTasks(account: string): Promise<boolean>;
  /** Schedules the pause of all tasks of a blocked account. */
  rest(tx: Tx, account: string): Promise<void>;
  /** Deletes all requests of an account, after its tasks. Returns the number of rows removed. */
  readonly eraseAccount: EraseAccount;
}

/** Fetches links for members: inspects, queues, leases, fetches in a separate process, delivers into drives. */
export function createOffline(deps: OfflineDeps): Offline {
  const {
    database,
    storage,
    clock,
    ids,
    keys,
    log,
    jobs,
    shield,
    quota,
    tasks,
    nodes,
    blobs,
    limits,
    benefits,
    traffic,
  } = deps;
  const store = createSourceStore({ keys });
  const fileStore = createSourceFileStore();
  const leaseStore = createSourceLeaseStore({ clock });
  const requestStore = createFetchRequestStore();
  const fetcher = createFetcher(deps);
  const sources = createSources({ store, fileStore, blobs, clock, ids });
  const requests = createFetchRequests({
    database,
    requests: requestStore,
    fileStore,
    quota,
    traffic,
    tasks,
    jobs,
    clock,
  });
  traffic.onAnnounced('offline', async (sql, account) => {
    const reserved = await requestStore.reserved(sql, account);
    return reserved.get(account) ?? 0;
  });
  const questions = createQuestions(fetcher);
  const fetching = createFetching({
    database,
    storage,
    store,
    fileStore,
    leaseStore,
    requestStore,
    sources,
    requests,
    blobs,
    tasks,
    quota,
    fetcher,
    questions,
    benefits,
    traffic,
    limits,
    clock,
    ids,
    log,
  });
  const parts = {
    database,
    storage,
    store,
    fileStore,
    leaseStore,
    requestStore,
    sources,
    requests,
    fetching,
    questions,
    blobs,
    events: deps.events,
    nodes,
    quota,
    tasks,
    benefits,
    traffic,
    pushes: deps.pushes,
    limits,
    clock,
    ids,
    log,
  };
  const deliveries = createDeliveries(parts);
  const creations = createCreations({ ...parts, deliveries });
  const controls = createControls({ ...parts, trash: deps.trash });
  const statuses = createStatuses(parts);
  const resources = createResources({
    ...deps,
    visitorLooks: shield.guard('offline-look', VISITOR_LOOKS),
    memberLooks: shield.guard('offline-look-member', MEMBER_LOOKS),
    statuses,
    inspections: createInspections(parts),
  });
  const routes: OfflineRoutes = { ...deps, statuses, resources, creations, controls };
  const cleanup = createCleanup(parts);
  return {
    create: createLinkHandler(routes),
    unattendedFetches: createUnattendedFetches({ creations, questions, siteOrigin: deps.siteOrigin }),
    reserved: (sql) => requestStore.reserved(sql),
    async isOutOfTasks(account) {
      const { tasksDaily } = await benefits.entitlements(database, account);
      return tasksDaily !== Infinity && (await statuses.today(account)).tasks >= tasksDaily;
    },
    rest: (tx, account) => jobs.enqueue(tx, REST, { account }),
    eraseAccount: (account, signal) => requestStore.eraseAccount(database, account, signal),
    mount: ({ api }) => mountOffline(api, routes),
    define: (queue) => defineOfflineJobs(queue, { deliveries, cleanup, controls }),
    start: () => fetching.start(),
    stop: () => fetching.stop(),
  };
}
