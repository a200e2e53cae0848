import { ApiFailure } from '@bowerbird/contract';
import { timeText, type Clock, type Keys } from '../../foundation/index.ts';
import { refusalOf, type AccountRow } from '../account.ts';
import type { Way } from './sign-in-record.ts';

/** Contents of a ticket to reopen a closed account. */
export interface ReopeningTicket {
  readonly account: string;
  readonly passwordHash: string | null;
  readonly until: number;
  readonly way: Way;
}

/** Decides after a complete sign-in whether an account may be used, and whether its owner may still reopen it. */
export interface Admission {
  /** Checks an account after a complete sign-in. Throws if it may not be used, with a ticket to reopen a closed one. */
  admit(account: AccountRow, way: Way): void;
  /** Returns true while an account that was closed can be reopened. */
  mayReopen(account: Pick<AccountRow, 'closesAt'>): boolean;
  /** Reads a ticket; an invalid one counts as expired. */
  readTicket(ticket: string): ReopeningTicket;
}

const TICKET = 'closing-ticket';
const TICKET_MS = 600_000;

export function createAdmission({ keys, clock }: { keys: Keys; clock: Clock }): Admission {
  const mayReopen: Admission['mayReopen'] = ({ closesAt }) =>
    closesAt !== undefined && closesAt > clock.now();

  return {
    mayReopen,

    admit(account, way) {
      const refusal = refusalOf(account);
      if (refusal === undefined) return;
      if (refusal !== 'account_in_cancellation' || !mayReopen(account)) throw new ApiFailure(refusal);
      const { id, passwordHash = null, closesAt } = account;
      throw new ApiFailure(refusal, {
        keep: keys.encrypt(TICKET, JSON.stringify([id, passwordHash, clock.now() + TICKET_MS, way])),
        closes_at: timeText(closesAt!),
      });
    },

    readTicket(ticket) {
      const text = keys.decrypt(TICKET, ticket) ?? '["", "", 0, "password"]';
      const [account, passwordHash, until, way] = JSON.parse(text) as [string, string | null, number, Way];
      return { account, passwordHash, until, way };
    },
  };
}
