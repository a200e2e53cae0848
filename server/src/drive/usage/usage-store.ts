import { sql } from 'kysely';
import type { Sql } from '../../foundation/database/index.ts';
import { among } from '../among-store.ts';
import { nodes } from '../drive-store.ts';
import type { DriveTables } from '../drive-tables.ts';
import { FILE, FOLDER, type NodeRow } from '../drive.ts';
import type { Amount } from './usage.ts';

/** The columns of a node that a survey needs. */
export interface SurveyedNode {
  readonly id: string;
  readonly parent: string;
  readonly kind: 0 | 1;
  readonly type_key: string;
  readonly size: number;
  readonly file_count: number;
  readonly modified_at: number;
  /** Id of the blob's row. */
  readonly blob: number | null;
}

const surveyed = (at: Sql) =>
  at
    .on<DriveTables>()
    .selectFrom('node')
    .select(['id', 'parent', 'kind', 'type_key', 'size', 'file_count', 'modified_at', 'blob'])
    .where('trashed_at', 'is', null);

export function createUsageStore() {
  return {
    /** Lists live children of several folders, at most `limit`, in no particular order. */
    async childrenOf(at: Sql, folders: readonly string[], limit: number): Promise<SurveyedNode[]> {
      return surveyed(at)
        .where(among(at, 'parent', folders))
        .limit(limit)
        .execute();
    },

    /** Lists live children of one folder whose names follow `name`, in the order of their names. */
    async childrenBeyond(
      at: Sql,
      folder: string,
      name: string,
      limit: number,
    ): Promise<(SurveyedNode & { name: string })[]> {
      return surveyed(at)
        .select('name_fold as name')
        .where('parent', '=', folder)
        .where('name_fold', '>', name)
        .orderBy('name_fold')
        .limit(limit)
        .execute();
    },

    /** Lists an account's nodes with certain contents, each with the id of the blob's row as `content`. */
    async copies(
      at: Sql,
      account: string,
      blobs: readonly number[],
      limit: number,
    ): Promise<(NodeRow & { content: number | null })[]> {
      return nodes(at)
        .select('node.blob as content')
        .where(among(at, 'node.blob', blobs))
        .where('node.account', '=', account)
        .where('node.trashed_at', 'is', null)
        .limit(limit)
        .execute();
    },

    /** Lists the largest folders at the top of an account's drive that contain files. */
    async topFolders(
      at: Sql,
      account: string,
      limit: number,
    ): Promise<Pick<NodeRow, 'id' | 'name' | 'size' | 'file_count'>[]> {
      return at
        .on<DriveTables>()
        .selectFrom('node')
        .select(['id', 'name', 'size', 'file_count'])
        .where('parent', '=', account)
        .where('kind', '=', FOLDER)
        .where('trashed_at', 'is', null)
        .where('file_count', '>', 0)
        .orderBy('size', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
    },

    /** Sums the folders or the files at the top of an account's drive; `nodes` is their number. */
    async top(at: Sql, account: string, kind: 0 | 1): Promise<Amount & { nodes: number }> {
      const row = await at
        .on<DriveTables>()
        .selectFrom('node')
        .select([
          sql<number>`count(*)`.as('nodes'),
          sql<number>`coalesce(sum(size), 0)`.as('bytes'),
          (kind === FILE ? sql<number>`count(*)` : sql<number>`coalesce(sum(file_count), 0)`).as('files'),
        ])
        .where('parent', '=', account)
        .where('kind', '=', kind)
        .where('trashed_at', 'is', null)
        .executeTakeFirstOrThrow();
      return { nodes: Number(row.nodes), bytes: Number(row.bytes), files: Number(row.files) };
    },
  };
}

export type UsageStore = ReturnType<typeof createUsageStore>;
