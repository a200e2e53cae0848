import {
  createStatements,
  type Database,
  type KeysetPosition,
  type Sql,
  type Tx,
} from '../../foundation/database/index.ts';
import { removeRows, removeRowsOfAccount } from '../../foundation/database/remove-rows.ts';
import { among } from '../among-store.ts';
import { removeForgotten } from '../forgotten-rows-store.ts';
import type { DriveTables } from '../drive-tables.ts';
import type { GrantRow } from './access.ts';

const grants = (at: Sql) => at.on<DriveTables>().selectFrom('access_grant').selectAll();

/** Pages of both members show grants. */
const tell = (tx: Tx, { owner, account }: Pick<GrantRow, 'owner' | 'account'>): void => {
  tx.changed(owner, 'shares');
  tx.changed(account, 'shares');
  tx.changed(account, 'files');
};

export function createGrantStore() {
  const statements = createStatements();
  return {
    /** Returns the accounts of nodes that don't belong to an account; at most two, since more than one is too many. */
    async ownersOfOthers(at: Sql, account: string, ids: readonly string[]): Promise<string[]> {
      if (ids.length === 1) {
        const [row] = await statements.rows(at, 'owner', { id: ids[0]! }, (value) =>
          at.on<DriveTables>().selectFrom('node').select('account').where('id', '=', value.id),
        );
        return row && row.account !== account ? [row.account] : [];
      }
      const rows = await at
        .on<DriveTables>()
        .selectFrom('node')
        .select('account')
        .distinct()
        .where(among(at, 'id', ids))
        .where('account', '!=', account)
        .limit(2)
        .execute();
      return rows.map(({ account: owner }) => owner);
    },

    /** Returns the accepted grants of a member to nodes of an owner. */
    async accepted(at: Sql, account: string, owner: string): Promise<GrantRow[]> {
      return grants(at)
        .where('owner', '=', owner)
        .where('account', '=', account)
        .where('accepted_at', 'is not', null)
        .execute();
    },

    async find(at: Sql, id: string): Promise<GrantRow | undefined> {
      return grants(at).where('id', '=', id).executeTakeFirst();
    },

    async between(at: Sql, node: string, account: string): Promise<GrantRow | undefined> {
      return grants(at).where('node', '=', node).where('account', '=', account).executeTakeFirst();
    },

    /** Lists the grants to nodes, the oldest first. */
    async ofNodes(at: Sql, nodes: readonly string[]): Promise<GrantRow[]> {
      if (nodes.length === 0) return [];
      return grants(at)
        .where(among(at, 'node', nodes))
        .orderBy('id')
        .execute();
    },

    /** Counts the grants that an owner has given. */
    async countOf(at: Sql, owner: string): Promise<number> {
      const { count } = await at
        .on<DriveTables>()
        .selectFrom('access_grant')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('owner', '=', owner)
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    /** Returns the members who have accepted something of an owner, apart from those who muted it. */
    async audience(at: Sql, owner: string): Promise<string[]> {
      const rows = await at
        .on<DriveTables>()
        .selectFrom('access_grant')
        .select('account')
        .distinct()
        .where('owner', '=', owner)
        .where('accepted_at', 'is not', null)
        .where('muted', '=', 0)
        .execute();
      return rows.map(({ account }) => account);
    },

    /** Lists the grants of a member, pending or accepted, the newest first, after a position. */
    async page(
      at: Sql,
      account: string,
      isPending: boolean,
      { place, limit }: { place: KeysetPosition | undefined; limit: number },
    ): Promise<GrantRow[]> {
      return grants(at)
        .where('account', '=', account)
        .where('accepted_at', isPending ? 'is' : 'is not', null)
        .$if(place !== undefined, (rows) => rows.where('id', '<', String(place![0])))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
    },

    /** Lists what an account gave and was given, in the order of ids, with the names of the items. */
    async given(
      at: Sql,
      account: string,
      { after, limit }: { after: string; limit: number },
    ): Promise<(GrantRow & { name: string })[]> {
      return at
        .on<DriveTables>()
        .selectFrom('access_grant')
        .innerJoin('node', 'node.id', 'access_grant.node')
        .selectAll('access_grant')
        .select('node.name')
        .where(({ or, eb }) =>
          or([eb('access_grant.owner', '=', account), eb('access_grant.account', '=', account)]),
        )
        .where('access_grant.id', '>', after)
        .orderBy('access_grant.id')
        .limit(limit)
        .execute();
    },

    /** Lists the changes by others in an account's tree, in the order of ids. */
    async acts(
      at: Sql,
      account: string,
      { after, limit }: { after: string; limit: number },
    ): Promise<DriveTables['act'][]> {
      return at
        .on<DriveTables>()
        .selectFrom('act')
        .selectAll()
        .where('account', '=', account)
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute();
    },

    async insert(tx: Tx, row: GrantRow): Promise<void> {
      tell(tx, row);
      await tx.on<DriveTables>().insertInto('access_grant').values(row).execute();
    },

    async update(
      tx: Tx,
      grant: GrantRow,
      change: Partial<Pick<GrantRow, 'role' | 'muted' | 'accepted_at' | 'updated_at'>>,
    ): Promise<void> {
      tell(tx, grant);
      await tx.on<DriveTables>().updateTable('access_grant').set(change).where('id', '=', grant.id).execute();
    },

    async remove(tx: Tx, grant: GrantRow): Promise<void> {
      tell(tx, grant);
      await tx.on<DriveTables>().deleteFrom('access_grant').where('id', '=', grant.id).execute();
    },

    /** Deletes some grants to nodes that were deleted permanently; returns true if more may be left. */
    forget: (tx: Tx): Promise<boolean> => removeForgotten(tx, 'access_grant'),

    /** Deletes what an account was given and what it gave, in slices. Returns the number of rows removed. */
    async eraseAccount(database: Database, account: string, signal: AbortSignal): Promise<number> {
      const received = await removeRowsOfAccount<DriveTables>(
        database,
        ['access_grant', 'act'],
        account,
        signal,
      );
      const given = await removeRows<DriveTables, 'access_grant'>(
        database,
        'access_grant',
        { owner: account },
        signal,
      );
      const acts = await removeRows<DriveTables, 'act'>(database, 'act', { actor: account }, signal);
      return received + given + acts;
    },
  };
}

export type GrantStore = ReturnType<typeof createGrantStore>;
