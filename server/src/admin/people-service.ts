import { ApiFailure } from '@bowerbird/contract';
import type { AccountRow, Accounts, Closings, Erasing, Sessions, Status } from '../account/index.ts';
import type { Database, KeysetPosition } from '../foundation/database/index.ts';
import type { Ids } from '../foundation/index.ts';
import type { Benefits, Plans, Quota } from '../membership/index.ts';

/** Account with the data that an administrator needs. */
export interface PersonState {
  readonly account: AccountRow;
  readonly used: number;
  readonly limit: number;
  readonly seenAt: number | undefined;
  /** Plans other than the free one. */
  readonly plans: Awaited<ReturnType<Benefits['held']>>;
}

/** Actions of an administrator on accounts; each throws `not_found` if there is no account in that state. */
export interface People {
  list(status: Status | undefined, place: KeysetPosition | undefined, limit: number): Promise<PersonState[]>;
  admit(id: string): Promise<void>;
  /** Deletes an account that was never approved. */
  decline(id: string): Promise<void>;
  /** Not allowed for administrators, who could lock each other out. */
  freeze(id: string): Promise<void>;
  thaw(id: string): Promise<void>;
  setStorage(id: string, bytes: number): Promise<void>;
  /** Grants days of a plan, in addition to the account's benefits; also `not_found` if there is no such plan. */
  grantPlan(id: string, plan: string, days: number): Promise<void>;
  /** Ends all plans of an account at once; also `not_found` if it has none. */
  endPlans(id: string): Promise<void>;
}

const DAY_MS = 24 * 3600 * 1000;

export function createPeople({
  database,
  accounts,
  sessions,
  closings,
  erasing,
  quota,
  plans,
  benefits,
  ids,
}: {
  database: Database;
  accounts: Accounts;
  sessions: Sessions;
  closings: Closings;
  erasing: Erasing;
  quota: Quota;
  plans: Plans;
  benefits: Benefits;
  ids: Ids;
}): People {
  async function known(id: string): Promise<AccountRow> {
    const account = await accounts.find(database, id);
    if (!account) throw new ApiFailure('not_found');
    return account;
  }
  const done = (isDone: boolean): void => {
    if (!isDone) throw new ApiFailure('not_found');
  };

  return {
    async list(status, place, limit) {
      const rows = await accounts.list(database, place, limit, status);
      const seen = await sessions.lastSeen(
        database,
        rows.map(({ id }) => id),
      );
      return Promise.all(
        rows.map(async (account) => {
          const { used, limit: most } = await quota.of(database, account.id);
          const held = await benefits.held(database, account.id);
          return { account, used, limit: most, seenAt: seen.get(account.id), plans: held };
        }),
      );
    },

    admit: async (id) => done(await accounts.admit(id)),

    async decline(id) {
      const account = await known(id);
      done(account.status === 'waiting');
      await closings.order(account, 'now');
      await erasing.erase(id, new AbortController().signal);
    },

    async freeze(id) {
      const account = await known(id);
      if (account.role === 'operator') throw new ApiFailure('permission_denied');
      done(account.status === 'active');
      await accounts.freeze(id, true);
    },

    thaw: async (id) => done(await accounts.freeze(id, false)),

    async setStorage(id, bytes) {
      await known(id);
      await database.transaction((tx) => quota.setLimit(tx, id, bytes));
    },

    async grantPlan(id, plan, days) {
      await known(id);
      const found = plans.find(plan);
      if (!found || found === plans.free) throw new ApiFailure('not_found');
      await database.transaction((tx) =>
        benefits.grant(tx, {
          account: id,
          kind: 'plan',
          plan,
          bytes: 0,
          length: days * DAY_MS,
          cause: 'administrator',
          reference: ids.next(),
        }),
      );
    },

    async endPlans(id) {
      await known(id);
      const ended = await database.transaction(async (tx) => {
        let ends = 0;
        for (const { kind, id: benefit } of await benefits.list(tx, id))
          if (kind === 'plan' && (await benefits.revoke(tx, id, benefit))) ends += 1;
        return ends;
      });
      done(ended > 0);
    },
  };
}
