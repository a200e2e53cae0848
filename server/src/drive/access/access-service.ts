import { ApiFailure, type ErrorId } from '@bowerbird/contract';
import type { Database, Sql, Tx } from '../../foundation/database/index.ts';
import { createLineage, type Lineage } from '../lineage.ts';
import type { NodeRow } from '../drive.ts';
import type { GrantStore } from './grant-store.ts';
import { ownAccess, type Access, type GrantRow, type Need } from './access.ts';

/**
 * Decides whether a member may do something with nodes. All calls that accept nodes of others ask here; all others act
 * on the caller's own account, where nodes of others don't exist.
 */
export interface Accesses {
  /**
   * Returns the access to all of the nodes, which must be live and belong to one account: the caller's own, or one
   * that gave the caller access to each of them. Own nodes aren't looked up, so unknown ones count as own. Throws
   * `file_not_found`, or `access_view_only` if the caller may see the nodes but not change them.
   */
  of(sql: Sql, member: string, ids: readonly (string | undefined)[], need: Need): Promise<Access>;
  /**
   * Runs a change. In a tree of another member, it runs in one transaction that holds the lock of that tree, and the
   * access is checked under the lock: it can't end meanwhile.
   */
  change<R>(
    member: string,
    ids: readonly (string | undefined)[],
    work: (access: Access) => Promise<R>,
  ): Promise<R>;
  /** Same as {@link Accesses.of}, without an exception: undefined if there is none. */
  find(sql: Sql, member: string, ids: readonly string[], need: Need): Promise<Access | undefined>;
}

interface Parts {
  database: Database;
  store: GrantStore;
  nodes: {
    lineage(sql: Sql, ids: readonly string[]): Promise<NodeRow[]>;
    lock(tx: Tx, account: string): Promise<void>;
  };
  refusal: (account: string) => Promise<ErrorId | undefined>;
}

/** The nearest grants above a node count as one: the better role applies. */
function grantsTo(lineage: Lineage, owner: string, id: string, byNode: ReadonlyMap<string, GrantRow>) {
  if (lineage.standing(owner, id)?.trashed !== false) return [];
  return lineage.chain(id).flatMap((node) => byNode.get(node.id) ?? []);
}

export function createAccesses({ database, store, nodes, refusal }: Parts): Accesses {
  async function ofOther(
    sql: Sql,
    member: string,
    owner: string,
    ids: readonly string[],
    need: Need,
  ): Promise<Access> {
    const grants = await store.accepted(sql, member, owner);
    if (grants.length === 0 || (await refusal(owner))) throw new ApiFailure('file_not_found');
    const byNode = new Map(grants.map((grant) => [grant.node, grant]));
    const lineage = createLineage(await nodes.lineage(sql, ids));
    const used = new Set<GrantRow>();
    let isEditor = true;
    for (const id of ids) {
      const found = grantsTo(lineage, owner, id, byNode);
      if (found.length === 0) throw new ApiFailure('file_not_found');
      isEditor &&= found.some(({ role }) => role === 'editor');
      for (const grant of found) used.add(grant);
    }
    if (need === 'edit' && !isEditor) throw new ApiFailure('access_view_only');
    const outermost = grantsTo(lineage, owner, ids[0]!, byNode)[0]!;
    return {
      account: owner,
      member,
      role: isEditor ? 'editor' : 'viewer',
      rootId: lineage.chain(outermost.node).at(-1)!.parent,
      roots: new Set(Array.from(used, ({ node }) => node)),
      tag: Array.from(used, ({ id, updated_at: at }) => `${id}.${at}`).join(' '),
    };
  }

  const accesses: Accesses = {
    async of(sql, member, asked, need) {
      const ids = asked.filter((id): id is string => id !== undefined && id !== '' && id !== member);
      if (ids.length === 0) return ownAccess(member);
      const [owner, another] = await store.ownersOfOthers(sql, member, ids);
      if (owner === undefined) return ownAccess(member);
      if (another !== undefined || ids.length < asked.length) throw new ApiFailure('file_not_found');
      return ofOther(sql, member, owner, ids, need);
    },

    async change(member, ids, work) {
      const { account } = await accesses.of(database, member, ids, 'edit');
      if (account === member) return work(ownAccess(member));
      return database.transaction(async (tx: Tx) => {
        await nodes.lock(tx, account);
        const access = await accesses.of(tx, member, ids, 'edit');
        if (access.account !== account) throw new ApiFailure('file_not_found');
        return tx.join(() => work(access));
      });
    },

    async find(sql, member, ids, need) {
      try {
        return await accesses.of(sql, member, ids, need);
      } catch (error) {
        if (error instanceof ApiFailure) return undefined;
        throw error;
      }
    },
  };
  return accesses;
}
