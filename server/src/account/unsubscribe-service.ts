import { createHash } from 'node:crypto';
import { ApiFailure, MAIL_SCENES, type MailScene } from '@bowerbird/contract';
import type { Database, Sql } from '../foundation/database/index.ts';
import type { Keys } from '../foundation/index.ts';
import type { AccountChanges, AccountStore } from './account-store.ts';
import { emailKey, type AccountRow } from './account.ts';

/** Mails that their reader can have no more of, without signing in: the link of each carries a signed word. */
export interface Unsubscribes {
  word(account: AccountRow, scene: MailScene): string;
  /** Whose mails the word is about; an address that is the account's no more has no say. */
  look(word: string): Promise<{ email: string; scene: MailScene; isSubscribed: boolean }>;
  act(word: string): Promise<void>;
}

const PURPOSE = 'unsubscribe';
const SUBSCRIBED: Record<MailScene, (account: AccountRow) => boolean> = {
  new_device: ({ newDeviceMail }) => newDeviceMail,
};
const NO_MORE: Record<MailScene, AccountChanges> = { new_device: { newDeviceMail: false } };

const digest = (email: string): string =>
  createHash('sha256').update(emailKey(email)).digest('base64url').slice(0, 16);

interface Parts {
  database: Database;
  accounts: AccountStore;
  keys: Keys;
}

export function createUnsubscribes({ database, accounts, keys }: Parts): Unsubscribes {
  async function read(sql: Sql, word: string): Promise<{ account: AccountRow; scene: MailScene }> {
    const opened = keys.open(PURPOSE, word);
    const [id, named, of] = Array.isArray(opened) ? (opened as readonly unknown[]) : [];
    const scene = MAIL_SCENES.find((one) => one === named);
    const account = typeof id === 'string' ? await accounts.find(sql, id) : undefined;
    if (!account || !scene || digest(account.email) !== of) throw new ApiFailure('not_found');
    return { account, scene };
  }

  return {
    // No address in it: addresses of pages are written into logs.
    word: ({ id, email }, scene) => keys.seal(PURPOSE, [id, scene, digest(email)]),

    async look(word) {
      const { account, scene } = await read(database, word);
      return { email: account.email, scene, isSubscribed: SUBSCRIBED[scene](account) };
    },

    act: (word) =>
      database.transaction(async (tx) => {
        const { account, scene } = await read(tx, word);
        await accounts.change(tx, account.id, NO_MORE[scene]);
      }),
  };
}
