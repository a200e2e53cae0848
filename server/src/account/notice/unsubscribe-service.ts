import { createHash } from 'node:crypto';
import { ApiFailure, MAIL_CATEGORIES, type MailCategory } from '@bowerbird/contract';
import type { Database, Sql } from '../../foundation/database/index.ts';
import type { Keys } from '../../foundation/index.ts';
import type { AccountChanges, AccountStore } from '../account-store.ts';
import { emailKey, type AccountRow } from '../account.ts';

/** Unsubscribes readers from mails without signing in: the link in each mail carries a signed token. */
export interface Unsubscribes {
  word(account: AccountRow, category: MailCategory): string;
  /** Reads a token; throws `not_found` if its address no longer belongs to the account. */
  look(word: string): Promise<{ email: string; category: MailCategory; isSubscribed: boolean }>;
  act(word: string): Promise<void>;
}

const PURPOSE = 'unsubscribe';
const SUBSCRIBED: Record<MailCategory, (account: AccountRow) => boolean> = {
  new_device: ({ newDeviceMail }) => newDeviceMail,
  plan_end: ({ planMail }) => planMail,
};
const NO_MORE: Record<MailCategory, AccountChanges> = {
  new_device: { newDeviceMail: false },
  plan_end: { planMail: false },
};

const digest = (email: string): string =>
  createHash('sha256').update(emailKey(email)).digest('base64url').slice(0, 16);

interface Parts {
  database: Database;
  accounts: AccountStore;
  keys: Keys;
}

export function createUnsubscribes({ database, accounts, keys }: Parts): Unsubscribes {
  async function read(sql: Sql, word: string): Promise<{ account: AccountRow; category: MailCategory }> {
    const opened = keys.open(PURPOSE, word);
    const [id, named, of] = Array.isArray(opened) ? (opened as readonly unknown[]) : [];
    const category = MAIL_CATEGORIES.find((one) => one === named);
    const account = typeof id === 'string' ? await accounts.find(sql, id) : undefined;
    if (!account || !category || digest(account.email) !== of) throw new ApiFailure('not_found');
    return { account, category };
  }

  return {
    // Contains no mail address, because URLs are written into logs.
    word: ({ id, email }, category) => keys.seal(PURPOSE, [id, category, digest(email)]),

    async look(word) {
      const { account, category } = await read(database, word);
      return { email: account.email, category, isSubscribed: SUBSCRIBED[category](account) };
    },

    act: (word) =>
      database.transaction(async (tx) => {
        const { account, category } = await read(tx, word);
        await accounts.change(tx, account.id, NO_MORE[category]);
      }),
  };
}
