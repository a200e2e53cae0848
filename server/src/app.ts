import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiFailure, ENDPOINTS } from '@bowerbird/contract';
import { openBlobStore, type BlobStore } from '@bowerbird/storage';
import type { FastifyInstance } from 'fastify';
import {
  createAccount,
  type Accounts,
  type AppPasswords,
  type Passwords,
  type SecondFactors,
  type Sessions,
} from './account/index.ts';
import { createArchive } from './archive/index.ts';
import { createDav, rewriteDavHost } from './dav/index.ts';
import { createDrive, createThumbnailer, type Drive } from './drive/index.ts';
import {
  createCursors,
  isMigrated,
  migrate,
  openDatabase,
  type Database,
} from './foundation/database/index.ts';
import {
  createApi,
  createHttp,
  forgetReplays,
  mountApi,
  mountPages,
  mountSourcePages,
  type Api,
} from './foundation/http/index.ts';
import {
  createIds,
  createKeys,
  createLog,
  installationSecret,
  systemClock,
  type Clock,
  type Config,
  type Ids,
  type Log,
} from './foundation/index.ts';
import { createJobs, type Jobs } from './foundation/jobs/index.ts';
import { createMailer, type Mailer } from './foundation/mail/index.ts';
import { createMembership, type Quota } from './membership/index.ts';
import { createOffline, type Offline } from './offline/index.ts';
import { createShare, type Share } from './share/index.ts';
import { createShield } from './shield/index.ts';
import { createSite } from './site/index.ts';
import { createSubscriptionDomain } from './subscription/index.ts';
import { createTaskDomain } from './task/index.ts';
import { createUpload, rewriteBucketHost } from './upload/index.ts';

/** The edges that tests replace; everything else is what it is. */
export interface Edges {
  readonly clock?: Clock;
  readonly log?: Log;
  readonly mailer?: Mailer;
  readonly storage?: BlobStore;
  /** The pages: built, or from their sources for developers; without them only the API is served. */
  readonly pages?: { readonly built: string } | { readonly sources: string };
}

export interface App {
  readonly config: Config;
  readonly database: Database;
  readonly storage: BlobStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly jobs: Jobs;
  readonly api: Api;
  readonly http: FastifyInstance;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly passwords: Passwords;
  readonly secondFactors: SecondFactors;
  readonly appPasswords: AppPasswords;
  readonly quota: Quota;
  readonly drive: Drive;
  readonly nodes: Drive['nodes'];
  readonly blobs: Drive['blobs'];
  readonly share: Share;
  readonly offline: Offline;
  /** Begins the work behind requests. */
  start(): void;
  /** Lets running requests and job slices finish, then closes everything that was opened. */
  close(): Promise<void>;
}

const HOUR_MS = 3600 * 1000;
const MOST_WAITING_LINKS = 2000;
const WORKER = join(import.meta.dirname, '../../worker/src/main.ts');
const { version: VERSION } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'),
) as { version: string };

export const databaseUrl = (config: Config): string =>
  config.DATABASE_URL ?? join(config.DATA_DIR, 'bowerbird.sqlite');

/** Puts the product together, listening nowhere yet. The order of the domains is the order in docs/architecture.md. */
export async function openApp(config: Config, edges: Edges = {}): Promise<App> {
  const clock = edges.clock ?? systemClock;
  const log = edges.log ?? createLog(config.LOG_LEVEL);
  const ids = createIds(clock);
  const keys = createKeys(installationSecret(config));
  const database = openDatabase(databaseUrl(config));
  await migrate(database);
  const storageUrl = config.STORAGE_URL ?? join(config.DATA_DIR, 'files');
  const storage = edges.storage ?? (await openBlobStore(storageUrl));
  const mailer =
    edges.mailer ??
    createMailer({
      smtpUrl: config.SMTP_URL,
      from: config.MAIL_FROM,
      outbox: join(config.DATA_DIR, 'outbox'),
      clock,
      ids,
    });
  const cursors = createCursors(keys);
  const jobs = createJobs({ database, clock, ids, log });
  const api = createApi({ database, clock });

  const site = createSite({
    clock,
    endpoints: ENDPOINTS,
    version: VERSION,
    readiness: {
      database: () => database.ping(),
      storage: () => storage.health(),
      migrations: () => isMigrated(database),
    },
  });
  const { shield, ...guards } = createShield({ database, clock });
  const account = createAccount({
    database,
    clock,
    ids,
    keys,
    config,
    log,
    mailer,
    jobs,
    shield,
    settings: site.settings,
  });
  const { accounts, sessions, passwords, secondFactors, appPasswords } = account;
  const { quota } = createMembership({ clock, ids, config });
  const task = createTaskDomain({ database, clock, ids, cursors });
  const { tasks } = task;
  // Another process can't see what only this one has in memory.
  const thumbnailer =
    edges.storage || storage.capabilities.reach === 'process'
      ? undefined
      : createThumbnailer({ program: WORKER, storage: storageUrl, path: config.PATH, log });
  const drive = createDrive({
    database,
    storage,
    clock,
    ids,
    keys,
    log,
    cursors,
    jobs,
    quota,
    tasks,
    thumbnailer,
  });
  accounts.onOpened((tx, { id }) => quota.open(tx, id));
  const { nodes, blobs, links, grafts } = drive;
  const isActive = async (id: string): Promise<boolean> =>
    (await accounts.find(database, id))?.status === 'active';
  const upload = createUpload({
    database,
    storage,
    clock,
    ids,
    keys,
    log,
    quota,
    tasks,
    nodes,
    blobs,
    links,
    isActive,
    diskReserve: config.DISK_RESERVE,
  });
  drive.onUpload(upload);
  const share = createShare({
    database,
    cursors,
    clock,
    ids,
    keys,
    log,
    jobs,
    shield,
    accounts,
    tasks,
    nodes,
    links,
    grafts,
  });
  const { entry, visits } = share;
  drive.onShare({ shows: entry.shows, downloaded: share.downloaded });
  const offline = createOffline({
    database,
    storage,
    clock,
    ids,
    keys,
    log,
    cursors,
    jobs,
    shield,
    quota,
    tasks,
    nodes,
    blobs,
    trash: drive.trash,
    limits: {
      daily: config.OFFLINE_DAILY || undefined,
      running: config.OFFLINE_RUNNING,
      waiting: MOST_WAITING_LINKS,
      size: config.OFFLINE_SIZE,
      traffic: config.OFFLINE_TRAFFIC || undefined,
      slots: storage.capabilities.reach === 'process' ? 0 : config.OFFLINE_SLOTS,
    },
    program: WORKER,
    settings: {
      storage: storageUrl,
      scratch: config.SCRATCH_DIR ?? join(config.DATA_DIR, 'scratch'),
      allow: config.FETCH_ALLOW,
      diskReserve: config.DISK_RESERVE,
      rate: config.OFFLINE_RATE || null,
      seed: { ratio: config.SEED_RATIO, minutes: config.SEED_MINUTES },
      aria2: config.ARIA2_URL ?? null,
    },
    path: config.PATH,
    siteOrigin: config.SITE_URL,
    saveShare: share.save,
    nameShare: share.glimpse,
  });
  drive.onFetch(offline);
  const subscription = createSubscriptionDomain({
    database,
    clock,
    ids,
    keys,
    log,
    cursors,
    jobs,
    shield,
    nodes,
    tasks,
    errands: offline.errands,
    isActive,
  });
  task.onReferences(drive.views);
  const archive = createArchive({ database, storage, clock, ids, keys, nodes, blobs, entry, visits });

  const dav = createDav({
    database,
    clock,
    log,
    quota,
    tasks,
    drive,
    upload,
    appPasswords: account.appPasswords,
  });

  const http = await createHttp({
    log,
    siteOrigin: config.SITE_URL,
    trustedProxies: config.TRUSTED_PROXIES,
    identify: sessions.identify,
    rewrite: (host, url) => rewriteDavHost(host, rewriteBucketHost(host, url)),
  });

  site.mount(http);
  account.mount(api);
  task.mount(api);
  drive.mount(api, http);
  upload.mount(http);
  share.mount(api);
  offline.mount(api);
  subscription.mount(api);
  archive.mount(api, http);
  dav.mount(http);
  guards.define(jobs);
  account.define();
  task.define(jobs);
  drive.define(jobs);
  upload.define(jobs);
  share.define(jobs);
  offline.define(jobs);
  subscription.define(jobs);
  archive.define(jobs);
  dav.define(jobs);
  jobs.define('forget-replays', () => forgetReplays(database, clock), { everyMs: HOUR_MS });
  mountApi(http, api);
  if (edges.pages && 'built' in edges.pages) await mountPages(http, { api, log, folder: edges.pages.built });
  else if (edges.pages) await mountSourcePages(http, { api, log, folder: edges.pages.sources });
  else
    http.setNotFoundHandler(() => {
      throw new ApiFailure('not_found');
    });

  return {
    config,
    database,
    storage,
    clock,
    ids,
    log,
    jobs,
    api,
    http,
    accounts,
    sessions,
    passwords,
    secondFactors,
    appPasswords,
    quota,
    nodes,
    blobs,
    drive,
    share,
    offline,
    start() {
      jobs.start();
      offline.start();
    },
    async close() {
      await Promise.all([http.close(), jobs.stop(), offline.close()]);
      await upload.close();
      await share.close();
      await thumbnailer?.close();
      await storage.close();
      await database.close();
    },
  };
}
