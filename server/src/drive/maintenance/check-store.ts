import { sql } from 'kysely';
import type { Sql } from '../../foundation/database/index.ts';
import type { DriveTables } from '../drive-tables.ts';
import { FOLDER, type NodeRow } from '../drive.ts';

/** Folder with the sums that are recorded, and those of its children. */
export interface WrongSum {
  readonly id: string;
  readonly account: string;
  readonly bytes: number;
  readonly files: number;
  readonly folders: number;
  readonly real_bytes: number;
  readonly real_files: number;
  readonly real_folders: number;
}

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

    /** Lists files whose size isn't that of their bytes, or that have none; and folders that have bytes of their own. */
    async misfits(at: Sql): Promise<{ id: string; kind: 0 | 1; size: number; bytes: number | null }[]> {
      return at
        .on<DriveTables>()
        .selectFrom('node')
        .leftJoin('blob', 'blob.id', 'node.blob')
        .select(['node.id', 'node.kind', 'node.size', 'blob.size as bytes'])
        .where(
          sql<boolean>`(node.kind = 1 and (blob.size is null or blob.size <> node.size)) or (node.kind = 0 and node.blob is not null)`,
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
          select account, size from node where kind = 1 and not exists (select 1 from building where building.id = node.id)
          union all
          select account, size from version
        ) as held group by account`.execute(at.on());
      return new Map(rows.map(({ account, bytes }) => [account, Number(bytes)]));
    },

    /**
     * Lists folders whose sums aren't those of their children. If none is found, all sums are right, because those of
     * the deepest folders are. What is deleted or copied in hidden places isn't compared.
     */
    async wrongSums(at: Sql, limit: number): Promise<WrongSum[]> {
      const { rows } = await sql<WrongSum>`
        with recursive away (id) as (
          select id from node where parent >= '!' and parent < '"'
          union
          select node.id from node join away on node.parent = away.id where node.trashed_at is null
        ), counted (parent, bytes, files, folders) as (
          select parent, sum(size), sum(case kind when 1 then 1 else file_count end),
            sum(case kind when 0 then 1 + folder_count else 0 end)
          from node where trashed_at is null group by parent
        )
        select node.id, node.account, node.size as bytes, node.file_count as files, node.folder_count as folders,
          cast(coalesce(counted.bytes, 0) as bigint) as real_bytes, cast(coalesce(counted.files, 0) as bigint) as real_files,
          cast(coalesce(counted.folders, 0) as bigint) as real_folders
        from node left join counted on counted.parent = node.id
        where node.kind = 0
          and (node.size <> coalesce(counted.bytes, 0) or node.file_count <> coalesce(counted.files, 0)
            or node.folder_count <> coalesce(counted.folders, 0))
          and not exists (select 1 from away where away.id = node.id)
        order by node.id limit ${limit}`.execute(at.on());
      return rows;
    },

    /** Lists all folders of an account that are in its root, or trashed by themselves. */
    async topFolders(at: Sql, account: string): Promise<string[]> {
      const rows = await at
        .on<DriveTables>()
        .selectFrom('node')
        .select('id')
        .where('account', '=', account)
        .where('kind', '=', FOLDER)
        .where(({ eb, or }) => or([eb('parent', '=', account), eb('trashed_at', 'is not', null)]))
        .execute();
      return rows.map(({ id }) => id);
    },

    async treeCopies(at: Sql): Promise<{ task: string; account: string; reserved: number }[]> {
      return at.on<DriveTables>().selectFrom('graft').select(['task', 'account', 'reserved']).execute();
    },
  };
}

export type CheckStore = ReturnType<typeof createCheckStore>;
