import type { Database } from '../../foundation/database/index.ts';
import type { EraseAccount } from '../../foundation/domain/index.ts';
import type { Clock } from '../../foundation/index.ts';
import type { Jobs } from '../../foundation/jobs/index.ts';
import type { AccountStore } from '../account-store.ts';
import { emailKey } from '../account.ts';
import type { VerificationStore } from '../verification/index.ts';

/** Erases accounts whose closing period has ended: first all their data, then the account rows. */
export interface Erasing {
  /** Registers the function of each domain, in the order in which they must run. */
  onErase(erasers: readonly EraseAccount[]): void;
  /** Enqueues a job for each account whose closing period has ended. */
  askDue(): Promise<void>;
  /** Erases one account, unless its owner has reopened it; resumes the work of a killed process. */
  erase(account: string, signal: AbortSignal): Promise<void>;
}

export const ERASE = 'erase-account';
const MOST_DUE = 500;
/** Uploads and copies under way may still add rows after a domain was erased, so rounds repeat; this bounds them. */
const MOST_ROUNDS = 20;

interface Parts {
  database: Database;
  accounts: AccountStore;
  verifications: Pick<VerificationStore, 'removeOf'>;
  jobs: Jobs;
  clock: Clock;
}

export function createErasing({ database, accounts, verifications, jobs, clock }: Parts): Erasing {
  let erasers: readonly EraseAccount[] = [];

  /** Removes the account's name, addresses and credentials, which frees the address for a new account. */
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
    for (const eraseAccount of erasers) removed += await eraseAccount(id, signal);
    return removed;
  }

  return {
    onErase(all) {
      erasers = all;
    },

    async askDue() {
      const due = await accounts.closed(database, clock.now(), MOST_DUE);
      for (const account of due)
        await database.transaction((tx) => jobs.enqueue(tx, ERASE, { account }, { key: account }));
    },

    async erase(id, signal) {
      if (!(await disown(id))) return;
      for (let rounds = 1; (await round(id, signal)) > 0; rounds++)
        if (rounds === MOST_ROUNDS) throw new Error(`Account ${id} keeps growing while it is being erased`);
      await database.transaction((tx) => accounts.remove(tx, id));
    },
  };
}
