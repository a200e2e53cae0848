import { isUniqueViolation, type Database } from '../foundation/database/index.ts';
import type { MembershipStore } from './membership-store.ts';
import { drawInviteCode } from './membership.ts';

export interface Invites {
  /** Returns the member's code, which is created on first use and never changes. */
  codeOf(account: string): Promise<string>;
}

export function createInvites({ database, store }: { database: Database; store: MembershipStore }): Invites {
  return {
    async codeOf(account) {
      for (;;) {
        const known = await store.inviteCode(database, account);
        if (known !== undefined) return known;
        try {
          await database.transaction((tx) => store.proposeInviteCode(tx, account, drawInviteCode()));
        } catch (error) {
          // The code is taken: try the next one.
          if (!isUniqueViolation(error)) throw error;
        }
      }
    },
  };
}
