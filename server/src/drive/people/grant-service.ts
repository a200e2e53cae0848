import { ApiFailure, type AccessRole } from '@bowerbird/contract';
import { isUsable, type AccountRow, type Accounts, type Notices } from '../../account/index.ts';
import type { Database, KeysetPosition, Sql, Tx } from '../../foundation/database/index.ts';
import type { Clock, Ids } from '../../foundation/index.ts';
import type { Guard } from '../../shield/index.ts';
import type { GrantRow, GrantStore } from '../access/index.ts';
import type { NodeRow } from '../drive.ts';
import type { Nodes } from '../node/index.ts';
import { MOST_GRANTS, MOST_PENDING, MOST_PEOPLE } from './people-limits.ts';

/** A grant with what pages show of it. */
export interface ShownGrant {
  readonly grant: GrantRow;
  readonly node: NodeRow;
  readonly person: AccountRow;
}

/** Something of another member that a member was invited to. */
export interface Received {
  readonly grant: GrantRow;
  readonly node: NodeRow;
  readonly isTrashed: boolean;
  readonly owner: AccountRow;
}

/** Invitations and what becomes of them. Every change holds the lock of the owner's tree. */
export interface Grants {
  /** Invites the member with this address, or changes their role. Throws `person_not_found`, `person_is_owner`. */
  invite(
    owner: string,
    node: string,
    invited: { to: string; role: AccessRole; address: string },
  ): Promise<ShownGrant>;
  changeRole(owner: string, id: string, role: AccessRole): Promise<ShownGrant>;
  /** Ends a grant, for its owner or for the member. */
  end(member: string, id: string): Promise<void>;
  accept(member: string, id: string): Promise<Received>;
  mute(member: string, id: string, isMuted: boolean): Promise<Received>;
  /** Lists the grants to nodes, those of usable accounts, the oldest first. */
  ofNodes(sql: Sql, nodes: readonly NodeRow[]): Promise<ShownGrant[]>;
  received(
    member: string,
    page: { isPending: boolean; place: KeysetPosition | undefined; limit: number },
  ): Promise<{ items: Received[]; next: KeysetPosition | undefined }>;
  /** Lists what an account gave and was given, in the order of ids, with the names of the items. */
  given(
    account: string,
    page: { after: string; limit: number },
  ): Promise<(GrantRow & { readonly name: string })[]>;
  /** Lists the changes by others in an account's tree, in the order of ids. */
  acts(account: string, page: { after: string; limit: number }): ReturnType<GrantStore['acts']>;
  /** Returns the members who are told of changes to an owner's files. */
  audience(owner: string): Promise<string[]>;
  /** Deletes the grants to nodes that were deleted permanently. */
  forget(signal: AbortSignal): Promise<void>;
}

interface Parts {
  database: Database;
  store: GrantStore;
  nodes: Pick<Nodes, 'find' | 'findAnywhere' | 'lock'>;
  accounts: Pick<Accounts, 'find' | 'named'>;
  notices: Pick<Notices, 'tell'>;
  guard: Guard;
  siteUrl: string | undefined;
  clock: Clock;
  ids: Ids;
}

export function createGrants(parts: Parts): Grants {
  const { database, store, nodes, accounts, notices, guard, clock, ids } = parts;

  async function memberNamed(owner: string, to: string, address: string): Promise<AccountRow> {
    await guard.attempt(owner, address);
    const member = await accounts.named(database, to);
    if (!isUsable(member)) throw new ApiFailure('person_not_found');
    if (member.id === owner) throw new ApiFailure('person_is_owner');
    return member;
  }

  async function checkLimits(tx: Tx, owner: string, node: string, member: string): Promise<void> {
    const waiting = await store.page(tx, member, true, { place: undefined, limit: MOST_GRANTS });
    if (
      (await store.ofNodes(tx, [node])).length >= MOST_PEOPLE ||
      (await store.countOf(tx, owner)) >= MOST_GRANTS ||
      waiting.filter((grant) => grant.owner === owner).length >= MOST_PENDING
    )
      throw new ApiFailure('resource_exhausted');
  }

  async function tellInvited(tx: Tx, owner: string, member: AccountRow, name: string): Promise<void> {
    const from = await accounts.find(tx, owner);
    const link = parts.siteUrl === undefined ? '' : `${parts.siteUrl}/drive/shared`;
    await notices.tell(tx, member, 'sharedWithYou', { who: from?.name ?? '', item: name, link });
  }

  /** Runs a change of a grant under the lock of its owner's tree. */
  async function change<R>(id: string, work: (tx: Tx, grant: GrantRow) => Promise<R>): Promise<R> {
    const known = await store.find(database, id);
    if (!known) throw new ApiFailure('access_not_found');
    return database.transaction(async (tx) => {
      await nodes.lock(tx, known.owner);
      const grant = await store.find(tx, id);
      if (!grant) throw new ApiFailure('access_not_found');
      return work(tx, grant);
    });
  }

  async function shown(sql: Sql, grant: GrantRow): Promise<ShownGrant> {
    const node = await nodes.find(sql, grant.owner, grant.node);
    const person = await accounts.find(sql, grant.account);
    if (!node || !person) throw new ApiFailure('access_not_found');
    return { grant, node, person };
  }

  /** Returns undefined if the item is deleted, or its owner's account can't be used. */
  async function seen(sql: Sql, grant: GrantRow): Promise<Received | undefined> {
    const found = await nodes.findAnywhere(sql, grant.owner, grant.node);
    const owner = await accounts.find(sql, grant.owner);
    if (!found || !isUsable(owner)) return undefined;
    return { grant, node: found.node, isTrashed: found.trashed, owner };
  }

  /** Changes a member's own grant. */
  const own = (
    member: string,
    id: string,
    changes: (grant: GrantRow, now: number) => Parameters<GrantStore['update']>[2],
  ): Promise<Received> =>
    change(id, async (tx, grant) => {
      if (grant.account !== member || !(await seen(tx, grant))) throw new ApiFailure('access_not_found');
      await store.update(tx, grant, changes(grant, clock.now()));
      return (await seen(tx, (await store.find(tx, id))!))!;
    });

  return {
    async invite(owner, id, { to, role, address }) {
      if (!(await nodes.find(database, owner, id))) throw new ApiFailure('file_not_found');
      const member = await memberNamed(owner, to, address);
      return database.transaction(async (tx) => {
        await nodes.lock(tx, owner);
        const node = await nodes.find(tx, owner, id);
        if (!node) throw new ApiFailure('file_not_found');
        const known = await store.between(tx, id, member.id);
        const now = clock.now();
        if (known) {
          await store.update(tx, known, { role, updated_at: now });
          return { grant: { ...known, role, updated_at: now }, node, person: member };
        }
        await checkLimits(tx, owner, id, member.id);
        const grant: GrantRow = {
          id: ids.next(),
          node: id,
          owner,
          account: member.id,
          role,
          muted: 0,
          granted_by: owner,
          created_at: now,
          accepted_at: null,
          updated_at: now,
        };
        await store.insert(tx, grant);
        await tellInvited(tx, owner, member, node.name);
        return { grant, node, person: member };
      });
    },

    changeRole: (owner, id, role) =>
      change(id, async (tx, grant) => {
        if (grant.owner !== owner) throw new ApiFailure('access_not_found');
        const now = clock.now();
        await store.update(tx, grant, { role, updated_at: now });
        return shown(tx, { ...grant, role, updated_at: now });
      }),

    end: (member, id) =>
      change(id, async (tx, grant) => {
        if (grant.owner !== member && grant.account !== member) throw new ApiFailure('access_not_found');
        await store.remove(tx, grant);
      }),

    accept: (member, id) =>
      own(member, id, (grant, now) =>
        grant.accepted_at === null ? { accepted_at: now, updated_at: now } : { updated_at: grant.updated_at },
      ),

    mute: (member, id, isMuted) => own(member, id, () => ({ muted: isMuted ? 1 : 0 })),

    async ofNodes(sql, rows) {
      const byId = new Map(rows.map((row) => [row.id, row]));
      const given = await store.ofNodes(sql, [...byId.keys()]);
      const found: ShownGrant[] = [];
      for (const grant of given) {
        const person = await accounts.find(sql, grant.account);
        if (person && isUsable(person)) found.push({ grant, node: byId.get(grant.node)!, person });
      }
      return found;
    },

    async received(member, { isPending, place, limit }) {
      const rows = await store.page(database, member, isPending, { place, limit: limit + 1 });
      const shownRows = rows.slice(0, limit);
      const items: Received[] = [];
      for (const grant of shownRows) {
        const item = await seen(database, grant);
        if (item && !(isPending && item.isTrashed)) items.push(item);
      }
      return { items, next: rows.length > limit ? [shownRows.at(-1)!.id] : undefined };
    },

    acts: (account, page) => store.acts(database, account, page),
    audience: (owner) => store.audience(database, owner),
    given: (account, page) => store.given(database, account, page),

    async forget(signal) {
      while (await database.transaction((tx) => store.forget(tx))) signal.throwIfAborted();
    },
  };
}
