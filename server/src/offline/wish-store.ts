import type { FetchFailure } from '@bowerbird/contract';
import type { Selectable } from 'kysely';
import type { Sql, Tx } from '../foundation/database/index.ts';
import type { OfflineTables } from './offline-tables.ts';
import type { SourceFileRow, WishRow } from './offline.ts';

function fromRow(row: Selectable<OfflineTables['offline']>): WishRow {
  return {
    task: row.task,
    account: row.account,
    source: row.source,
    parent: row.parent,
    selection: row.selection === null ? undefined : new Set(JSON.parse(row.selection) as number[]),
    root: row.root ?? undefined,
    reserved: row.reserved,
    active: row.active === 1,
    paused: row.paused === 1,
    priority: row.priority,
    startAt: row.start_at,
  };
}

export type WishChange = Partial<
  Pick<OfflineTables['offline'], 'source' | 'root' | 'reserved' | 'priority'>
> & { readonly active?: boolean; readonly paused?: boolean };

/** What members want fetched, and what of it is in their drives. */
export function createWishStore() {
  const on = (sql: Sql) => sql.on<OfflineTables>();
  return {
    async insert(tx: Tx, wish: Omit<WishRow, 'root'>, now: number): Promise<void> {
      await on(tx)
        .insertInto('offline')
        .values({
          task: wish.task,
          account: wish.account,
          source: wish.source,
          parent: wish.parent,
          selection: wish.selection ? JSON.stringify([...wish.selection]) : null,
          root: null,
          reserved: wish.reserved,
          active: Number(wish.active),
          paused: Number(wish.paused),
          priority: wish.priority,
          start_at: wish.startAt,
          created_at: now,
        })
        .execute();
    },

    async find(sql: Sql, task: string): Promise<WishRow | undefined> {
      const row = await on(sql).selectFrom('offline').selectAll().where('task', '=', task).executeTakeFirst();
      return row && fromRow(row);
    },

    /** Who wants a source now: paused, finished and later wishes don't count. */
    async active(sql: Sql, source: string, now: number): Promise<WishRow[]> {
      const rows = await on(sql)
        .selectFrom('offline')
        .selectAll()
        .where('source', '=', source)
        .where('active', '=', 1)
        .where('start_at', '<=', now)
        .orderBy('created_at')
        .execute();
      return rows.map(fromRow);
    },

    /** As {@link active}, and those who want it later. */
    async activeEver(sql: Sql, source: string): Promise<WishRow[]> {
      const rows = await on(sql)
        .selectFrom('offline')
        .selectAll()
        .where('source', '=', source)
        .where('active', '=', 1)
        .orderBy('created_at')
        .execute();
      return rows.map(fromRow);
    },

    /** Whether anybody's wish for a source has not ended yet. */
    async isHeld(sql: Sql, source: string): Promise<boolean> {
      const row = await on(sql)
        .selectFrom('offline')
        .select('task')
        .where('source', '=', source)
        .where((where) => where.or([where('active', '=', 1), where('paused', '=', 1)]))
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Tasks of an account whose wishes go on. */
    async goingOn(sql: Sql, account: string): Promise<string[]> {
      const rows = await on(sql)
        .selectFrom('offline')
        .select('task')
        .where('account', '=', account)
        .where('active', '=', 1)
        .execute();
      return rows.map(({ task }) => task);
    },

    async countOpen(sql: Sql, account: string): Promise<number> {
      const { count } = await on(sql)
        .selectFrom('offline')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('account', '=', account)
        .where((where) => where.or([where('active', '=', 1), where('paused', '=', 1)]))
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    /** Sources that are wanted and neither wait nor run. */
    async stranded(sql: Sql, limit: number): Promise<{ source: string; priority: number }[]> {
      return on(sql)
        .selectFrom('offline')
        .innerJoin('source', 'source.id', 'offline.source')
        .select(['offline.source', ({ fn }) => fn.min<number>('offline.priority').as('priority')])
        .where('offline.active', '=', 1)
        .where('source.state', '=', 'idle')
        .groupBy('offline.source')
        .limit(limit)
        .execute();
    },

    async update(tx: Tx, task: string, { active, paused, ...columns }: WishChange): Promise<void> {
      await on(tx)
        .updateTable('offline')
        .set({
          ...columns,
          ...(active === undefined ? {} : { active: Number(active) }),
          ...(paused === undefined ? {} : { paused: Number(paused) }),
        })
        .where('task', '=', task)
        .execute();
    },

    /** What is set aside for wishes, by account. */
    async reserved(sql: Sql): Promise<Map<string, number>> {
      const rows = await on(sql)
        .selectFrom('offline')
        .select(['account', ({ fn }) => fn.sum<number>('reserved').as('bytes')])
        .where('reserved', '>', 0)
        .groupBy('account')
        .execute();
      return new Map(rows.map(({ account, bytes }) => [account, Number(bytes)]));
    },

    async delivered(sql: Sql, task: string): Promise<Map<number, string>> {
      const rows = await on(sql)
        .selectFrom('offline_file')
        .select(['position', 'node'])
        .where('task', '=', task)
        .execute();
      return new Map(rows.map(({ position, node }) => [position, node]));
    },

    /** Files of a wish's source that are kept and not in the drive yet, in order, after a position. */
    async undelivered(
      sql: Sql,
      { task, source }: Pick<WishRow, 'task' | 'source'>,
      after: number,
      limit: number,
    ): Promise<{ position: number; path: string[]; hash: string; size: number }[]> {
      const rows = await on(sql)
        .selectFrom('source_file')
        .select(['position', 'path', 'hash', 'size'])
        .where('source', '=', source)
        .where('state', '=', 'kept')
        .where('position', '>', after)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('offline_file')
                .select('node')
                .where('offline_file.task', '=', task)
                .whereRef('offline_file.position', '=', 'source_file.position'),
            ),
          ),
        )
        .orderBy('position')
        .limit(limit)
        .execute();
      return rows.map(({ position, path, hash, size }) => ({
        position,
        path: JSON.parse(path) as string[],
        hash: hash!,
        size: size!,
      }));
    },

    /** The states of all files of a source, and why they failed. */
    async states(
      sql: Sql,
      source: string,
    ): Promise<{ position: number; state: SourceFileRow['state']; failure: FetchFailure | undefined }[]> {
      const rows = await on(sql)
        .selectFrom('source_file')
        .select(['position', 'state', 'failure'])
        .where('source', '=', source)
        .orderBy('position')
        .execute();
      return rows.map(({ position, state, failure }) => ({
        position,
        state: state as SourceFileRow['state'],
        failure: failure === null ? undefined : (JSON.parse(failure) as FetchFailure),
      }));
    },

    async deliver(tx: Tx, task: string, position: number, node: string): Promise<void> {
      await on(tx).insertInto('offline_file').values({ task, position, node }).execute();
    },

    /** Counts one task of a day; false where `most` are counted already. */
    async countTask(tx: Tx, account: string, day: string, most: number | undefined): Promise<boolean> {
      if (most === 0) return false;
      const result = await on(tx)
        .insertInto('offline_day')
        .values({ account, day, tasks: 1, bytes: 0 })
        .onConflict((conflict) => {
          const update = conflict
            .columns(['account', 'day'])
            .doUpdateSet(({ ref, eb }) => ({ tasks: eb(ref('offline_day.tasks'), '+', 1) }));
          return most === undefined ? update : update.where('offline_day.tasks', '<', most);
        })
        .executeTakeFirst();
      return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
    },

    async countBytes(tx: Tx, account: string, day: string, bytes: number): Promise<void> {
      await on(tx)
        .insertInto('offline_day')
        .values({ account, day, tasks: 0, bytes })
        .onConflict((conflict) =>
          conflict
            .columns(['account', 'day'])
            .doUpdateSet(({ ref, eb }) => ({ bytes: eb(ref('offline_day.bytes'), '+', bytes) })),
        )
        .execute();
    },

    async day(sql: Sql, account: string, day: string): Promise<{ tasks: number; bytes: number }> {
      const row = await on(sql)
        .selectFrom('offline_day')
        .select(['tasks', 'bytes'])
        .where('account', '=', account)
        .where('day', '=', day)
        .executeTakeFirst();
      return row ?? { tasks: 0, bytes: 0 };
    },

    /** Accounts that fetched this much, or more, in a day. */
    async above(sql: Sql, day: string, bytes: number): Promise<string[]> {
      const rows = await on(sql)
        .selectFrom('offline_day')
        .select('account')
        .where('day', '=', day)
        .where('bytes', '>=', bytes)
        .execute();
      return rows.map(({ account }) => account);
    },

    async forgetDays(tx: Tx, before: string): Promise<void> {
      await on(tx).deleteFrom('offline_day').where('day', '<', before).execute();
    },
  };
}

export type WishStore = ReturnType<typeof createWishStore>;
