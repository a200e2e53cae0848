import { ApiFailure } from '@bowerbird/contract';
import type { Database } from '../foundation/database/index.ts';
import type { Clock, Keys } from '../foundation/index.ts';
import type { AccountStore } from './account-store.ts';
import type { AccountRow } from './account.ts';
import type { Arrivals } from './arrival-service.ts';
import type { Passes } from './pass-service.ts';
import type { PasswordChecks } from './password-check.ts';
import type { Answer, SecondFactors } from './second-factor-service.ts';
import type { Delivery, Grant, SessionMaker, Sessions } from './session-service.ts';

/** Who comes in, and from which browser: one that is trusted keeps a secret. */
export type Comer = SessionMaker & { readonly trust: string | undefined };

export interface SignIns {
  /** With `second_factor_required` and a ticket where the password is right and not enough. */
  byPassword(
    credentials: { username: string; password: string },
    kind: Delivery,
    comer: Comer,
  ): Promise<Grant>;
  /** The other half: the ticket, and what shows that it is the owner. */
  bySecondFactor(
    answer: Answer & { ticket: string; remember: boolean },
    kind: Delivery,
    comer: Comer,
  ): Promise<{ grant: Grant; trust: string | undefined }>;
}

const TICKET = 'sign-in-ticket';
const TICKET_MS = 600_000;

interface Parts {
  database: Database;
  accounts: AccountStore;
  sessions: Sessions;
  checks: PasswordChecks;
  passes: Passes;
  secondFactors: SecondFactors;
  arrivals: Arrivals;
  keys: Keys;
  clock: Clock;
}

export function createSignIns(parts: Parts): SignIns {
  const { database, accounts, sessions, checks, passes, secondFactors, arrivals, keys, clock } = parts;

  /** That somebody knew the password, for some minutes and as long as it is the password. */
  const ticketOf = ({ id, passwordHash }: AccountRow): string =>
    keys.encrypt(TICKET, JSON.stringify([id, passwordHash, clock.now() + TICKET_MS]));

  async function holderOf(ticket: string): Promise<AccountRow> {
    const text = keys.decrypt(TICKET, ticket);
    const [id, hash, until] = JSON.parse(text ?? '["", "", 0]') as [string, string, number];
    const account = until > clock.now() ? await accounts.find(database, id) : undefined;
    if (!account || account.passwordHash !== hash) throw new ApiFailure('token_expired');
    if (account.status !== 'active') throw new ApiFailure('account_frozen');
    return account;
  }

  return {
    async byPassword({ username, password }, kind, comer) {
      const { address, origin } = comer;
      const account = await checks.find(username);
      const pass = kind === 'token' ? await passes.match(account, password, address) : undefined;
      const isOwner =
        pass !== undefined || (await checks.isRight(account, { name: username, password, address }));
      if (!isOwner || !account) {
        arrivals.failed(account, 'password', comer);
        throw new ApiFailure('invalid_account_or_password');
      }
      if (account.status !== 'active') throw new ApiFailure('account_frozen');
      const isEnough =
        pass !== undefined ||
        !(await secondFactors.isOn(account.id)) ||
        (await secondFactors.trusts(account.id, comer.trust));
      if (!isEnough) throw new ApiFailure('second_factor_required', { ticket: ticketOf(account) });
      const opened = await database.transaction(async (tx) => {
        await sessions.hold(tx, account, pass);
        return sessions.open(tx, account, kind, comer, pass ? 'app_password' : 'password', pass);
      });
      return sessions.grant(opened, origin);
    },

    async bySecondFactor({ ticket, remember, ...answer }, kind, comer) {
      const account = await holderOf(ticket);
      const way = 'code' in answer ? 'second_factor' : 'recovery_code';
      try {
        await secondFactors.require(account.id, answer, comer.address);
      } catch (error) {
        arrivals.failed(account, way, comer);
        throw error;
      }
      const { opened, trust } = await database.transaction(async (tx) => {
        await sessions.hold(tx, account);
        return {
          opened: await sessions.open(tx, account, kind, comer, way),
          trust: remember ? await secondFactors.trust(tx, account.id, comer.userAgent) : undefined,
        };
      });
      return { grant: await sessions.grant(opened, comer.origin), trust };
    },
  };
}
