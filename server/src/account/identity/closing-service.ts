import { ApiFailure } from '@bowerbird/contract';
import type { Database, Tx } from '../../foundation/database/index.ts';
import { timeText, type Clock } from '../../foundation/index.ts';
import type { AccountStore } from '../account-store.ts';
import { isUsable, requireUsable, type AccountRow } from '../account.ts';
import type { Admission, SessionTransport, Grant, SessionMaker, Sessions } from '../sign-in/index.ts';
import type { Notices } from '../notice/index.ts';
import type { PassStore, Owner, PasswordChecks, SecondFactorStore } from '../credential/index.ts';

/** Closes accounts: unusable at once, erased after some days; until then the owner can reopen them. */
export interface Closings {
  rules(account: string): Promise<{ days: number; isLastOperator: boolean }>;
  /**
   * Closes an account for its owner. Returns the time of its erasure. Throws `last_operator` for the only
   * administrator.
   */
  begin(owner: Owner): Promise<number>;
  /** Closes the account for an administrator: erased after the usual period, or as soon as possible. */
  order(account: AccountRow, when: 'later' | 'now'): Promise<number>;
  /** Hook that ends other credentials of an account, in the transaction that closes it. */
  onBegun(end: (tx: Tx, account: string) => Promise<void>): void;
  /** Reopens the account with the ticket of {@link Admission.admit}, and signs its owner in. */
  keep(ticket: string, kind: SessionTransport, maker: SessionMaker): Promise<Grant>;
  /** Reopens an account for an administrator. Returns false if it is not closing, or if it is too late. */
  takeBack(account: string): Promise<boolean>;
  /** Sends a mail to owners whose last day has begun. */
  remind(): Promise<void>;
}

const DAY_MS = 24 * 3600 * 1000;
const OPERATORS = 'operators';

interface Parts {
  database: Database;
  accounts: AccountStore;
  sessions: Sessions;
  passes: PassStore;
  secondFactors: Pick<SecondFactorStore, 'forgetDevices'>;
  checks: PasswordChecks;
  notices: Notices;
  admission: Admission;
  clock: Clock;
  days: number;
}

export function createClosings(parts: Parts): Closings {
  const { database, accounts, sessions, passes, secondFactors, checks, notices, admission, clock, days } =
    parts;
  const others: ((tx: Tx, account: string) => Promise<void>)[] = [];

  const dayOf = (time: number): string => `${timeText(time).slice(0, 16).replace('T', ' ')} UTC`;

  /** Returns true if the account is the only usable administrator. */
  const isLast = async (sql: Database | Tx, { id, role }: AccountRow): Promise<boolean> =>
    role === 'operator' && !(await accounts.operators(sql)).some((one) => one.id !== id && isUsable(one));

  /** Closes an account. Returns the time of its erasure, which is never later than one set before. */
  async function close(tx: Tx, id: string, asked: number): Promise<number> {
    // Without the lock, two administrators closing at the same time would each count the other as remaining.
    await tx.lock(OPERATORS);
    await tx.lock(`account:${id}`);
    const account = await accounts.find(tx, id);
    if (!account) throw new ApiFailure('not_found');
    if (await isLast(tx, account)) throw new ApiFailure('last_operator');
    const closesAt = Math.min(asked, account.closesAt ?? Infinity);
    const isSoon = closesAt - clock.now() <= DAY_MS;
    await accounts.setClosing(tx, id, closesAt, isSoon);
    await sessions.endAll(tx, id);
    await passes.removeAll(tx, id);
    await secondFactors.forgetDevices(tx, id);
    for (const end of others) await end(tx, id);
    if (closesAt > clock.now()) await notices.tell(tx, account, 'closing', { time: dayOf(closesAt) });
    return closesAt;
  }

  return {
    async rules(id) {
      const account = await accounts.find(database, id);
      return { days, isLastOperator: account !== undefined && (await isLast(database, account)) };
    },

    async begin({ account: id, password, address }) {
      const account = await checks.confirm(id, password, address);
      requireUsable(account);
      const closesAt = clock.now() + days * DAY_MS;
      return database.transaction((tx) => close(tx, id, closesAt));
    },

    async order({ id }, when) {
      const closesAt = clock.now() + (when === 'now' ? 0 : days * DAY_MS);
      return database.transaction((tx) => close(tx, id, closesAt));
    },

    onBegun: (end) => void others.push(end),

    async keep(ticket, kind, maker) {
      const { account: id, passwordHash, until, way } = admission.readTicket(ticket);
      if (until <= clock.now()) throw new ApiFailure('token_expired');
      const opened = await database.transaction(async (tx) => {
        await tx.lock(`account:${id}`);
        const account = await accounts.find(tx, id);
        const isSame =
          account && (account.passwordHash ?? null) === passwordHash && admission.mayReopen(account);
        if (!isSame) throw new ApiFailure('token_expired');
        const kept = { ...account, closesAt: undefined };
        requireUsable(kept);
        await accounts.setClosing(tx, id, undefined, false);
        await notices.tell(tx, account, 'closingTakenBack');
        return sessions.open(tx, kept, kind, maker, way);
      });
      return sessions.grant(opened, maker.origin);
    },

    takeBack: (id) =>
      database.transaction(async (tx) => {
        await tx.lock(`account:${id}`);
        const account = await accounts.find(tx, id);
        if (!account || !admission.mayReopen(account)) return false;
        await accounts.setClosing(tx, id, undefined, false);
        await notices.tell(tx, account, 'closingTakenBack');
        return true;
      }),

    async remind() {
      const now = clock.now();
      for (const { id } of await accounts.toRemind(database, now, now + DAY_MS))
        await database.transaction(async (tx) => {
          await tx.lock(`account:${id}`);
          const account = await accounts.find(tx, id);
          if (!account || !admission.mayReopen(account) || !(await accounts.reminded(tx, id))) return;
          await notices.tell(tx, account, 'closingSoon', { time: dayOf(account.closesAt!) });
        });
    },
  };
}
