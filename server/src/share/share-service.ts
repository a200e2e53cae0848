import { randomInt } from 'node:crypto';
import { ApiFailure, LIMITS } from '@bowerbird/contract';
import type { Database, Tx } from '../foundation/database/index.ts';
import type { Clock, Ids, Keys } from '../foundation/index.ts';
import type { NodeRow, Nodes, Recents } from '../drive/index.ts';
import type { CountLimits } from '../membership/index.ts';
import { PASSCODE_PURPOSE } from './share-entry-service.ts';
import type { OwnShareFilter, ShareStore } from './share-store.ts';
import {
  drawPasscode,
  parseExpiration,
  parsePasscode,
  parseRestoreLimit,
  parseTitle,
  titleFromName,
  type Mark,
  type ShareRow,
} from './share.ts';

type Loose = number | string | undefined;

export interface NewShare {
  readonly account: string;
  readonly fileIds: readonly string[];
  readonly shareTo?: string | undefined;
  readonly expirationDays?: Loose;
  readonly passcodeOption?: 'REQUIRED' | 'NOT_REQUIRED' | undefined;
  readonly passcode?: string | undefined;
  readonly restoreLimit?: Loose;
  readonly title?: string | undefined;
}

export type ShareEdit = Pick<
  NewShare,
  'expirationDays' | 'passcodeOption' | 'passcode' | 'restoreLimit' | 'title'
> & { readonly paused?: boolean | undefined };

/** Operations of owners on their shares. */
export interface Shares {
  create(share: NewShare): Promise<ShareRow>;
  /**
   * Changes the given fields, never the address. Throws `share_not_found` for other members' or canceled
   * shares.
   */
  edit(account: string, id: string, edit: ShareEdit): Promise<ShareRow>;
  /** Lists shares, newest first, each with its first live root: undefined if none is left. */
  list(account: string, filter: OwnShareFilter): Promise<{ share: ShareRow; root: NodeRow | undefined }[]>;
  firstRoot(share: ShareRow): Promise<NodeRow | undefined>;
  /** Cancels shares; skips unknown, foreign and cancelled ones. Returns the number cancelled. */
  cancel(account: string, ids: readonly string[]): Promise<number>;
  /** Deletes all shares of the account. Returns the number of shares removed. */
  eraseAccount(account: string, signal: AbortSignal): Promise<number>;
  /**
   * Sets the verdict of moderation; `covered` keeps sensitive content viewable behind a cover. Returns false for
   * unknown shares.
   */
  mark(id: string, mark: Mark, covered?: boolean): Promise<boolean>;
}

interface Parts {
  database: Database;
  store: ShareStore;
  nodes: Nodes;
  recents: Pick<Recents, 'noted'>;
  keys: Keys;
  ids: Ids;
  clock: Clock;
  countLimits: CountLimits;
}

/** Roots read together when searching the first live one. */
const ROOTS_AT_ONCE = 50;
const ERASED_AT_ONCE = 100;

export function createShares(parts: Parts): Shares {
  const { database, store, nodes, recents, keys, ids, clock, countLimits } = parts;
  const encrypted = (passcode: string): string => keys.encrypt(PASSCODE_PURPOSE, passcode);
  /** Passcode that a request sets; undefined for none. */
  function wanted(
    { passcodeOption, passcode }: Pick<NewShare, 'passcodeOption' | 'passcode'>,
    present: string | undefined,
  ): string | undefined {
    if (passcodeOption === 'NOT_REQUIRED') return undefined;
    if (passcode) return parsePasscode(passcode);
    return passcodeOption === 'REQUIRED' ? (present ?? drawPasscode(randomInt)) : present;
  }

  function passcodeColumns(
    share: ShareRow,
    edit: ShareEdit,
  ): { passcode?: string | null; passcode_version?: number } {
    if (edit.passcodeOption === undefined && !edit.passcode) return {};
    const present = share.passcode === undefined ? undefined : keys.decrypt(PASSCODE_PURPOSE, share.passcode);
    const passcode = wanted(edit, present);
    if (passcode === present && (passcode === undefined) === (share.passcode === undefined)) return {};
    return {
      passcode: passcode === undefined ? null : encrypted(passcode),
      passcode_version: share.passcodeVersion + 1,
    };
  }

  /** Throws `share_limit` if the account has as many shares as its plan allows. */
  const checkRoom = (tx: Tx, account: string): Promise<void> =>
    countLimits.check(tx, account, 'shares', () => store.countActive(tx, account, clock.now()));

  async function firstRoot(share: ShareRow): Promise<NodeRow | undefined> {
    const roots = await store.roots(database, share.id);
    for (let at = 0; at < roots.length; at += ROOTS_AT_ONCE) {
      const [live] = await nodes.findMany(database, share.account, roots.slice(at, at + ROOTS_AT_ONCE));
      if (live) return live;
    }
    return undefined;
  }

  return {
    firstRoot,

    async create({ account, fileIds, shareTo, title, ...wishes }) {
      const now = clock.now();
      const roots = [...new Set(fileIds)];
      if (roots.length === 0) throw new ApiFailure('share_empty');
      if (roots.length > LIMITS.shareRoots) throw new ApiFailure('invalid_argument', { field: 'file_ids' });
      const { expirationDays, expiresAt } = parseExpiration(wishes.expirationDays, now);
      const restoreLimit = parseRestoreLimit(wishes.restoreLimit);
      const passcodeOption = wishes.passcodeOption ?? (shareTo === 'encryptedlink' ? 'REQUIRED' : undefined);
      const passcode = wanted({ ...wishes, passcodeOption }, undefined);
      const ownTitle = parseTitle(title ?? '');
      // Reveals neither its creation time nor the next id.
      const id = ids.secret();
      return database.transaction(async (tx) => {
        const found = await nodes.findMany(tx, account, roots);
        if (found.length < roots.length) throw new ApiFailure('file_not_found');
        await checkRoom(tx, account);
        await store.insert(
          tx,
          {
            id,
            account,
            title: ownTitle || titleFromName(found[0]!.name),
            passcode: passcode === undefined ? null : encrypted(passcode),
            passcode_version: 0,
            expires_at: expiresAt ?? null,
            expiration_days: expirationDays,
            restore_limit: restoreLimit,
            restore_count: 0,
            restore_reserved: 0,
            view_count: 0,
            download_count: 0,
            root_count: found.length,
            root_size: found.reduce((size, node) => size + node.size, 0),
            mark: 'none',
            mark_covered: 0,
            paused_at: null,
            cancelled_at: null,
            share_to: shareTo ?? (passcode === undefined ? 'publiclink' : 'encryptedlink'),
            created_at: now,
            updated_at: now,
          },
          roots,
        );
        await recents.noted(tx, account, 'shared', roots);
        return (await store.find(tx, id))!;
      });
    },

    async edit(account, id, edit) {
      const now = clock.now();
      return database.transaction(async (tx) => {
        // Serializes edits, so that two passcodes never get the same version.
        await tx.lock(`share:${id}`);
        const share = await store.find(tx, id);
        if (!share || share.account !== account || share.cancelled) throw new ApiFailure('share_not_found');
        const title = edit.title === undefined ? undefined : parseTitle(edit.title);
        const expiration =
          edit.expirationDays === undefined ? {} : expirationColumns(edit.expirationDays, now);
        if ('expires_at' in expiration && (share.expiresAt ?? Infinity) <= now) await checkRoom(tx, account);
        await store.update(tx, account, id, {
          updated_at: now,
          ...passcodeColumns(share, edit),
          ...expiration,
          ...(edit.restoreLimit === undefined ? {} : { restore_limit: parseRestoreLimit(edit.restoreLimit) }),
          ...(title ? { title } : {}),
          ...(edit.paused === undefined ? {} : { paused_at: edit.paused ? now : null }),
        });
        return (await store.find(tx, id))!;
      });
    },

    async list(account, filter) {
      const shares = await store.list(database, account, filter);
      return Promise.all(shares.map(async (share) => ({ share, root: await firstRoot(share) })));
    },

    async cancel(account, shareIds) {
      if (shareIds.length > LIMITS.batch) throw new ApiFailure('operating_file_count_exceeded');
      return database.transaction((tx) => store.cancel(tx, account, shareIds, clock.now()));
    },

    async eraseAccount(account, signal) {
      for (let removed = 0; ;) {
        signal.throwIfAborted();
        const some = await database.transaction((tx) => store.forgetSome(tx, account, ERASED_AT_ONCE));
        if (some === 0) return removed;
        removed += some;
      }
    },

    mark: (id, mark, covered = false) =>
      database.transaction((tx) => store.mark(tx, id, mark, covered, clock.now())),
  };
}

function expirationColumns(days: Loose, now: number): { expiration_days: number; expires_at: number | null } {
  const { expirationDays, expiresAt } = parseExpiration(days, now);
  return { expiration_days: expirationDays, expires_at: expiresAt ?? null };
}
