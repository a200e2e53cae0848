import type {
  Accounts,
  SignInHistory,
  Passes,
  Passkeys,
  Preferences,
  SecondFactors,
  Sessions,
} from '../account/index.ts';
import { passkeyView, passView, sessionView, signInView } from '../account/index.ts';
import type { Contacts } from '../contact/index.ts';
import { ARRIVALS, NOTED_KINDS, type Drive } from '../drive/index.ts';
import type { Database, KeysetPosition } from '../foundation/database/index.ts';
import { maybeTimeText, timeText } from '../foundation/index.ts';
import type { Benefits, CheckIns, Invites, Quota } from '../membership/index.ts';
import type { Consents, Externals } from '../oauth/index.ts';
import type { Pushes } from '../push/index.ts';
import type { Shares } from '../share/index.ts';
import type { SubscriptionDomain } from '../subscription/index.ts';
import type { Tasks } from '../task/index.ts';
import { annotationFacts } from './takeout-annotations.ts';
import type { Facts } from './takeout-content.ts';
import { peopleFacts } from './takeout-people.ts';
import { each, purchaseFacts, type PurchaseParts } from './takeout-purchases.ts';

const PAGE = 500;

interface Parts extends PurchaseParts {
  database: Database;
  accounts: Accounts;
  sessions: Sessions;
  signInHistory: SignInHistory;
  secondFactors: SecondFactors;
  passkeys: Passkeys;
  passes: Passes;
  preferences: Preferences;
  consents: Consents;
  externals: Externals;
  contacts: Pick<Contacts, 'by'>;
  quota: Quota;
  benefits: Pick<Benefits, 'list'>;
  checkIns: Pick<CheckIns, 'days'>;
  invites: Pick<Invites, 'of'>;
  tasks: Tasks;
  drive: Drive;
  shares: Shares;
  subscriptions: Pick<SubscriptionDomain, 'list'>;
  pushes: Pick<Pushes, 'list'>;
}

/** Collects a member's data from the domains. Contains no credentials: no password, passcode or token. */
export function createFacts(parts: Parts): Facts {
  const { database, accounts, quota, tasks, shares } = parts;

  async function* sharesOf(account: string): AsyncGenerator<object> {
    for (let place: KeysetPosition | undefined, more = true; more;) {
      const page = await shares.list(account, { place, limit: PAGE });
      for (const { share, root } of page)
        yield {
          id: share.id,
          title: share.title,
          first_file: root?.name ?? '',
          files: share.rootCount,
          has_passcode: share.passcode !== undefined,
          paused: share.paused,
          restore_limit: share.restoreLimit,
          restores: share.restoreCount,
          views: share.viewCount,
          downloads: share.downloadCount,
          created_at: timeText(share.createdAt),
          expires_at: maybeTimeText(share.expiresAt),
        };
      const last = page.at(-1)?.share;
      place = last && [last.createdAt, last.id];
      more = page.length === PAGE;
    }
  }

  /** Iterates over plans and storage that were given, and over invitations for which there may be days. */
  async function* plansOf(account: string): AsyncGenerator<object> {
    yield* each(parts.benefits.list(database, account), (one) => ({
      kind: one.kind,
      plan: one.plan,
      bytes: String(one.bytes),
      cause: one.cause,
      granted_at: timeText(one.grantedAt),
      starts_at: timeText(one.startsAt),
      ends_at: maybeTimeText(one.endsAt),
      revoked_at: maybeTimeText(one.revokedAt),
    }));
    yield* each(parts.invites.of(account), (one) => ({
      kind: 'invitation',
      role: one.inviter === account ? 'inviter' : 'invited',
      state: one.state,
      days: one.inviter === account ? one.days : 0,
      purchase_days: one.inviter === account ? one.purchaseDays : 0,
      created_at: timeText(one.createdAt),
      settled_at: maybeTimeText(one.settledAt),
    }));
  }

  /** Iterates over files added to the drive, over playback positions, and over what else happened to files. */
  async function* eventsOf(account: string): AsyncGenerator<object> {
    for (const types of [ARRIVALS, ['TYPE_PLAY'] as const])
      for (let place: KeysetPosition | undefined, more = true; more;) {
        const { events, next } = await parts.drive.events.page(account, types, { limit: PAGE, place });
        for (const { event, node } of events)
          yield {
            type: event.type,
            file: node.name,
            file_id: node.id,
            ...event.params,
            created_at: timeText(event.createdAt),
            updated_at: timeText(event.updatedAt),
          };
        place = next;
        more = next !== undefined;
      }
    for (const kind of NOTED_KINDS)
      for (let place: KeysetPosition | undefined, more = true; more;) {
        const filter = { kinds: new Set([kind]), categories: undefined, unfinished: false };
        const { files, next } = await parts.drive.recents.page(account, filter, { limit: PAGE, place });
        for (const { event, node } of files)
          yield {
            type: event.kind.toUpperCase(),
            file: node.name,
            file_id: node.id,
            updated_at: timeText(event.at),
          };
        place = next;
        more = next !== undefined;
      }
  }

  /** Iterates over earlier versions of files. */
  async function* versionsOf(account: string): AsyncGenerator<object> {
    for (let after = '', more = true; more;) {
      const page = await parts.drive.versions.ofAccount(database, account, { after, limit: PAGE });
      for (const one of page)
        yield {
          file: one.name,
          file_id: one.node,
          size: String(one.size),
          gcid: one.gcid,
          label: one.label,
          keep_forever: one.kept === 1,
          modified_at: timeText(one.modified_at),
          replaced_at: timeText(one.replaced_at),
          replaced_by: one.how,
        };
      after = page.at(-1)?.id ?? '';
      more = page.length === PAGE;
    }
  }

  async function* offlineOf(account: string): AsyncGenerator<object> {
    for (let place: KeysetPosition | undefined, more = true; more;) {
      const filter = { types: ['offline'], phases: undefined, place, limit: PAGE } as const;
      const page = await tasks.list(database, account, filter);
      for (const task of page)
        yield {
          id: task.id,
          name: task.name,
          link: task.params['url'] ?? '',
          phase: task.phase,
          file: task.fileName,
          size: task.fileSize,
          created_at: timeText(task.createdAt),
          updated_at: timeText(task.updatedAt),
        };
      const last = page.at(-1);
      place = last && [last.id];
      more = page.length === PAGE;
    }
  }

  return {
    async profile(id) {
      const account = await accounts.find(database, id);
      const { since, codesLeft, devices } = await parts.secondFactors.state(id);
      const { limit, used, trashed } = await quota.of(database, id);
      return {
        id,
        email: account?.email ?? '',
        phone: account?.phone ?? '',
        name: account?.name ?? '',
        picture: account?.picture ?? '',
        role: account?.role ?? '',
        language: account?.locale ?? '',
        created_at: maybeTimeText(account?.createdAt),
        password_updated_at: maybeTimeText(account?.passwordUpdatedAt),
        second_step: {
          since: maybeTimeText(since),
          recovery_codes_left: codesLeft,
          trusted_browsers: devices,
        },
        storage: { limit, used, in_trash: trashed },
      };
    },

    async settings(id) {
      const account = await accounts.find(database, id);
      return {
        new_device_mail: account?.newDeviceMail ?? false,
        plan_mail: account?.planMail ?? false,
        ...(await parts.preferences.read(id)),
      };
    },

    lists: (account) => [
      { name: 'sign-ins', rows: each(parts.signInHistory.list(account), signInView) },
      { name: 'sessions', rows: each(parts.sessions.list(account), (one) => sessionView(one, '')) },
      {
        name: 'notified-browsers',
        rows: each(parts.pushes.list(account), ({ name, endpoint, withNames, createdAt, sentAt }) => ({
          name,
          push_service: new URL(endpoint).origin,
          with_names: withNames,
          created_at: timeText(createdAt),
          sent_at: maybeTimeText(sentAt),
        })),
      },
      { name: 'passkeys', rows: each(parts.passkeys.list(account), passkeyView) },
      { name: 'app-passwords-and-tokens', rows: each(parts.passes.list(account), passView) },
      {
        name: 'connected-apps',
        rows: each(parts.consents.list(account), ({ consent, client }) => ({
          name: client.name,
          site: client.uri,
          scopes: consent.scopes,
          created_at: timeText(consent.createdAt),
          used_at: maybeTimeText(consent.usedAt),
        })),
      },
      {
        name: 'accounts-elsewhere',
        rows: each(parts.externals.list(account), ({ issuer, email, createdAt, usedAt }) => ({
          service: issuer,
          email,
          created_at: timeText(createdAt),
          used_at: maybeTimeText(usedAt),
        })),
      },
      { name: 'shares', rows: sharesOf(account) },
      ...peopleFacts(parts.drive.grants, account),
      { name: 'offline-downloads', rows: offlineOf(account) },
      {
        name: 'subscriptions',
        rows: each(parts.subscriptions.list(account), (one) => ({
          name: one.name,
          kind: one.kind,
          link: one.url,
          every_minutes: one.everyMinutes,
          filters: one.filters,
          active: one.active,
          created_at: timeText(one.createdAt),
          last_run_at: maybeTimeText(one.lastRunAt),
        })),
      },
      { name: 'file-versions', rows: versionsOf(account) },
      ...annotationFacts(parts.drive.annotationFacts, account),
      { name: 'added-and-played', rows: eventsOf(account) },
      {
        name: 'plans',
        rows: plansOf(account),
      },
      ...purchaseFacts(parts, account),
      { name: 'check-ins', rows: each(parts.checkIns.days(account), (day) => ({ day })) },
      {
        name: 'contact-messages',
        rows: each(parts.contacts.by(account), ({ topic, email, message, link, createdAt }) => ({
          topic,
          email,
          message,
          link,
          created_at: timeText(createdAt),
        })),
      },
    ],

    files: (account) => parts.drive.inventory(account),
  };
}
