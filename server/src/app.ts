import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiFailure, ENDPOINTS } from '@bowerbird/contract';
import { createRoom, type BlobStore } from '@bowerbird/storage';
import type { FastifyInstance } from 'fastify';
import {
  createAccount,
  hasAccounts,
  refusalOf,
  type Accounts,
  type AppPasswords,
  type Closings,
  type Erasing,
  type Passwords,
  type SecondFactors,
  type Sessions,
} from './account/index.ts';
import { createAdmin } from './admin/index.ts';
import { createArchive } from './archive/index.ts';
import { createContact, type Contacts } from './contact/index.ts';
import { createDav, rewriteDavHost } from './dav/index.ts';
import { createDisk, type Disk } from './disk/index.ts';
import { createDrive, createAvatarStore, createThumbnailer, openStorage, type Drive } from './drive/index.ts';
import {
  awaitDatabase,
  createCursors,
  isMigrated,
  migrate,
  openDatabase,
  type Database,
} from './foundation/database/index.ts';
import {
  answerUnclaimed,
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
import { createSmsSender } from './foundation/sms/index.ts';
import { createMembership, type Quota } from './membership/index.ts';
import { createOauth } from './oauth/index.ts';
import { createOffline, type Offline } from './offline/index.ts';
import { createShare, type Share } from './share/index.ts';
import { createShield } from './shield/index.ts';
import { createSite, openLibrary, type Statistics } from './site/index.ts';
import { createSubscriptionDomain } from './subscription/index.ts';
import { createTakeout } from './takeout/index.ts';
import { createTaskDomain } from './task/index.ts';
import { createUpload, rewriteBucketHost, type Upload } from './upload/index.ts';

/** External dependencies that tests replace. */
export interface Edges {
  readonly clock?: Clock;
  readonly log?: Log;
  readonly mailer?: Mailer;
  readonly storage?: BlobStore;
  /** Maximum time that startup waits for an unavailable database; without it, forever. */
  readonly patienceMs?: number;
  /** Built pages, or their sources for developers; without either only the API is served. */
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
  readonly statistics: Statistics;
  readonly passwords: Passwords;
  readonly secondFactors: SecondFactors;
  readonly appPasswords: AppPasswords;
  readonly closings: Closings;
  readonly erasing: Erasing;
  readonly contacts: Contacts;
  readonly quota: Quota;
  readonly disk: Disk;
  readonly drive: Drive;
  readonly nodes: Drive['nodes'];
  readonly blobs: Drive['blobs'];
  readonly upload: Pick<Upload, 'checkContent'>;
  readonly share: Share;
  readonly offline: Offline;
  /** Starts background work. */
  start(): void;
  /** Lets running requests and job slices finish, then closes everything that was opened. */
  close(): Promise<void>;
}

const HOUR_MS = 3600 * 1000;
const MOST_WAITING_LINKS = 2000;
const WORKER = join(import.meta.dirname, '../../worker/src/main.ts');
const TEXTS = join(import.meta.dirname, '../../content');
const { version: VERSION } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'),
) as { version: string };

export const databaseUrl = (config: Config): string =>
  config.DATABASE_URL ?? join(config.DATA_DIR, 'bowerbird.sqlite');

/** Assembles the product without listening. The order of the domains is the order in docs/architecture.md. */
export async function openApp(config: Config, edges: Edges = {}): Promise<App> {
  const clock = edges.clock ?? systemClock;
  const log = edges.log ?? createLog(config.LOG_LEVEL);
  const ids = createIds(clock);
  const keys = createKeys(installationSecret(config));
  const database = openDatabase(databaseUrl(config));
  await awaitDatabase(() => migrate(database), { log, forMs: edges.patienceMs });
  const storageUrl = config.STORAGE_URL ?? join(config.DATA_DIR, 'files');
  const storage =
    edges.storage ?? (await openStorage(storageUrl, database, { hasAccounts: await hasAccounts(database) }));
  const room = createRoom(storage, config.DISK_RESERVE);
  const mailer =
    edges.mailer ??
    createMailer({
      smtpUrl: config.SMTP_URL,
      from: config.MAIL_FROM,
      outbox: join(config.DATA_DIR, 'outbox'),
      clock,
      ids,
    });
  const outbox = join(config.DATA_DIR, 'outbox');
  const sms = createSmsSender({ url: config.SMS_URL, outbox, ids });
  const cursors = createCursors(keys);
  const jobs = createJobs({ database, clock, ids, log });
  const api = createApi({ database, clock, ids, log });

  const site = createSite({
    database,
    clock,
    log,
    config,
    endpoints: ENDPOINTS,
    version: VERSION,
    readiness: {
      database: () => database.ping(),
      storage: () => storage.health(),
      migrations: () => isMigrated(database),
      staying: async () => !http.connections.isDraining,
    },
    warnings: async () => {
      const { level } = await disk.status();
      return level === 'ok' ? [] : [`disk_${level}`];
    },
  });
  // A thumbnail process can't read a storage that exists only in this process's memory.
  const thumbnailer =
    edges.storage || storage.capabilities.reach === 'process'
      ? undefined
      : createThumbnailer({ program: WORKER, storage: storageUrl, path: config.PATH, log });
  const { shield, ...guards } = createShield({ database, clock, ids, keys, config });
  const account = createAccount({
    database,
    clock,
    ids,
    keys,
    config,
    log,
    mailer,
    sms,
    avatarStore: thumbnailer && createAvatarStore({ bytes: storage, thumbnailer, room, clock, ids }),
    jobs,
    shield,
    settings: site.settings,
  });
  const { accounts, sessions, passwords, secondFactors, appPasswords } = account;
  const contact = createContact({ database, clock, ids, config, jobs, mailer, shield, accounts });
  const oauth = createOauth({ database, clock, ids, keys, config, log, jobs, shield, account });
  const membership = createMembership({ database, clock, ids, log, config });
  const { quota, transfers } = membership;
  const task = createTaskDomain({ database, clock, ids, cursors });
  const { tasks } = task;
  const disk = createDisk({
    database,
    room,
    accounts,
    settings: site.settings,
    log,
    warnBelow: config.DISK_WARNING,
  });
  const refusal = async (id: string) => refusalOf(await accounts.find(database, id));
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
    transfers,
    refusal,
    thumbnailer,
    room,
  });
  accounts.onOpened((tx, { id }) => quota.open(tx, id));
  const { nodes, blobs, links, treeCopies, events } = drive;
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
    events,
    links,
    refusal,
    room,
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
    treeCopies,
    events,
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
    events,
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
  accounts.onFrozen((tx, id) => offline.rest(tx, id));
  account.closings.onBegun((tx, id) => offline.rest(tx, id));
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
    unattendedFetches: offline.unattendedFetches,
    isActive: async (id) => (await refusal(id)) === undefined,
  });
  task.onReferences(drive.views);
  const archive = createArchive({
    database,
    storage,
    clock,
    ids,
    keys,
    jobs,
    shield,
    quota,
    tasks,
    nodes,
    placements: drive.placements,
    blobs,
    receive: upload.receive,
    entry,
    visits,
    refusal,
    program: WORKER,
    log,
  });
  drive.onExtraction(archive);

  const dav = createDav({
    database,
    clock,
    log,
    quota,
    tasks,
    drive,
    upload,
    appPasswords: account.appPasswords,
    accounts,
    passes: account.passes,
  });

  const takeout = createTakeout({
    database,
    storage,
    room,
    clock,
    ids,
    keys,
    jobs,
    account,
    oauth,
    contacts: contact.contacts,
    quota,
    checkIns: membership.checkIns,
    tasks,
    drive,
    shares: share.shares,
    subscriptions: subscription,
  });
  const admin = createAdmin({
    database,
    storage,
    disk,
    cursors,
    config,
    version: VERSION,
    jobs,
    mailer,
    accounts,
    sessions,
    closings: account.closings,
    erasing: account.erasing,
    contacts: contact.contacts,
    quota,
  });
  // Running tasks are cancelled first. Then each domain is erased before the domains that it depends on.
  account.erasing.onErase([
    tasks.eraseAccount,
    takeout.eraseAccount,
    dav.eraseAccount,
    archive.eraseAccount,
    subscription.eraseAccount,
    offline.eraseAccount,
    share.shares.eraseAccount,
    upload.eraseAccount,
    drive.eraseAccount,
    membership.eraseAccount,
    oauth.eraseAccount,
    contact.eraseAccount,
    account.eraseAccount,
  ]);

  const http = await createHttp({
    log,
    siteOrigin: config.SITE_URL,
    trustedProxies: config.TRUSTED_PROXIES,
    countryHeader: config.COUNTRY_HEADER,
    identify: sessions.identify,
    refusal: sessions.refusal,
    rewrite: (host, url) => rewriteDavHost(host, rewriteBucketHost(host, url)),
  });

  site.mount(http, api);
  guards.mount(api);
  account.mount(api, http);
  contact.mount(api);
  oauth.mount(api, http);
  membership.mount(api);
  task.mount(api);
  drive.mount(api, http);
  upload.mount(http);
  share.mount(api);
  offline.mount(api);
  subscription.mount(api);
  archive.mount(api, http);
  dav.mount(api, http);
  takeout.mount(api, http);
  admin.mount(api);
  guards.define(jobs);
  account.define();
  contact.define();
  oauth.define();
  task.define(jobs);
  disk.define(jobs);
  drive.define(jobs);
  upload.define(jobs);
  share.define(jobs);
  offline.define(jobs);
  subscription.define(jobs);
  archive.define(jobs);
  dav.define(jobs);
  takeout.define(jobs);
  jobs.define('forget-replays', () => forgetReplays(database, clock), { everyMs: HOUR_MS });
  const { gate } = guards;
  mountApi(http, api, { gate, siteOrigin: config.SITE_URL });
  const pages = {
    api,
    gate,
    log,
    origins: config.API_ORIGINS,
    framedBy: config.FRAME_ORIGINS,
    isCounting: config.STATISTICS,
    siteOrigin: config.SITE_URL,
    library: openLibrary(TEXTS),
    operator: { name: config.OPERATOR_NAME ?? '', contact: config.CONTACT_ADDRESS ?? '' },
  };
  if (edges.pages && 'built' in edges.pages) await mountPages(http, { ...pages, folder: edges.pages.built });
  else if (edges.pages) await mountSourcePages(http, { ...pages, folder: edges.pages.sources });
  else
    http.setNotFoundHandler((request, reply) => {
      if (!answerUnclaimed(request, reply, config.SITE_URL)) throw new ApiFailure('not_found');
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
    statistics: site.statistics,
    passwords,
    secondFactors,
    appPasswords,
    closings: account.closings,
    erasing: account.erasing,
    contacts: contact.contacts,
    quota,
    disk,
    nodes,
    blobs,
    drive,
    upload,
    share,
    offline,
    start() {
      jobs.start();
      offline.start();
    },
    async close() {
      await Promise.all([http.close(), jobs.stop(), offline.close()]);
      // A failed write, because the database is gone, must not prevent closing the rest.
      for (const domain of [upload, share, membership, site])
        await domain
          .close()
          .catch((error: unknown) => log.warn({ err: error }, 'could not write buffered data at shutdown'));
      await thumbnailer?.close();
      await storage.close();
      await database.close();
    },
  };
}
