import { randomUUID } from 'node:crypto';
import { ApiFailure } from '@bowerbird/contract';
import type { Nodes } from '../drive/index.ts';
import type { Sql, Tx } from '../foundation/database/index.ts';
import type { Clock } from '../foundation/index.ts';
import type { LockStore } from './dav-lock-store.ts';
import { DavRefusal } from './dav-refusal.ts';
import { idsOf, namesOf, type LockRow, type Resource } from './dav.ts';

/** Locks of an account at one moment. */
export interface HeldLocks {
  readonly all: readonly LockRow[];
  /** Locks that cover a resource: its own, and the deep locks above it. */
  on(resource: Resource): LockRow[];
  /** Locks below a resource. */
  within(sql: Sql, resource: Resource): Promise<LockRow[]>;
}

export interface LockWish {
  readonly exclusive: boolean;
  readonly deep: boolean;
  readonly owner: string;
  readonly seconds: number;
}

export interface Locks {
  of(sql: Sql, account: string): Promise<HeldLocks>;
  /** Throws 423 if a resource is locked and none of its locks' tokens was submitted. */
  demand(held: HeldLocks, tokens: ReadonlySet<string>, resource: Resource): void;
  /** Same as {@link Locks.demand}, for everything below. */
  demandWithin(sql: Sql, held: HeldLocks, tokens: ReadonlySet<string>, resource: Resource): Promise<void>;
  /** Throws 423 if another lock conflicts. Requires the tree lock. */
  take(tx: Tx, resource: Resource, wish: LockWish): Promise<LockRow>;
  /** Extends a lock that covers the resource; undefined if none of the tokens does. */
  refresh(
    tx: Tx,
    resource: Resource,
    tokens: ReadonlySet<string>,
    seconds: number,
  ): Promise<LockRow | undefined>;
  /** Returns false if no lock with this token covers the resource. */
  release(tx: Tx, resource: Resource, token: string): Promise<boolean>;
  /** Removes the locks on and below a resource that is deleted or moved. */
  forget(tx: Tx, held: HeldLocks, resource: Resource): Promise<void>;
  forgetOver(tx: Tx): Promise<void>;
}

/** Maximum number of locks per account, since every request checks all of them. */
const MOST_LOCKS = 1000;

export function createLocks({
  store,
  nodes,
  clock,
}: {
  store: LockStore;
  nodes: Nodes;
  clock: Clock;
}): Locks {
  const on = (all: readonly LockRow[], resource: Resource): LockRow[] => {
    if (all.length === 0) return [];
    const above = new Set(idsOf(resource));
    return all.filter(({ node, deep }) => node === resource.id || (deep && above.has(node)));
  };

  async function within(sql: Sql, all: readonly LockRow[], { account, id }: Resource): Promise<LockRow[]> {
    const others = all.filter(({ node }) => node !== id && node !== account);
    if (id === account || others.length === 0) return others;
    const beneath = new Set<string>();
    for (const node of new Set(others.map((lock) => lock.node))) {
      const chain = await nodes.withinRoots(sql, node, new Set([id]));
      if (chain) beneath.add(node);
    }
    return others.filter(({ node }) => beneath.has(node));
  }

  const heldOf = (all: readonly LockRow[]): HeldLocks => ({
    all,
    on: (resource) => on(all, resource),
    within: (sql, resource) => within(sql, all, resource),
  });

  const stands = (mine: Pick<LockWish, 'exclusive'>) => (other: LockRow) => mine.exclusive || other.exclusive;

  async function pathOf(sql: Sql, { account, node }: LockRow): Promise<string[]> {
    return ((await nodes.chain(sql, account, node)) ?? []).map(({ name }) => name);
  }

  const locks: Locks = {
    async of(sql, account) {
      return heldOf(await store.live(sql, account, clock.now()));
    },

    demand(held, tokens, resource) {
      const holding = held.on(resource);
      if (holding.length === 0 || holding.some(({ token }) => tokens.has(token))) return;
      throw new DavRefusal(423, 'It is locked.', 'lock-token-submitted', [namesOf(resource)]);
    },

    async demandWithin(sql, held, tokens, resource) {
      const beneath = await held.within(sql, resource);
      for (const group of Map.groupBy(beneath, ({ node }) => node).values()) {
        if (group.some(({ token }) => tokens.has(token))) continue;
        throw new DavRefusal(423, 'Something in it is locked.', 'lock-token-submitted', [
          await pathOf(sql, group[0]!),
        ]);
      }
    },

    async take(tx, resource, wish) {
      const now = clock.now();
      const all = await store.live(tx, resource.account, now);
      if (all.length >= MOST_LOCKS) throw new ApiFailure('operating_file_count_exceeded');
      const against =
        on(all, resource).find(stands(wish)) ??
        (wish.deep ? (await within(tx, all, resource)).find(stands(wish)) : undefined);
      if (against)
        throw new DavRefusal(423, 'Another client holds a lock.', 'no-conflicting-lock', [
          await pathOf(tx, against),
        ]);
      const lock: LockRow = {
        ...wish,
        token: `urn:uuid:${randomUUID()}`,
        account: resource.account,
        node: resource.id,
        expiresAt: now + wish.seconds * 1000,
      };
      await store.insert(tx, lock);
      return lock;
    },

    async refresh(tx, resource, tokens, seconds) {
      const now = clock.now();
      const all = await store.live(tx, resource.account, now);
      const lock = on(all, resource).find(({ token }) => tokens.has(token));
      if (!lock) return undefined;
      const expiresAt = now + seconds * 1000;
      await store.extend(tx, lock.token, seconds, expiresAt);
      return { ...lock, seconds, expiresAt };
    },

    async release(tx, resource, token) {
      const all = await store.live(tx, resource.account, clock.now());
      if (!on(all, resource).some((lock) => lock.token === token)) return false;
      await store.remove(tx, [token]);
      return true;
    },

    async forget(tx, held, resource) {
      const own = held.on(resource).filter(({ node }) => node === resource.id);
      const beneath = await held.within(tx, resource);
      await store.remove(
        tx,
        [...own, ...beneath].map(({ token }) => token),
      );
    },

    forgetOver: (tx) => store.removeOver(tx, clock.now()),
  };
  return locks;
}
