import { isUniqueViolation, type Database } from '../foundation/database/index.ts';
import type { MembershipStore } from './membership-store.ts';
import { drawInviteCode } from './membership.ts';

export interface Invites {
  /** The member's code; drawn when it is first asked for, and the same from then on. */
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
          // Somebody has these letters already: the next ones, then.
          if (!isUniqueViolation(error)) throw error;
        }
      }
    },
  };
}
