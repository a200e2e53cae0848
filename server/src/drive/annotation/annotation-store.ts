import type { Color } from '@bowerbird/contract';
import { sql, type Selectable } from 'kysely';
import { createStatements, type Database, type Sql, type Tx } from '../../foundation/database/index.ts';
import { removeRowsOfAccount } from '../../foundation/database/remove-rows.ts';
import { among } from '../among-store.ts';
import type { DriveTables } from '../drive-tables.ts';
import type { Annotation, Annotations } from '../drive.ts';

interface Part {
  readonly account: string;
  readonly node: string;
  /** Id of a tag; null in the part with everything else. */
  readonly tag: string | null;
  readonly color: Color | '' | null;
  readonly emoji: string | null;
  readonly noted: number | null;
}

const NONE: Annotations = new Map();

/** Tables whose rows belong to a node. */
const OF_NODES = ['tagged', 'annotation', 'pin'] as const;
type TableOfNodes = (typeof OF_NODES)[number];

export function createAnnotationStore() {
  const statements = createStatements();

  /** Most accounts have neither tags nor anything else: they pay for one look into an index. */
  async function hasAny(at: Sql, account: string): Promise<boolean> {
    const [row] = await statements.rows(at, 'any', { account }, ({ account: id }) => ({
      compile: () =>
        sql<{ found: number }>`select 1 as found
          where exists (select 1 from tagged where account = ${id}) or exists (select 1 from annotation where account = ${id})`.compile(
          at.on(),
        ),
    }));
    return row !== undefined;
  }

  return {
    /** Returns what an account has noted about nodes, by id. */
    async of(at: Sql, account: string, ids: readonly string[]): Promise<Annotations> {
      if (ids.length === 0 || !(await hasAny(at, account))) return NONE;
      // Without a condition for the account, which would make SQLite read all of its tags instead of these.
      const { rows } = await sql<Part>`
        select account, node, tag, null as color, null as emoji, null as noted from tagged
        where ${among(at, 'node', ids)}
        union all
        select account, node, null, color, emoji, case when note = '' then 0 else 1 end from annotation
        where ${among(at, 'node', ids)}`.execute(at.on());
      const found = new Map<string, Annotation & { tags: string[] }>();
      for (const { account: owner, node, tag, color, emoji, noted } of rows) {
        if (owner !== account) continue;
        const known = found.get(node) ?? { tags: [], color: '', emoji: '', hasNote: false };
        if (tag === null)
          found.set(node, { ...known, color: color ?? '', emoji: emoji ?? '', hasNote: Number(noted) === 1 });
        else {
          known.tags.push(tag);
          found.set(node, known);
        }
      }
      for (const { tags } of found.values()) tags.sort();
      return found;
    },

    /** Writes the same about copies as about their sources: mappings begin with the ids of a source and its copy. */
    async copied(tx: Tx, account: string, mappings: readonly (readonly string[])[]): Promise<void> {
      if (!(await hasAny(tx, account))) return;
      const list = JSON.stringify(mappings.map(([source, copy]) => [source, copy]));
      const given =
        tx.dialect === 'postgres'
          ? sql`json_array_elements(${list}::json) as given (value)`
          : sql`json_each(${list}) as given`;
      // SQLite must begin with the few nodes that are given, not with everything that the account has.
      const join = sql.raw(tx.dialect === 'postgres' ? 'join' : 'cross join');
      await sql`
        insert into tagged (account, tag, node)
        select tagged.account, tagged.tag, given.value ->> 1 from ${given}
        ${join} tagged on tagged.node = given.value ->> 0`.execute(tx.on());
      await sql`
        insert into annotation (node, account, color, emoji, note, note_fold, noted_at)
        select given.value ->> 1, annotation.account, color, emoji, note, note_fold, noted_at from ${given}
        ${join} annotation on annotation.node = given.value ->> 0`.execute(tx.on());
    },

    /** Adds what is known about one node to another, which keeps what it has. */
    async adopt(tx: Tx, from: string, to: string): Promise<void> {
      await sql`
        insert into tagged (account, tag, node) select account, tag, ${to} from tagged where node = ${from}
        on conflict do nothing`.execute(tx.on());
      await sql`
        insert into annotation (node, account, color, emoji, note, note_fold, noted_at)
        select ${to}, account, color, emoji, note, note_fold, noted_at from annotation where node = ${from}
        on conflict do nothing`.execute(tx.on());
    },

    /** Writes the looks of folders; notes about them stay. */
    async setLooks(
      tx: Tx,
      account: string,
      looks: readonly { id: string; color: Color | ''; emoji: string }[],
    ): Promise<void> {
      if (looks.length === 0) return;
      await tx
        .on<DriveTables>()
        .insertInto('annotation')
        .values(looks.map(({ id, color, emoji }) => ({ node: id, account, color, emoji })))
        .onConflict((conflict) =>
          conflict.column('node').doUpdateSet(({ ref }) => ({
            color: ref('excluded.color'),
            emoji: ref('excluded.emoji'),
          })),
        )
        .execute();
      // A row without anything in it would make every list look for more.
      await tx
        .on<DriveTables>()
        .deleteFrom('annotation')
        .where(
          among(
            tx,
            'node',
            looks.map(({ id }) => id),
          ),
        )
        .where('color', '=', '')
        .where('emoji', '=', '')
        .where('note', '=', '')
        .execute();
    },

    /** Forgets deleted nodes. */
    async removed(tx: Tx, nodes: readonly string[]): Promise<void> {
      if (nodes.length === 0) return;
      for (const table of OF_NODES)
        await sql`delete from ${sql.table(table)} where ${among(tx, 'node', nodes)}`.execute(tx.on());
    },

    /** Lists rows without a node or, of tags, without a tag. */
    async strays(at: Sql): Promise<{ table: TableOfNodes; node: string; tag: string }[]> {
      const { rows } = await sql<{ table: TableOfNodes; node: string; tag: string }>`
        select 'tagged' as "table", node, tag from tagged
        where not exists (select 1 from node where node.id = tagged.node and node.account = tagged.account)
          or not exists (select 1 from tag where tag.id = tagged.tag and tag.account = tagged.account)
        union all
        select 'annotation', node, '' from annotation
        where not exists (select 1 from node where node.id = annotation.node and node.account = annotation.account)
        union all
        select 'pin', node, '' from pin
        where not exists (select 1 from node where node.id = pin.node and node.account = pin.account)`.execute(
        at.on(),
      );
      return rows;
    },

    async removeStray(
      tx: Tx,
      { table, node, tag }: { table: TableOfNodes; node: string; tag: string },
    ): Promise<void> {
      const only = table === 'tagged' ? sql`and tag = ${tag}` : sql``;
      await sql`delete from ${sql.table(table)} where node = ${node} ${only}`.execute(tx.on());
    },

    /** Lists what an account has noted about nodes, in the order of their ids, with their names. */
    async after(
      at: Sql,
      account: string,
      { after, limit }: { after: string; limit: number },
    ): Promise<
      (Pick<Selectable<DriveTables['annotation']>, 'node' | 'color' | 'emoji' | 'note'> & { file: string })[]
    > {
      return at
        .on<DriveTables>()
        .selectFrom('annotation')
        .innerJoin('node', 'node.id', 'annotation.node')
        .select([
          'annotation.node',
          'annotation.color',
          'annotation.emoji',
          'annotation.note',
          'node.name as file',
        ])
        .where('annotation.account', '=', account)
        .where('annotation.node', '>', after)
        .orderBy('annotation.node')
        .limit(limit)
        .execute();
    },

    /** Lists pinned folders in their order, with their own names. */
    async pins(at: Sql, account: string): Promise<{ node: string; name: string; file: string }[]> {
      return at
        .on<DriveTables>()
        .selectFrom('pin')
        .innerJoin('node', 'node.id', 'pin.node')
        .select(['pin.node', 'pin.name', 'node.name as file'])
        .where('pin.account', '=', account)
        .orderBy('pin.place')
        .orderBy('pin.node')
        .execute();
    },

    eraseAccount: (database: Database, account: string, signal: AbortSignal): Promise<number> =>
      removeRowsOfAccount<DriveTables>(database, [...OF_NODES, 'tag'], account, signal),
  };
}

export type AnnotationStore = ReturnType<typeof createAnnotationStore>;
