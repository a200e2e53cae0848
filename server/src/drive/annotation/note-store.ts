import { sql } from 'kysely';
import type { Sql, Tx } from '../../foundation/database/index.ts';
import { among } from '../among-store.ts';
import type { DriveTables } from '../drive-tables.ts';
import type { NoteRow } from './annotation.ts';

/** Note that may match a search, with what the search knows of its node. */
export interface NotedNode {
  readonly id: string;
  readonly kind: 0 | 1;
  readonly name: string;
  readonly note_fold: string;
}

export function createNoteStore() {
  return {
    async find(at: Sql, node: string): Promise<NoteRow | undefined> {
      return at
        .on<DriveTables>()
        .selectFrom('annotation')
        .select(['note', 'noted_at'])
        .where('node', '=', node)
        .executeTakeFirst();
    },

    async count(at: Sql, account: string): Promise<number> {
      const row = await at
        .on<DriveTables>()
        .selectFrom('annotation')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('account', '=', account)
        .where('note', '<>', '')
        .executeTakeFirst();
      return Number(row?.count ?? 0);
    },

    /** Writes a note; an empty one is removed. */
    async set(
      tx: Tx,
      account: string,
      node: string,
      note: { note: string; note_fold: string; noted_at: number },
    ): Promise<void> {
      await tx
        .on<DriveTables>()
        .insertInto('annotation')
        .values({ node, account, ...note })
        .onConflict((conflict) => conflict.column('node').doUpdateSet(note))
        .execute();
      await tx
        .on<DriveTables>()
        .deleteFrom('annotation')
        .where('node', '=', node)
        .where('color', '=', '')
        .where('emoji', '=', '')
        .where('note', '=', '')
        .execute();
    },

    /** Returns notes of nodes, by id. */
    async texts(at: Sql, account: string, nodes: readonly string[]): Promise<Map<string, string>> {
      const rows = await at
        .on<DriveTables>()
        .selectFrom('annotation')
        .select(['node', 'note'])
        .where('account', '=', account)
        .where(among(at, 'node', nodes))
        .execute();
      return new Map(rows.map(({ node, note }) => [node, note]));
    },

    /**
     * Lists notes of an account that contain one of some folded texts, by descending ids of their nodes, after one of
     * these. This reads all notes of the account, whose number is limited.
     */
    async containing(
      at: Sql,
      account: string,
      texts: readonly string[],
      { after, limit }: { after: string | undefined; limit: number },
    ): Promise<NotedNode[]> {
      const position = (text: string) =>
        at.dialect === 'postgres'
          ? sql`strpos(annotation.note_fold, ${text}) > 0`
          : sql`instr(annotation.note_fold, ${text}) > 0`;
      const beyond = after === undefined ? sql`` : sql`and annotation.node < ${after}`;
      const { rows } = await sql<NotedNode>`
        select node.id, node.kind, node.name, annotation.note_fold from annotation join node on node.id = annotation.node
        where annotation.account = ${account} and annotation.note_fold <> '' ${beyond}
          and (${sql.join(texts.map(position), sql` or `)})
        order by annotation.node desc limit ${limit}`.execute(at.on());
      return rows;
    },
  };
}

export type NoteStore = ReturnType<typeof createNoteStore>;
