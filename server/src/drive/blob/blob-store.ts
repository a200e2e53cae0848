import { sql } from 'kysely';
import { createStatements, noteChanged, type Sql, type Tx } from '../../foundation/database/index.ts';
import { among } from '../among-store.ts';
import type { DriveTables } from '../drive-tables.ts';
import type { BlobRow } from '../drive.ts';

/** Blob without checksums; `id` is for callers that request more. */
export type UnsummedRow = Pick<BlobRow, 'hash' | 'store_key' | 'created_at'> & { readonly id: number };

export function createBlobStore() {
  const statements = createStatements();
  return {
    /** Returns false if the content already has a row. */
    async insert(tx: Tx, row: BlobRow): Promise<boolean> {
      const inserted = await statements.change(tx, 'insert', { ...row }, (values) =>
        tx
          .on<DriveTables>()
          .insertInto('blob')
          .values(values)
          .onConflict((conflict) => conflict.column('hash').doNothing()),
      );
      return inserted > 0;
    },

    /** Returns the row and protects it from deletion until the transaction ends. */
    async hold(tx: Tx, hash: string): Promise<BlobRow | undefined> {
      const query = tx.on<DriveTables>().selectFrom('blob').selectAll().where('hash', '=', hash);
      return (tx.dialect === 'postgres' ? query.forKeyShare() : query).executeTakeFirst();
    },

    /** Lists blobs without checksums, the newest first. */
    async unsummed(at: Sql, except: readonly number[], limit: number): Promise<UnsummedRow[]> {
      return at
        .on<DriveTables>()
        .selectFrom('blob')
        .select(['id', 'hash', 'store_key', 'created_at'])
        .where('md5', 'is', null)
        .$if(except.length > 0, (rows) => rows.where('id', 'not in', except))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
    },

    /** Lists blobs in the order of their hashes, after a given one. */
    async after(at: Sql, hash: string, limit: number): Promise<BlobRow[]> {
      return at
        .on<DriveTables>()
        .selectFrom('blob')
        .selectAll()
        .where('hash', '>', hash)
        .orderBy('hash')
        .limit(limit)
        .execute();
    },

    async setChecksums(tx: Tx, hash: string, sums: { sha1: string; md5: string }): Promise<void> {
      await tx.on<DriveTables>().updateTable('blob').set(sums).where('hash', '=', hash).execute();
      // Lists show checksums. In one order everywhere, so that two transactions can't wait for each other.
      const raised = await sql<{ account: string }>`
        insert into tree_version (account, version)
        select distinct account, 1 from node where blob = (select id from blob where hash = ${hash}) order by account
        on conflict (account) do update set version = tree_version.version + 1
        returning account`.execute(tx.on());
      noteChanged(tx, 'files', raised.rows);
    },

    async byHash(at: Sql, hash: string): Promise<BlobRow | undefined> {
      return at.on<DriveTables>().selectFrom('blob').selectAll().where('hash', '=', hash).executeTakeFirst();
    },

    /** Returns true if there is any blob, including blobs that no file refers to. */
    async hasAny(at: Sql): Promise<boolean> {
      return (
        (await at.on<DriveTables>().selectFrom('blob').select('id').limit(1).executeTakeFirst()) !== undefined
      );
    },

    /** Returns the storage keys of the first and the last files that were added. */
    async outermostKeys(at: Sql, most: number): Promise<string[]> {
      const keys = (order: 'asc' | 'desc') =>
        at
          .on<DriveTables>()
          .selectFrom('blob')
          .select('store_key')
          .where(({ exists, selectFrom }) =>
            exists(selectFrom('node').select('node.id').whereRef('node.blob', '=', 'blob.id')),
          )
          .orderBy('blob.id', order)
          .limit(most)
          .execute();
      const found = [...(await keys('asc')), ...(await keys('desc'))];
      return [...new Set(found.map(({ store_key }) => store_key))];
    },

    async byGcid(at: Sql, gcid: string, size: number): Promise<BlobRow | undefined> {
      return at
        .on<DriveTables>()
        .selectFrom('blob')
        .selectAll()
        .where('gcid', '=', gcid)
        .where('size', '=', size)
        .orderBy('created_at')
        .limit(1)
        .executeTakeFirst();
    },

    async ownedBy(
      at: Sql,
      account: string,
      by: { gcid: string } | { cid: string },
      size: number,
    ): Promise<BlobRow | undefined> {
      return at
        .on<DriveTables>()
        .selectFrom('blob')
        .selectAll('blob')
        .where('gcid' in by ? 'gcid' : 'cid', '=', 'gcid' in by ? by.gcid : by.cid)
        .where('blob.size', '=', size)
        .where('quarantined_at', 'is', null)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('node')
              .select('node.id')
              .whereRef('node.blob', '=', 'blob.id')
              .where('node.account', '=', account),
          ),
        )
        .limit(1)
        .executeTakeFirst();
    },

    async owned(at: Sql, account: string, hashes: readonly string[]): Promise<Set<string>> {
      if (hashes.length === 0) return new Set();
      const rows = await at
        .on<DriveTables>()
        .selectFrom('blob')
        .innerJoin('node', 'node.blob', 'blob.id')
        .select('blob.hash')
        .distinct()
        .where(among(at, 'blob.hash', hashes))
        .where('node.account', '=', account)
        .execute();
      return new Set(rows.map(({ hash }) => hash));
    },

    /** Lists blobs released before a time, the oldest first. */
    async released(at: Sql, before: number, limit: number): Promise<{ store_key: string; hash: string }[]> {
      return at
        .on<DriveTables>()
        .selectFrom('blob_release')
        .select(['store_key', 'hash'])
        .where('released_at', '<=', before)
        .orderBy('released_at')
        .limit(limit)
        .execute();
    },

    /** Deletes the row if neither a node nor a version references it. */
    async removeUnheld(tx: Tx, { store_key, hash }: { store_key: string; hash: string }): Promise<void> {
      await sql`
        delete from blob where hash = ${hash} and store_key = ${store_key}
          and not exists (select 1 from node where node.blob = blob.id)
          and not exists (select 1 from version where version.blob = blob.id)`.execute(tx.on());
    },

    async exists(at: Sql, storeKey: string, hash: string): Promise<boolean> {
      return (
        (await at
          .on<DriveTables>()
          .selectFrom('blob')
          .select('hash')
          .where('hash', '=', hash)
          .where('store_key', '=', storeKey)
          .executeTakeFirst()) !== undefined
      );
    },

    /** Returns the keys that have no row and are not queued for removal. */
    async strayKeys(at: Sql, keys: readonly string[]): Promise<string[]> {
      const rows = await at
        .on<DriveTables>()
        .selectFrom('blob')
        .select('store_key')
        .where(among(at, 'store_key', keys))
        .execute();
      const waiting = await at
        .on<DriveTables>()
        .selectFrom('blob_release')
        .select('store_key')
        .where(among(at, 'store_key', keys))
        .execute();
      const known = new Set([...rows, ...waiting].map(({ store_key }) => store_key));
      return keys.filter((key) => !known.has(key));
    },

    async release(tx: Tx, { store_key, hash }: BlobRow, now: number): Promise<void> {
      await tx
        .on<DriveTables>()
        .insertInto('blob_release')
        .values({ store_key, hash, released_at: now })
        .onConflict((conflict) => conflict.column('store_key').doUpdateSet({ released_at: now }))
        .execute();
    },

    async forgetRelease(tx: Tx, storeKey: string): Promise<void> {
      await tx.on<DriveTables>().deleteFrom('blob_release').where('store_key', '=', storeKey).execute();
    },
  };
}

export type BlobRowStore = ReturnType<typeof createBlobStore>;
