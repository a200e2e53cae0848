import { sql } from 'kysely';
import { createStatements, type Sql } from '../../foundation/database/index.ts';
import { among, amongList, listOf } from '../among-store.ts';
import { shownNodes, SUMS } from '../drive-store.ts';
import type { DriveTables } from '../drive-tables.ts';
import { FOLDER, type ShownNode } from '../drive.ts';
import type { NamedNode } from '../name-index/index.ts';
import type { Candidate } from './search-conditions.ts';

/** The columns of a folder that lead from a node to the top. */
export type Above = Pick<Candidate, 'id' | 'account' | 'parent' | 'name' | 'trashed_at'>;

const NAMED = ['id', 'account', 'kind', 'name'] as const;

export function createSearchStore() {
  const statements = createStatements();

  /** Lists everything below folders, level by level; undefined if it is more than `most`. */
  async function below(at: Sql, roots: readonly string[], most: number): Promise<NamedNode[] | undefined> {
    const found: NamedNode[] = [];
    for (let level = roots; level.length > 0;) {
      const rows = await statements.rows(
        at,
        'below',
        { parents: listOf(at, level), limit: most + 1 - found.length },
        (value) =>
          at
            .on<DriveTables>()
            .selectFrom('node')
            .select(NAMED)
            .where(amongList(at, 'parent', value.parents))
            .where('trashed_at', 'is', null)
            .limit(value.limit),
      );
      found.push(...rows);
      if (found.length > most) return undefined;
      level = rows.filter(({ kind }) => kind === FOLDER).map(({ id }) => id);
    }
    return found;
  }

  return {
    below,

    async candidates(at: Sql, ids: readonly string[]): Promise<Candidate[]> {
      return statements.rows(at, 'candidates', { ids: listOf(at, ids) }, (value) =>
        at
          .on<DriveTables>()
          .selectFrom('node')
          .select([
            'id',
            'account',
            'parent',
            'kind',
            'name',
            'size',
            'modified_at',
            'trashed_at',
            'starred_at',
          ])
          .where(amongList(at, 'id', value.ids)),
      );
    },

    /** Returns folders and all folders above them. */
    async above(at: Sql, ids: readonly string[]): Promise<Above[]> {
      return statements.rows(at, 'above', { ids: listOf(at, ids) }, (value) => ({
        compile: () =>
          sql<Above>`
            with recursive up (id, account, parent, name, trashed_at) as (
              select id, account, parent, name, trashed_at from node where ${amongList(at, 'id', value.ids)}
              union
              select node.id, node.account, node.parent, node.name, node.trashed_at from node join up on node.id = up.parent
            )
            select id, account, parent, name, trashed_at from up`.compile(at.on()),
      }));
    },

    async named(at: Sql, ids: readonly string[]): Promise<NamedNode[]> {
      return at
        .on<DriveTables>()
        .selectFrom('node')
        .select(NAMED)
        .where(among(at, 'id', ids))
        .execute();
    },

    async shown(at: Sql, ids: readonly string[]): Promise<ShownNode[]> {
      return shownNodes(at)
        .select(SUMS)
        .where(among(at, 'node.id', ids))
        .execute();
    },

    /** Lists what is starred or trashed itself; undefined if it is more than `most`. */
    async marked(
      at: Sql,
      account: string,
      mark: 'starred_at' | 'trashed_at',
      most: number,
    ): Promise<NamedNode[] | undefined> {
      const rows = await at
        .on<DriveTables>()
        .selectFrom('node')
        .select(NAMED)
        .where('account', '=', account)
        .where('kind', 'in', [0, 1])
        .where(mark, 'is not', null)
        .$if(mark === 'starred_at', (query) => query.where('trashed_at', 'is', null))
        .limit(most + 1)
        .execute();
      return rows.length > most ? undefined : rows;
    },
  };
}

export type SearchStore = ReturnType<typeof createSearchStore>;
