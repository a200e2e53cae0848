import { sql } from 'kysely';
import type { Sql, Tx } from '../../foundation/database/index.ts';
import { among } from '../among-store.ts';
import type { DriveTables } from '../drive-tables.ts';
import type { NameRecords } from '../name-index/index.ts';

/** The columns of a node that deleting it needs. */
export interface PurgedNode {
  readonly id: string;
  readonly kind: 0 | 1;
  readonly size: number;
  readonly blob: number | null;
}

/** Returns the range of parents that begin with the name of a place, which ends in a slash. */
export function within(place: string): readonly [from: string, to: string] {
  return [place, `${place.slice(0, -1)}0`];
}

export function createPurgeStore({
  names,
  annotations,
}: {
  names: NameRecords;
  annotations: { removed(tx: Tx, nodes: readonly string[]): Promise<void> };
}) {
  return {
    /** Lists roots that were moved to a purge place, at most `limit`. */
    async rootsIn(at: Sql, place: string, limit: number): Promise<PurgedNode[]> {
      const [from, to] = within(place);
      return at
        .on<DriveTables>()
        .selectFrom('node')
        .select(['id', 'kind', 'size', 'blob'])
        .where('parent', '>=', from)
        .where('parent', '<', to)
        .where('trashed_at', 'is', null)
        .limit(limit)
        .execute();
    },

    /** Lists live children; nodes that were trashed by themselves are not among them. */
    async childrenOf(at: Sql, folder: string, limit: number): Promise<PurgedNode[]> {
      return at
        .on<DriveTables>()
        .selectFrom('node')
        .select(['id', 'kind', 'size', 'blob'])
        .where('parent', '=', folder)
        .where('trashed_at', 'is', null)
        .limit(limit)
        .execute();
    },

    /** Lists the nodes with all their descendants, at most `limit` rows; both databases stop walking there. */
    async subtrees(at: Sql, ids: readonly string[], limit: number): Promise<PurgedNode[]> {
      const result = await sql<PurgedNode>`
        with recursive down (id, kind, size, blob) as (
          select id, kind, size, blob from node where ${among(at, 'id', ids)}
          union all
          select node.id, node.kind, node.size, node.blob from node join down on node.parent = down.id where down.kind = 0 and node.trashed_at is null
        )
        select id, kind, size, blob from down limit ${limit}`.execute(at.on());
      return result.rows;
    },

    async remove(tx: Tx, ids: readonly string[]): Promise<void> {
      await annotations.removed(tx, ids);
      const removed = await tx
        .on<DriveTables>()
        .deleteFrom('node')
        .where(among(tx, 'id', ids))
        .returning('account')
        .execute();
      await names.removed(
        tx,
        removed.map(({ account }) => account),
      );
    },

    /** Queues blobs to which neither a node nor a version refers any more for the collector. */
    async release(tx: Tx, blobs: readonly number[], now: number): Promise<void> {
      if (blobs.length === 0) return;
      await sql`
        insert into blob_release (store_key, hash, released_at)
        select store_key, hash, ${now} from blob
        where ${among(tx, 'blob.id', blobs)} and not exists (select 1 from node where node.blob = blob.id)
          and not exists (select 1 from version where version.blob = blob.id)
        on conflict (store_key) do update set released_at = excluded.released_at`.execute(tx.on());
    },
  };
}

export type PurgeStore = ReturnType<typeof createPurgeStore>;
