import type { Color } from '@bowerbird/contract';
import { sql } from 'kysely';
import type { Sql, Tx } from '../../foundation/database/index.ts';
import { among } from '../among-store.ts';
import type { DriveTables } from '../drive-tables.ts';
import type { NamedNode } from '../name-index/index.ts';
import type { Pair, TagRow } from './annotation.ts';

const SHOWN = ['id', 'name', 'color'] as const;

/** Pairs as rows of one parameter. */
const pairList = (at: Sql, pairs: readonly Pair[]) => {
  const list = JSON.stringify(pairs.map(({ tag, node }) => [tag, node]));
  return at.dialect === 'postgres'
    ? sql`json_array_elements(${list}::json) as given (value)`
    : sql`json_each(${list}) as given`;
};

export function createTagStore() {
  const tags = (at: Sql, account: string) =>
    at.on<DriveTables>().selectFrom('tag').select(SHOWN).where('account', '=', account);

  return {
    async list(at: Sql, account: string): Promise<TagRow[]> {
      return tags(at, account).orderBy('name_fold').execute();
    },

    async count(at: Sql, account: string): Promise<number> {
      const row = await at
        .on<DriveTables>()
        .selectFrom('tag')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('account', '=', account)
        .executeTakeFirst();
      return Number(row?.count ?? 0);
    },

    async byIds(at: Sql, account: string, ids: readonly string[]): Promise<TagRow[]> {
      return tags(at, account)
        .where(among(at, 'id', ids))
        .execute();
    },

    /** Returns tags by their names as they are searched. */
    async named(at: Sql, account: string, folds: readonly string[]): Promise<TagRow[]> {
      return tags(at, account)
        .where(among(at, 'name_fold', folds))
        .execute();
    },

    async insert(tx: Tx, tag: DriveTables['tag']): Promise<void> {
      tx.changed(tag.account, 'tags');
      await tx.on<DriveTables>().insertInto('tag').values(tag).execute();
    },

    async change(
      tx: Tx,
      account: string,
      id: string,
      change: { name?: string; name_fold?: string; color?: Color },
    ): Promise<void> {
      tx.changed(account, 'tags');
      await tx.on<DriveTables>().updateTable('tag').set(change).where('id', '=', id).execute();
    },

    /** Deletes a tag, and takes it off all nodes. */
    async remove(tx: Tx, account: string, id: string): Promise<void> {
      tx.changed(account, 'tags');
      await tx.on<DriveTables>().deleteFrom('tag').where('id', '=', id).execute();
      await tx
        .on<DriveTables>()
        .deleteFrom('tagged')
        .where('account', '=', account)
        .where('tag', '=', id)
        .execute();
    },

    /** Returns the tags of nodes. */
    async pairs(at: Sql, nodes: readonly string[]): Promise<Pair[]> {
      return at
        .on<DriveTables>()
        .selectFrom('tagged')
        .select(['tag', 'node'])
        .where(among(at, 'node', nodes))
        .execute();
    },

    async add(tx: Tx, account: string, pairs: readonly Pair[]): Promise<void> {
      if (pairs.length === 0) return;
      await sql`
        insert into tagged (account, tag, node) select ${account}, given.value ->> 0, given.value ->> 1
        from ${pairList(tx, pairs)}`.execute(tx.on());
    },

    async takeOff(tx: Tx, account: string, pairs: readonly Pair[]): Promise<void> {
      for (const [tag, some] of Map.groupBy(pairs, (pair) => pair.tag))
        await tx
          .on<DriveTables>()
          .deleteFrom('tagged')
          .where('account', '=', account)
          .where('tag', '=', tag)
          .where(
            among(
              tx,
              'node',
              some.map(({ node }) => node),
            ),
          )
          .execute();
    },

    /** Lists the nodes with a tag; undefined if they are more than `most`. */
    async nodesWith(at: Sql, account: string, tag: string, most: number): Promise<NamedNode[] | undefined> {
      const rows = await at
        .on<DriveTables>()
        .selectFrom('tagged')
        .innerJoin('node', 'node.id', 'tagged.node')
        .select(['node.id', 'node.account', 'node.kind', 'node.name'])
        .where('tagged.account', '=', account)
        .where('tagged.tag', '=', tag)
        .limit(most + 1)
        .execute();
      return rows.length > most ? undefined : rows;
    },

    /** Returns those of the nodes that have all of the tags. */
    async withAll(
      at: Sql,
      account: string,
      all: readonly string[],
      nodes: readonly string[],
    ): Promise<Set<string>> {
      const rows = await at
        .on<DriveTables>()
        .selectFrom('tagged')
        .select('node')
        .where('account', '=', account)
        .where(among(at, 'tag', all))
        .where(among(at, 'node', nodes))
        .groupBy('node')
        .having(({ fn }) => fn.countAll(), '=', all.length)
        .execute();
      return new Set(rows.map(({ node }) => node));
    },

    /** Lists the tags of an account's nodes with the names of both, in the order of the nodes' ids. */
    async taggedAfter(
      at: Sql,
      account: string,
      { after, limit }: { after: Pair; limit: number },
    ): Promise<(Pair & { name: string; file: string })[]> {
      return at
        .on<DriveTables>()
        .selectFrom('tagged')
        .innerJoin('tag', 'tag.id', 'tagged.tag')
        .innerJoin('node', 'node.id', 'tagged.node')
        .select(['tagged.tag', 'tagged.node', 'tag.name', 'node.name as file'])
        .where('tagged.account', '=', account)
        .where(sql<boolean>`(tagged.tag, tagged.node) > (${after.tag}, ${after.node})`)
        .orderBy('tagged.tag')
        .orderBy('tagged.node')
        .limit(limit)
        .execute();
    },
  };
}

export type TagStore = ReturnType<typeof createTagStore>;
