import type { ErrorId } from '@bowerbird/contract';
import type { Selectable } from 'kysely';
import { createStatements, type Sql, type Tx } from '../foundation/database/index.ts';
import type { UploadTables } from './upload-tables.ts';
import { UNFINISHED, type ChosenPart, type UploadRow, type UploadState } from './upload.ts';

type Columns = UploadTables['upload'];

export type NewUpload = Pick<
  UploadRow,
  | 'id'
  | 'account'
  | 'parent'
  | 'name'
  | 'size'
  | 'reserved'
  | 'announcedHash'
  | 'conflict'
  | 'task'
  | 'modifiedAt'
  | 'createdAt'
>;

interface Completion {
  readonly storeKey: string;
  readonly hash: string;
  readonly now: number;
}

function fromRow(row: Selectable<Columns>): UploadRow {
  return {
    id: row.id,
    account: row.account,
    parent: row.parent,
    name: row.name,
    size: row.size,
    reserved: row.reserved ?? row.size,
    announcedHash: row.announced_hash,
    conflict: row.conflict,
    task: row.task,
    state: row.state,
    storeKey: row.store_key ?? undefined,
    chosen: row.chosen === null ? undefined : (JSON.parse(row.chosen) as ChosenPart[]),
    hash: row.hash ?? undefined,
    failure: row.failure ?? undefined,
    modifiedAt: row.modified_at ?? undefined,
    createdAt: row.created_at,
    activeAt: row.active_at,
  };
}

export function createUploadStore() {
  const statements = createStatements();
  const change = async (
    tx: Tx,
    id: string,
    from: readonly UploadState[],
    values: Partial<Columns>,
    storeKey?: string,
  ): Promise<boolean> => {
    const shape = `${from.join()} ${Object.keys(values).join()} ${storeKey !== undefined}`;
    const changed = await statements.change(
      tx,
      shape,
      { ...values, whichId: id, whichKey: storeKey },
      ({ whichId, whichKey, ...set }) => {
        const query = tx
          .on<UploadTables>()
          .updateTable('upload')
          .set(set as Partial<Columns>)
          .where('id', '=', whichId)
          .where('state', 'in', from);
        return storeKey === undefined ? query : query.where('store_key', '=', whichKey!);
      },
    );
    return changed > 0;
  };

  return {
    async insert(tx: Tx, upload: NewUpload): Promise<UploadRow> {
      const row: Columns = {
        id: upload.id,
        account: upload.account,
        parent: upload.parent,
        name: upload.name,
        size: upload.size,
        reserved: upload.reserved,
        announced_hash: upload.announcedHash,
        conflict: upload.conflict,
        task: upload.task,
        state: 'open',
        store_key: null,
        chosen: null,
        hash: null,
        failure: null,
        modified_at: upload.modifiedAt ?? null,
        created_at: upload.createdAt,
        active_at: upload.createdAt,
        finished_at: null,
      };
      await statements.change(tx, 'insert', { ...row }, (values) =>
        tx.on<UploadTables>().insertInto('upload').values(values),
      );
      return fromRow(row);
    },

    async find(sql: Sql, id: string): Promise<UploadRow | undefined> {
      const [row] = await statements.rows(sql, 'find', { id }, (value) =>
        sql.on<UploadTables>().selectFrom('upload').selectAll().where('id', '=', value.id),
      );
      return row && fromRow(row);
    },

    /** Returns false if it is no longer open. */
    touch: (tx: Tx, id: string, now: number): Promise<boolean> =>
      change(tx, id, ['open'], { active_at: now }),

    /** Same as {@link touch}, for an upload that is being completed. */
    touchClaim: (tx: Tx, id: string, now: number): Promise<boolean> =>
      change(tx, id, ['completing'], { active_at: now }),

    /** Decides, once, the parts of the file and the key of its bytes. */
    claim: (
      tx: Tx,
      id: string,
      { storeKey, chosen, now }: { storeKey: string; chosen: readonly ChosenPart[]; now: number },
    ): Promise<boolean> =>
      change(tx, id, ['open'], {
        state: 'completing',
        store_key: storeKey,
        chosen: JSON.stringify(chosen),
        active_at: now,
      }),

    /** Sets the date of an unfinished file. */
    date: (tx: Tx, id: string, modifiedAt: number): Promise<boolean> =>
      change(tx, id, ['open'], { modified_at: modifiedAt }),

    unclaim: (tx: Tx, id: string, storeKey: string): Promise<boolean> =>
      change(tx, id, ['completing'], { state: 'open', store_key: null, chosen: null }, storeKey),

    /** Returns false if the upload no longer has the claim of this store key. */
    complete: (tx: Tx, id: string, { storeKey, hash, now }: Completion): Promise<boolean> =>
      change(
        tx,
        id,
        ['completing'],
        { state: 'done', hash, chosen: null, active_at: now, finished_at: now },
        storeKey,
      ),

    /** Completes an upload without a claim. Returns false if it is no longer open. */
    completeOpen: (tx: Tx, id: string, { storeKey, hash, now }: Completion): Promise<boolean> =>
      change(tx, id, ['open'], {
        state: 'done',
        store_key: storeKey,
        hash,
        active_at: now,
        finished_at: now,
      }),

    async giveUp(
      tx: Tx,
      id: string,
      end: { state: 'failed' | 'cancelled' | 'expired'; failure: ErrorId; now: number; idleSince?: number },
    ): Promise<boolean> {
      let query = tx
        .on<UploadTables>()
        .updateTable('upload')
        .set({ state: end.state, failure: end.failure, chosen: null, finished_at: end.now })
        .where('id', '=', id)
        .where('state', 'in', UNFINISHED);
      if (end.idleSince !== undefined) query = query.where('active_at', '<', end.idleSince);
      return (await query.executeTakeFirst()).numUpdatedRows > 0n;
    },

    async ofAccount(sql: Sql, account: string, limit: number): Promise<Pick<UploadRow, 'id'>[]> {
      return sql
        .on<UploadTables>()
        .selectFrom('upload')
        .select('id')
        .where('account', '=', account)
        .limit(limit)
        .execute();
    },

    async idleSince(sql: Sql, time: number, limit: number): Promise<UploadRow[]> {
      const rows = await sql
        .on<UploadTables>()
        .selectFrom('upload')
        .selectAll()
        .where('finished_at', 'is', null)
        .where('active_at', '<', time)
        .orderBy('active_at')
        .limit(limit)
        .execute();
      return rows.map(fromRow);
    },

    /** Claims without activity since a time. */
    async claimedBefore(sql: Sql, time: number, limit: number): Promise<string[]> {
      const rows = await sql
        .on<UploadTables>()
        .selectFrom('upload')
        .select('id')
        .where('finished_at', 'is', null)
        .where('active_at', '<', time)
        .where('state', '=', 'completing')
        .orderBy('active_at')
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },

    async finishedBefore(sql: Sql, time: number, limit: number): Promise<string[]> {
      const rows = await sql
        .on<UploadTables>()
        .selectFrom('upload')
        .select('id')
        .where('finished_at', '<', time)
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },

    async forget(tx: Tx, id: string): Promise<void> {
      await tx.on<UploadTables>().deleteFrom('upload_part').where('upload', '=', id).execute();
      await tx.on<UploadTables>().deleteFrom('upload').where('id', '=', id).execute();
    },

    /** Bytes that the unfinished uploads of each account have reserved. */
    async reserved(sql: Sql, account?: string): Promise<Map<string, number>> {
      let query = sql
        .on<UploadTables>()
        .selectFrom('upload')
        .select(({ fn }) => ['account', fn.sum<number>(fn.coalesce('reserved', 'size')).as('bytes')])
        .where('finished_at', 'is', null)
        .groupBy('account');
      if (account !== undefined) query = query.where('account', '=', account);
      return new Map((await query.execute()).map((row) => [row.account, Number(row.bytes)]));
    },
  };
}

export type UploadStore = ReturnType<typeof createUploadStore>;
