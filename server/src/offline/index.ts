import type { FetcherSettings } from '@bowerbird/contract';
import type { BlobStore } from '@bowerbird/storage';
import type { Blobs, Drive, Events, Nodes } from '../drive/index.ts';
import { removeRows, type Cursors, type Database, type Sql, type Tx } from '../foundation/database/index.ts';
import type { Api } from '../foundation/http/index.ts';
import type { Clock, Ids, Keys, Log } from '../foundation/index.ts';
import type { Jobs } from '../foundation/jobs/index.ts';
import type { Quota } from '../membership/index.ts';
import type { Shield } from '../shield/index.ts';
import type { Tasks } from '../task/index.ts';
import { createFetcher } from './fetcher.ts';
import { createControls } from './offline-control-service.ts';
import { createCreations } from './offline-creation-service.ts';
import { createDeliveries } from './offline-delivery-service.ts';
import { createFetching } from './offline-fetch-service.ts';
import { createInspections } from './offline-inspection-service.ts';
import { createErrands, type Errands } from './offline-errand-service.ts';
import { defineOfflineJobs, REST } from './offline-jobs.ts';
import { createQuestions } from './offline-question-service.ts';
import {
  createLinkHandler,
  mountOffline,
  type LinkHandler,
  type NameShare,
  type OfflineRoutes,
  type SaveShare,
} from './offline-routes.ts';
import { createSources } from './offline-source-service.ts';
import { createStatuses } from './offline-status-service.ts';
import { createUpkeep } from './offline-upkeep-service.ts';
import { createWishes } from './offline-wish-service.ts';
import type { OfflineLimits } from './offline.ts';
import { createSourceStore } from './source-store.ts';
import { createWishStore } from './wish-store.ts';

export { DEFAULT_FOLDER } from './offline-creation-service.ts';
export type { Errand, Errands } from './offline-errand-service.ts';
export type { TextQuestion } from './offline-question-service.ts';
export type { OfflineLimits } from './offline.ts';

export interface OfflineDeps {
  readonly database: Database;
  readonly storage: BlobStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly keys: Keys;
  readonly log: Log;
  readonly cursors: Cursors;
  readonly jobs: Jobs;
  readonly shield: Shield;
  readonly quota: Quota;
  readonly tasks: Tasks;
  readonly nodes: Nodes;
  readonly blobs: Blobs;
  readonly events: Events;
  readonly trash: Drive['trash'];
  readonly limits: OfflineLimits;
  /** The fetching process: its program, and what it is told on its way. */
  readonly program: string;
  readonly settings: FetcherSettings;
  readonly path: string;
  readonly siteOrigin: string | undefined;
  readonly saveShare: SaveShare;
  readonly nameShare: NameShare;
}

export interface Offline {
  /** Answers the creation of files from links. */
  readonly create: LinkHandler;
  /** For what members want fetched by itself. */
  readonly errands: Errands;
  /** Bytes that are set aside for what is still coming, by account. */
  reserved(sql: Sql): Promise<Map<string, number>>;
  /** Has all fetching for an account stop that may not be used any more. */
  rest(tx: Tx, account: string): Promise<void>;
  /** Deletes the account's fetch requests. Returns the number of rows removed. Its tasks have ended before. */
  eraseAccount(account: string, signal: AbortSignal): Promise<number>;
  mount(api: Api): void;
  define(jobs: Jobs): void;
  /** Begins to fetch what is due, here. */
  start(): void;
  close(): Promise<void>;
}

/** Strangers' sites are not to be searched through us. */
const VISITOR_LOOKS = {
  error: 'too_frequent',
  pair: { free: 20, firstWaitSeconds: 10, longestWaitSeconds: 600, forgetSeconds: 3600 },
  network: { free: 20, firstWaitSeconds: 10, longestWaitSeconds: 600, forgetSeconds: 3600 },
} as const;
const MEMBER_LOOKS = {
  error: 'too_frequent',
  pair: { free: 300, firstWaitSeconds: 10, longestWaitSeconds: 300, forgetSeconds: 3600 },
  network: { free: 1000, firstWaitSeconds: 10, longestWaitSeconds: 300, forgetSeconds: 3600 },
} as const;

/** Links that the server fetches for its members: inspected, queued, leased, fetched beside, delivered into drives. */
export function createOffline(deps: OfflineDeps): Offline {
  const { database, storage, clock, ids, keys, log, jobs, shield, quota, tasks, nodes, blobs, limits } = deps;
  const store = createSourceStore({ keys, clock });
  const wishStore = createWishStore();
  const fetcher = createFetcher(deps);
  const sources = createSources({ store, blobs, clock, ids });
  const wishes = createWishes({ database, wishes: wishStore, sources: store, quota, tasks, jobs, clock });
  const questions = createQuestions(fetcher);
  const fetching = createFetching({
    database,
    storage,
    store,
    wishStore,
    sources,
    wishes,
    blobs,
    tasks,
    quota,
    fetcher,
    questions,
    limits,
    clock,
    ids,
    log,
  });
  const parts = {
    database,
    storage,
    store,
    wishStore,
    sources,
    wishes,
    fetching,
    questions,
    blobs,
    events: deps.events,
    nodes,
    quota,
    tasks,
    limits,
    clock,
    ids,
    log,
  };
  const deliveries = createDeliveries(parts);
  const creations = createCreations({ ...parts, deliveries });
  const controls = createControls({ ...parts, trash: deps.trash });
  const routes: OfflineRoutes = {
    ...deps,
    visitorLooks: shield.guard('offline-look', VISITOR_LOOKS),
    memberLooks: shield.guard('offline-look-member', MEMBER_LOOKS),
    statuses: createStatuses(parts),
    inspections: createInspections(parts),
    creations,
    controls,
  };
  const upkeep = createUpkeep(parts);
  return {
    create: createLinkHandler(routes),
    errands: createErrands({ creations, questions, siteOrigin: deps.siteOrigin }),
    reserved: (sql) => wishStore.reserved(sql),
    rest: (tx, account) => jobs.enqueue(tx, REST, { account }),
    eraseAccount: async (account, signal) =>
      (await removeRows(database, 'offline', { account }, signal)) +
      (await removeRows(database, 'offline_day', { account }, signal)),
    mount: (api) => mountOffline(api, routes),
    define: (queue) => defineOfflineJobs(queue, { deliveries, upkeep, controls }),
    start: () => fetching.start(),
    close: () => fetching.stop(),
  };
}
