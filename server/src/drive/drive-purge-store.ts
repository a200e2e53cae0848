import { sql } from 'kysely';
import type { Sql, Tx } from '../foundation/database/index.ts';
import { among } from './drive-store.ts';
import type { DriveTables } from './drive-tables.ts';

/** As much of a node as it takes to be rid of it. */
export interface Leaving {
  readonly id: string;
  readonly kind: 0 | 1;
  readonly size: number;
  readonly blob: number | null;
}

/** The range of parents that begin with a place's name, which ends in a slash. */
export function within(place: string): readonly [from: string, to: string] {
  return [place, `${place.slice(0, -1)}0`];
}

export function createPurgeStore() {
  return {
    /** Roots that were put away in a place, at most `limit`. */
    async rootsIn(at: Sql, place: string, limit: number): Promise<Leaving[]> {
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

    /** Live children; what was put into the trash by itself is not among them. */
    async childrenOf(at: Sql, folder: string, limit: number): Promise<Leaving[]> {
      return at
        .on<DriveTables>()
        .selectFrom('node')
        .select(['id', 'kind', 'size', 'blob'])
        .where('parent', '=', folder)
        .where('trashed_at', 'is', null)
        .limit(limit)
        .execute();
    },

    /** The nodes with all that belongs to them, at most `limit` rows; both databases stop walking there. */
    async subtrees(at: Sql, ids: readonly string[], limit: number): Promise<Leaving[]> {
      const result = await sql<Leaving>`
        with recursive down (id, kind, size, blob) as (
          select id, kind, size, blob from node where ${among(at, 'id', ids)}
          union all
          select node.id, node.kind, node.size, node.blob from node join down on node.parent = down.id where down.kind = 0 and node.trashed_at is null
        )
        select id, kind, size, blob from down limit ${limit}`.execute(at.on());
      return result.rows;
    },

    async remove(tx: Tx, ids: readonly string[]): Promise<void> {
      await tx
        .on<DriveTables>()
        .deleteFrom('node')
        .where(among(tx, 'id', ids))
        .execute();
    },

    /** Notes bytes that may be held by nothing any more. */
    async release(tx: Tx, blobs: readonly number[], now: number): Promise<void> {
      if (blobs.length === 0) return;
      await sql`
        insert into blob_release (store_key, hash, released_at)
        select store_key, hash, ${now} from blob
        where ${among(tx, 'blob.id', blobs)} and not exists (select 1 from node where node.blob = blob.id)
        on conflict (store_key) do update set released_at = excluded.released_at`.execute(tx.on());
    },
  };
}

export type PurgeStore = ReturnType<typeof createPurgeStore>;
