import type { Database, Tx } from '../../foundation/database/index.ts';
import type { AccountStore } from '../account-store.ts';
import type { Notices } from '../notice/index.ts';
import type { Sessions } from '../sign-in/index.ts';

/** Decisions of administrators on whether an account may be used. */
export interface AccountStandings {
  /** Hook for accounts that are frozen or put under review; runs in the transaction that does so. */
  onFrozen(tell: (tx: Tx, account: string) => Promise<void>): void;
  /**
   * Ends all sessions at once and refuses sign-ins until undone; undoing ends a review as well. Returns false if there
   * is nothing to undo: an account that waits for approval keeps waiting.
   */
  freeze(id: string, frozen: boolean): Promise<boolean>;
  /** Approves a waiting account and notifies its owner by mail. Returns false if the account is not waiting. */
  admit(id: string): Promise<boolean>;
  /** Puts an account under review, which works like freezing; its owner is informed of the review. */
  review(id: string): Promise<void>;
}

export function createAccountStandings({
  database,
  store,
  sessions,
  notices,
}: {
  database: Database;
  store: AccountStore;
  sessions: Sessions;
  notices: Notices;
}): AccountStandings {
  const listeners: ((tx: Tx, account: string) => Promise<void>)[] = [];

  const shut = (id: string, status: 'frozen' | 'review'): Promise<void> =>
    database.transaction(async (tx) => {
      await tx.lock(`account:${id}`);
      await store.setStatus(tx, id, status);
      await sessions.endAll(tx, id);
      for (const tell of listeners) await tell(tx, id);
    });

  const thaw = (id: string): Promise<boolean> =>
    database.transaction(async (tx) => {
      await tx.lock(`account:${id}`);
      const account = await store.find(tx, id);
      if (account?.status !== 'frozen' && account?.status !== 'review') return false;
      await store.setStatus(tx, id, 'active');
      return true;
    });

  return {
    onFrozen: (tell) => void listeners.push(tell),

    async freeze(id, frozen) {
      if (!frozen) return thaw(id);
      await shut(id, 'frozen');
      return true;
    },
    review: (id) => shut(id, 'review'),

    admit: (id) =>
      database.transaction(async (tx) => {
        await tx.lock(`account:${id}`);
        const account = await store.find(tx, id);
        if (account?.status !== 'waiting') return false;
        await store.setStatus(tx, id, 'active');
        await notices.tell(tx, account, 'letIn');
        return true;
      }),
  };
}
