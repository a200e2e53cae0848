import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENDPOINTS } from '@bowerbird/contract';
import type { BlobStore, Room } from '@bowerbird/storage';
import { createAccount, refusalOf, type PasswordHashing } from './account/index.ts';
import { createAdmin } from './admin/index.ts';
import { createArchive } from './archive/index.ts';
import { createContact } from './contact/index.ts';
import { createDav } from './dav/index.ts';
import { createDisk } from './disk/index.ts';
import { createAvatarStore, createDrive, type Thumbnailer } from './drive/index.ts';
import { isMigrated } from './foundation/database/index.ts';
import type { Domain, Foundation } from './foundation/domain/index.ts';
import type { Mailer } from './foundation/mail/index.ts';
import type { SmsSender } from './foundation/sms/index.ts';
import { createLedgerDomain } from './ledger/index.ts';
import { createLiveDomain, type TellOthers } from './live/index.ts';
import { createMembership } from './membership/index.ts';
import { createOauth } from './oauth/index.ts';
import { createOffline } from './offline/index.ts';
import { createPush, type SendPush } from './push/index.ts';
import { createShare } from './share/index.ts';
import { createShield } from './shield/index.ts';
import { createSite } from './site/index.ts';
import { createSubscriptionDomain } from './subscription/index.ts';
import { createTakeout } from './takeout/index.ts';
import { createTaskDomain } from './task/index.ts';
import { createUpload } from './upload/index.ts';

interface Parts extends Foundation {
  readonly storage: BlobStore;
  /** Address of the storage, for helper processes. */
  readonly storageUrl: string;
  readonly room: Room;
  readonly hashing: PasswordHashing;
  readonly mailer: Mailer;
  readonly sendPush: SendPush;
  readonly sms: SmsSender | undefined;
  /** Undefined if the storage exists only in this process's memory. */
  readonly thumbnailer: Thumbnailer | undefined;
  /** Main file of the helper processes. */
  readonly program: string;
  /** Returns true once the server accepts no new connections. */
  readonly isDraining: () => boolean;
  /** Passes on what pages show to the other server processes of this machine, if there are any. */
  readonly tellOthers: TellOthers | undefined;
}

const MOST_WAITING_LINKS = 2000;
const { version: VERSION } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'),
) as { version: string };

/**
 * Creates all domains, lowest first, and connects those that need each other: a lower domain has a hook, which a higher
 * one fills here. The returned record is the list of domains; its order is the order in docs/architecture.md.
 */
export function createDomains({
  mailer,
  sendPush,
  sms,
  thumbnailer,
  storageUrl,
  program,
  isDraining,
  tellOthers,
  ...parts
}: Parts) {
  const { config, database, storage, clock, ids, room } = parts;

  const site = createSite({
    ...parts,
    endpoints: ENDPOINTS,
    version: VERSION,
    readiness: {
      database: () => database.ping(),
      storage: () => storage.health(),
      migrations: () => isMigrated(database),
      staying: async () => !isDraining(),
    },
    warnings: async () => {
      const { level } = await disk.status();
      return level === 'ok' ? [] : [`disk_${level}`];
    },
  });
  const { settings } = site;
  const shieldDomain = createShield(parts);
  const { shield } = shieldDomain;
  const account = createAccount({
    ...parts,
    mailer,
    sms,
    avatarStore: thumbnailer && createAvatarStore({ bytes: storage, thumbnailer, room, clock, ids }),
    shield,
    settings,
  });
  const { accounts, sessions, closings, erasing, appPasswords, passes } = account;
  const refusal = async (id: string) => refusalOf(await accounts.find(database, id));
  const isLive = async ({ account: id, session }: { account: string; session: string }) =>
    (await sessions.find(database, session)) !== undefined ||
    ((await refusal(id)) === undefined && (await passes.list(id)).some((pass) => pass.id === session));
  const live = createLiveDomain({ ...parts, tellOthers, isLive });
  const push = createPush({ ...parts, send: sendPush, isLive });
  const { pushes } = push;
  const contact = createContact({ ...parts, mailer, shield, accounts });
  const oauth = createOauth({ ...parts, shield, account });

  const products = site.documents.of('external_products');
  const membership = createMembership({
    ...parts,
    shield,
    accounts,
    sessions,
    notices: account.notices,
    products,
    campaigns: site.documents.of('activity_operation'),
    program,
  });
  const { quota, traffic, checkIns, benefits, invites, newcomers, orders, invoices, payments, renewals } =
    membership;
  const { countLimits } = membership;
  closings.onBegun((tx, id) => newcomers.remember(tx, id));
  accounts.onOpened((tx, { id }) => quota.open(tx, id));
  const task = createTaskDomain(parts);
  const { tasks } = task;
  const disk = createDisk({ ...parts, accounts, settings, warnBelow: config.DISK_WARNING });

  const drive = createDrive({
    ...parts,
    quota,
    tasks,
    traffic,
    benefits,
    refusal,
    thumbnailer,
    remembersOpened: async (id) => (await account.preferences.read(id)).rememberOpenedFiles !== false,
    accounts,
    shield,
    notices: account.notices,
  });
  const { nodes, blobs, links, treeCopies, events, recents, placements, trash } = drive;
  const files = { quota, traffic, tasks, nodes, blobs };
  live.onAudience(drive.grants.audience);
  task.onReferences(drive.views);
  const ledger = createLedgerDomain({
    ...parts,
    ledger: membership.ledger,
    quota,
    traffic,
    plans: membership.plans,
    tasks,
    drive,
  });
  const upload = createUpload({
    ...parts,
    ...files,
    placements,
    events,
    links,
    refusal,
  });
  drive.onUpload(upload);
  const share = createShare({
    ...parts,
    shield,
    accounts,
    tasks,
    nodes,
    searches: drive.searches,
    links,
    treeCopies,
    events,
    recents,
    countLimits,
    pushes,
  });
  const { shares, entry, visits } = share;
  drive.onShare({ shows: entry.shows, downloaded: share.downloaded });

  const offline = createOffline({
    ...parts,
    ...files,
    shield,
    events,
    trash,
    benefits,
    pushes,
    limits: {
      waiting: MOST_WAITING_LINKS,
      slots: storage.capabilities.reach === 'process' ? 0 : config.OFFLINE_SLOTS,
    },
    program,
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
  membership.onTaskLimit((id) => offline.isOutOfTasks(id));
  accounts.onFrozen((tx, id) => offline.rest(tx, id));
  closings.onBegun((tx, id) => offline.rest(tx, id));
  const subscription = createSubscriptionDomain({
    ...parts,
    shield,
    nodes,
    tasks,
    unattendedFetches: offline.unattendedFetches,
    countLimits,
    isActive: async (id) => (await refusal(id)) === undefined,
  });

  const archive = createArchive({
    ...parts,
    ...files,
    shield,
    recents,
    placements,
    receive: upload.receive,
    entry,
    visits,
    accesses: drive.accesses,
    refusal,
    program,
  });
  drive.onExtraction(archive);
  const dav = createDav({ ...parts, quota, traffic, tasks, drive, upload, appPasswords, accounts, passes });

  const { contacts } = contact;
  const takeout = createTakeout({
    ...parts,
    account,
    oauth,
    contacts,
    quota,
    benefits,
    checkIns,
    invites,
    orders,
    invoices,
    payments,
    renewals,
    tasks,
    drive,
    shares,
    pushes,
    subscriptions: subscription,
  });
  const admin = createAdmin({
    ...parts,
    disk,
    version: VERSION,
    mailer,
    accounts,
    sessions,
    closings,
    erasing,
    contacts,
    membership,
  });

  return {
    site,
    shield: shieldDomain,
    account,
    live,
    push,
    contact,
    oauth,
    membership,
    task,
    disk,
    drive,
    ledger,
    upload,
    share,
    offline,
    subscription,
    archive,
    dav,
    takeout,
    admin,
  } satisfies Record<string, Domain>;
}

export type Domains = ReturnType<typeof createDomains>;
