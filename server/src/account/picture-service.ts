import type { Readable } from 'node:stream';
import { ApiFailure } from '@bowerbird/contract';
import type { Database } from '../foundation/database/index.ts';
import type { Guard } from '../shield/index.ts';
import type { AccountStore } from './account-store.ts';
import type { AccountRow } from './account.ts';

interface ShownPicture {
  readonly stream: Readable;
  readonly length: number;
}

/** Where pictures lie: never what was sent, but what was made anew of it. */
export interface PictureShelf {
  /** Gives the picture's name; undefined where the bytes are no picture. */
  make(sent: Buffer): Promise<string | undefined>;
  open(name: string): Promise<ShownPicture | undefined>;
  remove(name: string): Promise<void>;
  sweep(isKept: (name: string) => Promise<boolean>): Promise<void>;
}

/** Pictures of members, beside their names. */
export interface MemberPictures {
  set(account: string, sent: Buffer, address: string): Promise<AccountRow>;
  remove(account: string): Promise<AccountRow>;
  /** The picture under this address of ours; `not_found` where it is nobody's any more. */
  open(name: string): Promise<ShownPicture>;
  /** Removes what a crash or a closed account left over. */
  sweep(): Promise<void>;
}

const NAME = /^[0-9a-z]{27}$/;

export const PICTURE_PATH = '/avatar/';

interface Parts {
  database: Database;
  accounts: AccountStore;
  /** Undefined where nothing here decodes pictures. */
  shelf: PictureShelf | undefined;
  guard: Guard;
}

export function createMemberPictures({ database, accounts, shelf, guard }: Parts): MemberPictures {
  const isShown = (name: string): Promise<boolean> => accounts.hasPicture(database, PICTURE_PATH + name);

  /** Puts `picture` in the place of the one before, whose bytes go. */
  async function replace(id: string, picture: string): Promise<AccountRow> {
    const [before, after] = await database.transaction(async (tx) => {
      await tx.lock(`account:${id}`);
      const account = await accounts.find(tx, id);
      if (!account) throw new ApiFailure('unauthenticated');
      await accounts.setPicture(tx, id, picture);
      return [account.picture, { ...account, picture }] as const;
    });
    if (before !== '' && before !== picture) await shelf?.remove(before.slice(PICTURE_PATH.length));
    return after;
  }

  return {
    async set(id, sent, address) {
      if (!shelf) throw new ApiFailure('unsupported');
      await guard.attempt(id, address);
      const name = await shelf.make(sent);
      if (name === undefined) throw new ApiFailure('invalid_argument', { field: 'picture' });
      return replace(id, PICTURE_PATH + name);
    },

    remove: (id) => replace(id, ''),

    async open(name) {
      const picture = NAME.test(name) && (await isShown(name)) ? await shelf?.open(name) : undefined;
      if (!picture) throw new ApiFailure('not_found');
      return picture;
    },

    sweep: async () => shelf?.sweep(isShown),
  };
}
