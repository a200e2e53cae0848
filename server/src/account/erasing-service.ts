import type { Database } from '../foundation/database/index.ts';
import type { Clock } from '../foundation/index.ts';
import type { Jobs } from '../foundation/jobs/index.ts';
import type { AccountStore } from './account-store.ts';
import { emailKey } from './account.ts';
import type { VerificationStore } from './verification-store.ts';

/**
 * Takes away what a domain keeps of an account, a slice at a time; gives how much there was. It may be begun again at any
 * time, and leaves at the next slice when the signal says so.
 */
export type Leave = (account: string, signal: AbortSignal) => Promise<number>;

/** Accounts whose days are over: all that is theirs goes, then they themselves. */
export interface Erasing {
  /** Says what each domain takes away, in the order in which that must happen. */
  onErased(leaves: readonly Leave[]): void;
  /** Has the accounts erased whose days are over. */
  askDue(): Promise<void>;
  /** Erases one, unless its owner took that back; goes on where a killed process left off. */
  erase(account: string, signal: AbortSignal): Promise<void>;
}

export const ERASE = 'erase-account';
const MOST_DUE = 500;
/** What was still on its way into the drive may arrive behind those who looked; it can't go on for ever. */
const MOST_ROUNDS = 20;

interface Parts {
  database: Database;
  accounts: AccountStore;
  verifications: Pick<VerificationStore, 'removeOf'>;
  jobs: Jobs;
  clock: Clock;
}

export function createErasing({ database, accounts, verifications, jobs, clock }: Parts): Erasing {
  let leaves: readonly Leave[] = [];

  /** From here on it is nobody's: without name, address and ways in. The address is free for a new account. */
  const disown = (id: string): Promise<boolean> =>
    database.transaction(async (tx) => {
      await tx.lock(`account:${id}`);
      const account = await accounts.find(tx, id);
      if (account?.closesAt === undefined || account.closesAt > clock.now()) return false;
      for (const target of [emailKey(account.email), account.phone])
        if (target !== '') await verifications.removeOf(tx, target);
      await accounts.disown(tx, id);
      return true;
    });

  async function round(id: string, signal: AbortSignal): Promise<number> {
    let removed = 0;
    for (const leave of leaves) removed += await leave(id, signal);
    return removed;
  }

  return {
    onErased(all) {
      leaves = all;
    },

    async askDue() {
      const due = await accounts.closed(database, clock.now(), MOST_DUE);
      for (const account of due)
        await database.transaction((tx) => jobs.enqueue(tx, ERASE, { account }, { key: account }));
    },

    async erase(id, signal) {
      if (!(await disown(id))) return;
      for (let rounds = 1; (await round(id, signal)) > 0; rounds++)
        if (rounds === MOST_ROUNDS) throw new Error(`The account ${id} still grows while it is erased`);
      await database.transaction((tx) => accounts.remove(tx, id));
    },
  };
}
