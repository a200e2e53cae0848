import { ApiFailure, inviteCodeIn } from '@bowerbird/contract';
import { isUsable, type AccountRow, type Accounts, type Sessions } from '../../account/index.ts';
import type { Database, Sql, Tx } from '../../foundation/database/index.ts';
import type { Clock, Ids, Keys } from '../../foundation/index.ts';
import type { Guard } from '../../shield/index.ts';
import type { Redeemed } from '../code/index.ts';
import type { Offers } from '../offer/index.ts';
import { daysLeft, type Benefits, type Cause } from '../plan/index.ts';
import { invitationStore } from './invitation-store.ts';
import { DAY_MS } from './invitation.ts';
import { newcomerStore } from './newcomer-store.ts';
import {
  INVITED,
  KEPT_MS,
  mailboxOf,
  MOST_ACCOUNTS,
  NEW_MS,
  OF_A_PERSON,
  publicNetworkOf,
  type Trace,
  type TraceKind,
} from './newcomer.ts';

/** Origin of a call. */
export interface Place {
  readonly address: string;
  readonly deviceId: string;
}

/** Days that a new member was given and that have not passed, for signing up and for being invited. */
export interface Welcome {
  readonly freeDays: number;
  readonly invitedDays: number;
  /** True if this call has given any of them. */
  readonly isNew: boolean;
}

/** Grants of days to new members, once per person as far as that can be recognized. */
export interface Newcomers {
  /**
   * Grants a new member the free days and, with the code of somebody who invited them, the days of an invitation. May be
   * repeated: days that were given before are only returned. Nothing is given, and nothing recorded, while too many people
   * sign up in one network.
   */
  welcome(id: string, place: Place, code: string | undefined): Promise<Welcome>;
  /**
   * Accepts the code of somebody who invited a new member, entered like an activation code. Returns undefined if it is
   * not an invite code. Throws `invite_code_for_new_members` if it brings no days, and `activation_code_reused` after
   * another one; repeating the same one returns the same.
   */
  redeem(id: string, place: Place, typed: string): Promise<Redeemed | undefined>;
  /** Records a person whose account is being closed, so that they are recognized in a new one. */
  remember(tx: Tx, id: string): Promise<void>;
  /** Deletes old traces. */
  forgetOld(): Promise<void>;
}

const FREE_DAYS = 'free_days';
const NOTHING: Welcome = { freeDays: 0, invitedDays: 0, isNew: false };

interface Parts {
  database: Database;
  accounts: Pick<Accounts, 'find'>;
  sessions: Pick<Sessions, 'origins'>;
  benefits: Benefits;
  offers: Offers;
  /** Limits guesses at invite codes. */
  guesses: Guard;
  clock: Clock;
  ids: Ids;
  keys: Keys;
}

export function createNewcomers({
  database,
  accounts,
  sessions,
  benefits,
  offers,
  guesses,
  clock,
  ids,
  keys,
}: Parts): Newcomers {
  const { freeDays, invitations } = offers;
  const isOffering = freeDays !== undefined || invitations !== undefined;
  const hashOf = (kind: string, value: string): string => keys.sign('newcomer trace', `${kind} ${value}`);
  const holderOf = (account: string): string => hashOf('account', account);

  const personOf = ({ email, phone }: AccountRow): Trace[] => [
    ...(email === '' ? [] : [{ kind: 'email' as const, hash: hashOf('email', mailboxOf(email)) }]),
    ...(phone === '' ? [] : [{ kind: 'phone' as const, hash: hashOf('phone', phone) }]),
  ];

  const placesOf = (places: readonly Place[]): Trace[] => {
    const devices = new Set(places.map(({ deviceId }) => deviceId).filter((id) => id !== ''));
    const networks = new Set(places.map(({ address }) => publicNetworkOf(address)));
    return [
      ...[...devices].map((id) => ({ kind: 'device' as const, hash: hashOf('device', id) })),
      ...[...networks]
        .filter((network) => network !== undefined)
        .map((network) => ({ kind: 'network' as const, hash: hashOf('network', network) })),
    ];
  };

  /** Returns the traces of the owner of an account. */
  async function tracesOf(sql: Sql, account: AccountRow, ...more: Place[]): Promise<Trace[]> {
    const places = [...(await sessions.origins(sql, account.id)), ...more];
    return [...personOf(account), ...placesOf(places)];
  }

  const othersWith = (sql: Sql, traces: readonly Trace[], kind: TraceKind, holder: string): Promise<number> =>
    newcomerStore.others(
      sql,
      kind,
      traces.filter((trace) => trace.kind === kind).map(({ hash }) => hash),
      { holder, since: clock.now() - KEPT_MS[kind] },
    );

  /** Finds out who has an invite code. Codes that nobody has count as guesses. */
  async function inviterOf(
    code: string | undefined,
    id: string,
    address: string,
  ): Promise<string | undefined> {
    const written = invitations && inviteCodeIn(code);
    if (written === undefined) return undefined;
    const inviter = await invitationStore.accountOf(database, written);
    // A right code is not counted, so that it can be sent again, but it does not help while somebody is guessing.
    await (inviter === undefined ? guesses.attempt(id, address) : guesses.check(id, address));
    return inviter;
  }

  /** Records by whom a new member was invited, and gives them their days. Returns true if they got any. */
  async function accept(
    tx: Tx,
    account: AccountRow,
    { inviter: id, traces, isKnown }: { inviter: string; traces: readonly Trace[]; isKnown: boolean },
  ): Promise<boolean> {
    const inviter = id === account.id ? undefined : await accounts.find(tx, id);
    if (!isUsable(inviter) || !invitations) return false;
    const hashes = new Set(traces.map(({ hash }) => hash));
    const isSame = isKnown || (await tracesOf(tx, inviter)).some(({ hash }) => hashes.has(hash));
    const isFirst = await invitationStore.insert(tx, {
      id: ids.next(),
      account: account.id,
      inviter: id,
      state: isSame ? 'unrewarded' : 'waiting',
      createdAt: clock.now(),
    });
    if (!isFirst || isSame || invitations.invitedDays === 0) return false;
    const { plan, invitedDays: days } = invitations;
    return benefits.grantDays(tx, account.id, { plan, days, cause: 'invite', reference: INVITED });
  }

  async function greet(
    tx: Tx,
    account: AccountRow,
    { traces, inviter }: { traces: readonly Trace[]; inviter: string | undefined },
  ): Promise<boolean> {
    const holder = holderOf(account.id);
    // Later calls record nothing: a member who comes every day must not keep their network from being free again.
    const isFirst = !(await newcomerStore.has(tx, personOf(account), holder));
    const isCrowded = (await othersWith(tx, traces, 'network', holder)) >= MOST_ACCOUNTS.network;
    if (isFirst && isCrowded) return false;
    const counts = await Promise.all(OF_A_PERSON.map((kind) => othersWith(tx, traces, kind, holder)));
    const isKnown =
      counts.some((count) => count > 0) ||
      (await othersWith(tx, traces, 'device', holder)) >= MOST_ACCOUNTS.device;
    if (isFirst) await newcomerStore.record(tx, traces, holder, clock.now());
    const isGiven =
      freeDays !== undefined &&
      !isKnown &&
      (await benefits.grantDays(tx, account.id, {
        ...freeDays,
        cause: 'free_days',
        reference: FREE_DAYS,
      }));
    const isInvited = inviter !== undefined && (await accept(tx, account, { inviter, traces, isKnown }));
    return isGiven || isInvited;
  }

  const newcomers: Newcomers = {
    async welcome(id, place, code) {
      if (!isOffering) return NOTHING;
      const account = await accounts.find(database, id);
      if (!account) throw new ApiFailure('unauthenticated');
      const isNewcomer = account.createdAt > clock.now() - NEW_MS;
      const inviter = isNewcomer ? await inviterOf(code, id, place.address) : undefined;
      return database.transaction(async (tx) => {
        let isNew = false;
        if (isNewcomer) {
          // Two accounts of one person must not be looked up at the same time, before either is recorded.
          await tx.lock('newcomers');
          const traces = await tracesOf(tx, account, place);
          isNew = await greet(tx, account, { traces, inviter });
        }
        const terms = await benefits.list(tx, id);
        const left = (asked: Cause, of: string): number =>
          daysLeft(
            terms.find(({ cause, reference }) => cause === asked && reference === of),
            clock.now(),
          );
        return {
          freeDays: left('free_days', FREE_DAYS),
          invitedDays: left('invite', INVITED),
          isNew,
        };
      });
    },

    async redeem(id, place, typed) {
      const code = invitations && inviteCodeIn(typed);
      const inviter = await inviterOf(code, id, place.address);
      if (!invitations || inviter === undefined) return undefined;
      const known = await invitationStore.find(database, id);
      if (known && known.inviter !== inviter) throw new ApiFailure('activation_code_reused');
      const { invitedDays } = await newcomers.welcome(id, place, code);
      if (invitedDays === 0) throw new ApiFailure('invite_code_for_new_members');
      const { plan, invitedDays: days } = invitations;
      const held = await benefits.held(database, id);
      return {
        kind: 'plan',
        bytes: 0,
        length: days * DAY_MS,
        plan,
        endsAt: held.find((one) => one.plan.id === plan.id)?.endsAt,
      };
    },

    async remember(tx, id) {
      const account = isOffering ? await accounts.find(tx, id) : undefined;
      if (account) await newcomerStore.record(tx, personOf(account), holderOf(id), clock.now());
    },

    forgetOld: () =>
      database.transaction(async (tx) => {
        for (const [kind, kept] of Object.entries(KEPT_MS))
          await newcomerStore.removeBefore(tx, kind as TraceKind, clock.now() - kept);
      }),
  };
  return newcomers;
}
