import { sql } from 'kysely';
import type { Sql } from '../../foundation/database/index.ts';
import type { DriveTables } from '../drive-tables.ts';
import type { NodeRow } from '../drive.ts';

/** All reachable nodes: those below an account's root, in the trash, or in a purge or copy place. */
const HELD = sql`
  with recursive held (id) as (
    select id from node where parent = account or parent like '!%' or trashed_at is not null
    union
    select node.id from node join held on node.parent = held.id where node.trashed_at is null
  )`;

export function createCheckStore() {
  return {
    /** Lists unreachable nodes: their parent is missing, is a file, or is below them. */
    async unreachable(
      at: Sql,
      limit: number,
    ): Promise<Pick<NodeRow, 'id' | 'account' | 'name' | 'kind' | 'parent'>[]> {
      const { rows } = await sql<Pick<NodeRow, 'id' | 'account' | 'name' | 'kind' | 'parent'>>`
        ${HELD} select id, account, name, kind, parent from node where not exists (select 1 from held where held.id = node.id) order by id limit ${limit}`.execute(
        at.on(),
      );
      return rows;
    },

    /** Lists purge and copy places, such as `!purge/X/`, with their accounts. */
    async putAway(at: Sql): Promise<{ account: string; place: string }[]> {
      const rows = await at
        .on<DriveTables>()
        .selectFrom('node')
        .select(['account', 'parent'])
        .where('parent', '>=', '!')
        .where('parent', '<', '"')
        .execute();
      const places = new Map(
        rows.map(({ account, parent }) => [parent.slice(0, parent.lastIndexOf('/') + 1), account]),
      );
      return Array.from(places, ([place, account]) => ({ account, place }));
    },

    /** Lists files whose size isn't that of their bytes, or that have none; and folders that have any. */
    async misfits(at: Sql): Promise<{ id: string; kind: 0 | 1; size: number; bytes: number | null }[]> {
      return at
        .on<DriveTables>()
        .selectFrom('node')
        .leftJoin('blob', 'blob.id', 'node.blob')
        .select(['node.id', 'node.kind', 'node.size', 'blob.size as bytes'])
        .where(
          sql<boolean>`(node.kind = 1 and (blob.size is null or blob.size <> node.size)) or (node.kind = 0 and (node.blob is not null or node.size <> 0))`,
        )
        .execute();
    },

    /** Lists blobs that neither a node nor a version refers to and that are not queued for the collector. */
    async forgotten(at: Sql): Promise<{ id: number; hash: string }[]> {
      const { rows } = await sql<{ id: number; hash: string }>`
        select id, hash from blob
        where not exists (select 1 from node where node.blob = blob.id) and not exists (select 1 from version where version.blob = blob.id)
          and not exists (select 1 from blob_release where blob_release.store_key = blob.store_key)`.execute(
        at.on(),
      );
      return rows;
    },

    async knowsHash(at: Sql, hash: string): Promise<boolean> {
      return (
        (await at
          .on<DriveTables>()
          .selectFrom('blob')
          .select('hash')
          .where('hash', '=', hash)
          .executeTakeFirst()) !== undefined
      );
    },

    /** Bytes of all files of each account, and of their versions; copies that are still being built are charged when they are attached. */
    async usage(at: Sql): Promise<Map<string, number>> {
      const { rows } = await sql<{ account: string; bytes: number }>`
        with recursive building (id) as (
          select id from node where parent >= '!graft/' and parent < '!graft0'
          union
          select node.id from node join building on node.parent = building.id where node.trashed_at is null
        )
        select account, sum(size) as bytes from (
          select account, size from node where not exists (select 1 from building where building.id = node.id)
          union all
          select account, size from version
        ) as held group by account`.execute(at.on());
      return new Map(rows.map(({ account, bytes }) => [account, Number(bytes)]));
    },

    async treeCopies(at: Sql): Promise<{ task: string; account: string; reserved: number }[]> {
      return at.on<DriveTables>().selectFrom('graft').select(['task', 'account', 'reserved']).execute();
    },
  };
}

export type CheckStore = ReturnType<typeof createCheckStore>;
