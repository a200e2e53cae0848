import { sql } from 'kysely';
import type { Database, Sql, Tx } from '../foundation/database/index.ts';
import { removeRowsOfAccount } from '../foundation/database/remove-rows.ts';
import type { DavTables } from './dav-tables.ts';
import type { DeadProperty } from './dav.ts';

const MOST_AT_ONCE = 500;

export function createPropertyStore() {
  return {
    /** Properties of nodes, by node. */
    async of(at: Sql, nodes: readonly string[]): Promise<Map<string, DeadProperty[]>> {
      const found = new Map<string, DeadProperty[]>();
      for (let from = 0; from < nodes.length; from += MOST_AT_ONCE) {
        const rows = await at
          .on<DavTables>()
          .selectFrom('dav_property')
          .select(['node', 'namespace', 'name', 'xml'])
          .where('node', 'in', nodes.slice(from, from + MOST_AT_ONCE))
          .orderBy('namespace')
          .orderBy('name')
          .execute();
        for (const { node, ...property } of rows) {
          const list = found.get(node);
          if (list) list.push(property);
          else found.set(node, [property]);
        }
      }
      return found;
    },

    async any(at: Sql, account: string): Promise<boolean> {
      const row = await at
        .on<DavTables>()
        .selectFrom('dav_property')
        .select('node')
        .where('account', '=', account)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    async count(at: Sql, account: string): Promise<number> {
      const { count } = await at
        .on<DavTables>()
        .selectFrom('dav_property')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('account', '=', account)
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    async set(tx: Tx, account: string, node: string, { namespace, name, xml }: DeadProperty): Promise<void> {
      await tx
        .on<DavTables>()
        .insertInto('dav_property')
        .values({ node, account, namespace, name, xml })
        .onConflict((conflict) => conflict.columns(['node', 'namespace', 'name']).doUpdateSet({ xml }))
        .execute();
    },

    async remove(tx: Tx, node: string, { namespace, name }: Omit<DeadProperty, 'xml'>): Promise<void> {
      await tx
        .on<DavTables>()
        .deleteFrom('dav_property')
        .where('node', '=', node)
        .where('namespace', '=', namespace)
        .where('name', '=', name)
        .execute();
    },

    async removeAll(tx: Tx, node: string): Promise<void> {
      await tx.on<DavTables>().deleteFrom('dav_property').where('node', '=', node).execute();
    },

    /** Copies the properties of the sources to their copies. */
    async copy(
      tx: Tx,
      account: string,
      pairs: readonly (readonly [from: string, to: string])[],
    ): Promise<void> {
      const copies = new Map(pairs);
      const found = await this.of(tx, [...copies.keys()]);
      const rows = [...found].flatMap(([node, properties]) =>
        properties.map((property) => ({ ...property, node: copies.get(node)!, account })),
      );
      for (let from = 0; from < rows.length; from += MOST_AT_ONCE)
        await tx
          .on<DavTables>()
          .insertInto('dav_property')
          .values(rows.slice(from, from + MOST_AT_ONCE))
          .execute();
    },

    /** Nodes with properties after a position, in order. */
    async nodesAfter(at: Sql, node: string, limit: number): Promise<string[]> {
      const rows = await at
        .on<DavTables>()
        .selectFrom('dav_property')
        .select('node')
        .distinct()
        .where('node', '>', node)
        .orderBy('node')
        .limit(limit)
        .execute();
      return rows.map((row) => row.node);
    },

    /** Deletes the properties of nodes that no longer exist; an account's root always exists. */
    async removeOrphans(tx: Tx, nodes: readonly string[]): Promise<void> {
      if (nodes.length === 0) return;
      await sql`
        delete from dav_property where node in (${sql.join([...nodes])}) and node <> account
        and not exists (select 1 from node where node.id = dav_property.node)`.execute(tx.on());
    },

    /** Deletes the account's properties, in slices. Returns the number of rows removed. */
    eraseAccount: (database: Database, account: string, signal: AbortSignal): Promise<number> =>
      removeRowsOfAccount<DavTables>(database, ['dav_property'], account, signal),
  };
}

export type PropertyStore = ReturnType<typeof createPropertyStore>;
