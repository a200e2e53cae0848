import type { Readable } from 'node:stream';
import { ApiFailure } from '@bowerbird/contract';
import type { Database } from '../../foundation/database/index.ts';
import type { Guard } from '../../shield/index.ts';
import type { AccountStore } from '../account-store.ts';
import type { AccountRow } from '../account.ts';

interface ShownPicture {
  readonly stream: Readable;
  readonly length: number;
}

/** Stores pictures, each re-encoded: never the bytes that were sent. */
export interface AvatarStore {
  /** Returns the name of the picture, or undefined if the bytes are not a picture. */
  make(sent: Buffer): Promise<string | undefined>;
  open(name: string): Promise<ShownPicture | undefined>;
  remove(name: string): Promise<void>;
  sweep(isKept: (name: string) => Promise<boolean>): Promise<void>;
}

/** Pictures of members, shown beside their names. */
export interface MemberPictures {
  set(account: string, sent: Buffer, address: string): Promise<AccountRow>;
  remove(account: string): Promise<AccountRow>;
  /** Opens the picture with this name; `not_found` if no account uses it any more. */
  open(name: string): Promise<ShownPicture>;
  /** Deletes pictures left behind by crashes and by closed accounts. */
  sweep(): Promise<void>;
}

const NAME = /^[0-9a-z]{27}$/;

export const PICTURE_PATH = '/avatar/';

interface Parts {
  database: Database;
  accounts: AccountStore;
  /** Undefined if this installation cannot decode pictures. */
  avatars: AvatarStore | undefined;
  guard: Guard;
}

export function createMemberPictures({ database, accounts, avatars, guard }: Parts): MemberPictures {
  const isShown = (name: string): Promise<boolean> => accounts.hasPicture(database, PICTURE_PATH + name);

  /** Sets the picture of an account, and deletes the bytes of the previous one. */
  async function replace(id: string, picture: string): Promise<AccountRow> {
    const [before, after] = await database.transaction(async (tx) => {
      await tx.lock(`account:${id}`);
      const account = await accounts.find(tx, id);
      if (!account) throw new ApiFailure('unauthenticated');
      await accounts.setPicture(tx, id, picture);
      return [account.picture, { ...account, picture }] as const;
    });
    if (before !== '' && before !== picture) await avatars?.remove(before.slice(PICTURE_PATH.length));
    return after;
  }

  return {
    async set(id, sent, address) {
      if (!avatars) throw new ApiFailure('unsupported');
      await guard.attempt(id, address);
      const name = await avatars.make(sent);
      if (name === undefined) throw new ApiFailure('invalid_argument', { field: 'picture' });
      return replace(id, PICTURE_PATH + name);
    },

    remove: (id) => replace(id, ''),

    async open(name) {
      const picture = NAME.test(name) && (await isShown(name)) ? await avatars?.open(name) : undefined;
      if (!picture) throw new ApiFailure('not_found');
      return picture;
    },

    sweep: async () => avatars?.sweep(isShown),
  };
}
