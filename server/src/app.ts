import { join } from 'node:path';
import { ApiFailure } from '@bowerbird/contract';
import { createRoom, type BlobStore } from '@bowerbird/storage';
import type { FastifyInstance } from 'fastify';
import {
  createPasswordHashing,
  hasAccounts,
  type Accounts,
  type AppPasswords,
  type Closings,
  type Erasing,
  type PasswordHashing,
  type Passwords,
  type SecondFactors,
  type Sessions,
} from './account/index.ts';
import type { Contacts } from './contact/index.ts';
import { rewriteDavHost } from './dav/index.ts';
import type { Disk } from './disk/index.ts';
import { createDomains, type Domains } from './domains.ts';
import { createThumbnailer, openStorage, type Drive } from './drive/index.ts';
import {
  awaitDatabase,
  createCursors,
  migrate,
  openDatabase,
  type Database,
} from './foundation/database/index.ts';
import type { Domain, EraseAccount } from './foundation/domain/index.ts';
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
import type {
  Batches,
  Benefits,
  Invoices,
  Orders,
  Payments,
  Plans,
  Quota,
  Renewals,
} from './membership/index.ts';
import type { Offline } from './offline/index.ts';
import type { Group } from './processes/group.ts';
import { sendPush, type SendPush } from './push/index.ts';
import type { Share } from './share/index.ts';
import { openLibrary, type Statistics } from './site/index.ts';
import { rewriteBucketHost, type Upload } from './upload/index.ts';

/** External dependencies that tests replace. */
export interface Edges {
  readonly clock?: Clock;
  readonly log?: Log;
  /** Tests create thousands of accounts and hash their passwords more quickly. */
  readonly hashing?: PasswordHashing;
  readonly mailer?: Mailer;
  /** Sends messages to push services. */
  readonly sendPush?: SendPush;
  readonly storage?: BlobStore;
  /** Maximum time that startup waits for an unavailable database; without it, forever. */
  readonly patienceMs?: number;
  /** Program of helper processes; tests start the bundled one, which is quicker than its sources. */
  readonly program?: string;
  /** The other server processes of this machine; without it, this is the only one. */
  readonly group?: Pick<Group, 'isFirst' | 'wakeLeader' | 'writeLost' | 'tellOthers'> | undefined;
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
  readonly domains: Domains;
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
  readonly plans: Plans;
  readonly benefits: Benefits;
  readonly batches: Batches;
  readonly orders: Orders;
  readonly invoices: Invoices;
  readonly payments: Payments;
  readonly renewals: Renewals;
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
/** A bundled server starts bundled helper processes. */
const WORKER = join(
  import.meta.dirname,
  import.meta.filename.endsWith('.ts') ? '../../worker/src/main.ts' : '../../.cache/worker/main.js',
);
const TEXTS = join(import.meta.dirname, '../../content');

export const databaseUrl = (config: Config): string =>
  config.DATABASE_URL ?? join(config.DATA_DIR, 'bowerbird.sqlite');

/** Assembles the product without listening. If that fails, nothing stays open. */
export async function openApp(config: Config, edges: Edges = {}): Promise<App> {
  const { group } = edges;
  const database = openDatabase(databaseUrl(config), {
    isShared: group !== undefined,
    isInUse: group?.isFirst === false,
    ...(group && { writeLost: group.writeLost }),
  });
  try {
    return await assemble(config, edges, database);
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function assemble(config: Config, edges: Edges, database: Database): Promise<App> {
  const clock = edges.clock ?? systemClock;
  const log = edges.log ?? createLog(config.LOG_LEVEL);
  const ids = createIds(clock);
  const keys = createKeys(installationSecret(config));
  await awaitDatabase(() => migrate(database), { log, forMs: edges.patienceMs });
  const program = edges.program ?? WORKER;
  const storageUrl = config.STORAGE_URL ?? join(config.DATA_DIR, 'files');
  const storage =
    edges.storage ?? (await openStorage(storageUrl, database, { hasAccounts: await hasAccounts(database) }));
  // A thumbnail process can't read a storage that exists only in this process's memory.
  const thumbnailer =
    edges.storage || storage.capabilities.reach === 'process'
      ? undefined
      : createThumbnailer({ program, storage: storageUrl, path: config.PATH, log });
  const outbox = join(config.DATA_DIR, 'outbox');
  const mailer =
    edges.mailer ?? createMailer({ smtpUrl: config.SMTP_URL, from: config.MAIL_FROM, outbox, clock, ids });
  const jobs = createJobs({ database, clock, ids, log, wakeOther: edges.group?.wakeLeader });
  const api = createApi({ database, clock, ids, log });

  const domains = createDomains({
    config,
    database,
    clock,
    ids,
    keys,
    cursors: createCursors(keys),
    log,
    jobs,
    storage,
    storageUrl,
    room: createRoom(storage, config.DISK_RESERVE),
    hashing: edges.hashing ?? createPasswordHashing(),
    mailer,
    sendPush: edges.sendPush ?? sendPush,
    sms: createSmsSender({ url: config.SMS_URL, outbox, ids }),
    thumbnailer,
    program,
    isDraining: () => http.connections.isDraining,
    tellOthers: edges.group?.tellOthers,
  });
  const { account, drive } = domains;
  const { sessions } = account;
  account.erasing.onErase(erasersOf(domains));

  const http = await createHttp({
    log,
    siteOrigin: config.SITE_URL,
    trustedProxies: config.TRUSTED_PROXIES,
    countryHeader: config.COUNTRY_HEADER,
    identify: sessions.identify,
    refusal: sessions.refusal,
    rewrite: (host, url) => rewriteDavHost(host, rewriteBucketHost(host, url)),
  });
  const all: readonly Domain[] = Object.values(domains);
  for (const domain of all) domain.mount?.({ api, http });
  for (const domain of all) domain.define?.(jobs);
  jobs.define('forget-replays', () => forgetReplays(database, clock), { everyMs: HOUR_MS });
  const { gate } = domains.shield;
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
    operator: {
      name: config.OPERATOR_NAME ?? '',
      contact: config.CONTACT_ADDRESS ?? '',
      trashDays: config.TRASH_DAYS,
    },
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
    domains,
    accounts: account.accounts,
    sessions,
    statistics: domains.site.statistics,
    passwords: account.passwords,
    secondFactors: account.secondFactors,
    appPasswords: account.appPasswords,
    closings: account.closings,
    erasing: account.erasing,
    contacts: domains.contact.contacts,
    quota: domains.membership.quota,
    plans: domains.membership.plans,
    benefits: domains.membership.benefits,
    batches: domains.membership.batches,
    orders: domains.membership.orders,
    invoices: domains.membership.invoices,
    payments: domains.membership.payments,
    renewals: domains.membership.renewals,
    disk: domains.disk,
    nodes: drive.nodes,
    blobs: drive.blobs,
    drive,
    upload: domains.upload,
    share: domains.share,
    offline: domains.offline,
    start() {
      jobs.start();
      for (const domain of all) domain.start?.();
    },
    async close() {
      await Promise.all([http.close(), jobs.stop(), ...all.map((domain) => domain.stop?.())]);
      // A failed write, because the database is gone, must not prevent closing the rest.
      for (const domain of all)
        await domain
          .close?.()
          .catch((error: unknown) => log.warn({ err: error }, 'could not write buffered data at shutdown'));
      await thumbnailer?.close();
      await storage.close();
      await database.close();
    },
  };
}

/** Cancels running tasks first. Then each domain is erased before the domains that it depends on. */
function erasersOf(domains: Domains): EraseAccount[] {
  const { task, ...others }: Record<string, Domain> = domains;
  return [task, ...Object.values(others).toReversed()].flatMap((domain) => domain?.eraseAccount ?? []);
}
