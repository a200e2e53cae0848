import { sql, type Selectable } from 'kysely';
import {
  beyond,
  createStatements,
  noteChanged,
  type KeysetPosition,
  type Sql,
  type Tx,
} from '../foundation/database/index.ts';
import type { ShareTables } from './share-tables.ts';
import type { Mark, ShareRow } from './share.ts';

/** Filter of an account's shares: those of a file, one, or all; with position and limit. */
export interface OwnShareFilter {
  readonly file?: string | undefined;
  readonly share?: string | undefined;
  readonly place: KeysetPosition | undefined;
  readonly limit: number;
}

type Columns = ShareTables['share'];

function fromRow(row: Selectable<Columns>): ShareRow {
  return {
    id: row.id,
    account: row.account,
    title: row.title,
    passcode: row.passcode ?? undefined,
    passcodeVersion: row.passcode_version,
    expiresAt: row.expires_at ?? undefined,
    expirationDays: row.expiration_days,
    restoreLimit: row.restore_limit,
    restoreCount: row.restore_count,
    restoreReserved: row.restore_reserved,
    viewCount: row.view_count,
    downloadCount: row.download_count,
    rootCount: row.root_count,
    rootSize: row.root_size,
    mark: row.mark,
    markCovered: row.mark_covered === 1,
    paused: row.paused_at !== null,
    cancelled: row.cancelled_at !== null,
    shareTo: row.share_to,
    createdAt: row.created_at,
  };
}

/** Number of shares whose roots are cached: they are read with every visit and never change. */
const ROOTS_KEPT = 5000;
/** Longer lists are read each time. */
const ROOTS_REMEMBERED = 100;

export function createShareStore() {
  const roots = new Map<string, readonly string[]>();
  const statements = createStatements();
  return {
    async insert(tx: Tx, row: Columns, nodes: readonly string[]): Promise<void> {
      tx.changed(row.account, 'shares');
      await tx.on<ShareTables>().insertInto('share').values(row).execute();
      await tx
        .on<ShareTables>()
        .insertInto('share_root')
        .values(nodes.map((node, position) => ({ share: row.id, node, position })))
        .execute();
    },

    async find(at: Sql, id: string): Promise<ShareRow | undefined> {
      const [row] = await statements.rows(at, 'by id', { id }, (value) =>
        at.on<ShareTables>().selectFrom('share').selectAll().where('id', '=', value.id),
      );
      return row && fromRow(row);
    },

    async roots(at: Sql, share: string): Promise<readonly string[]> {
      const known = roots.get(share);
      if (known) return known;
      const rows = await statements.rows(at, 'roots', { share }, (value) =>
        at
          .on<ShareTables>()
          .selectFrom('share_root')
          .select('node')
          .where('share', '=', value.share)
          .orderBy('position'),
      );
      const found = rows.map(({ node }) => node);
      if (roots.size >= ROOTS_KEPT) roots.clear();
      if (found.length > 0 && found.length <= ROOTS_REMEMBERED) roots.set(share, found);
      return found;
    },

    /** Lists nodes that an account shares with links that work. */
    async sharedNodes(at: Sql, account: string, now: number, limit: number): Promise<string[]> {
      const rows = await at
        .on<ShareTables>()
        .selectFrom('share')
        .innerJoin('share_root', 'share_root.share', 'share.id')
        .select('share_root.node')
        .distinct()
        .where('share.account', '=', account)
        .where('share.cancelled_at', 'is', null)
        .where('share.paused_at', 'is', null)
        .where((where) =>
          where.or([where('share.expires_at', 'is', null), where('share.expires_at', '>', now)]),
        )
        .limit(limit)
        .execute();
      return rows.map(({ node }) => node);
    },

    /** Shares that were not canceled, newest first. */
    async list(at: Sql, account: string, filter: OwnShareFilter): Promise<ShareRow[]> {
      let query = at
        .on<ShareTables>()
        .selectFrom('share')
        .selectAll()
        .where('account', '=', account)
        .where('cancelled_at', 'is', null);
      const { file, share, place } = filter;
      if (share !== undefined) query = query.where('id', '=', share);
      if (file !== undefined) {
        query = query.where(({ exists, selectFrom }) =>
          exists(
            selectFrom('share_root')
              .select('share_root.share')
              .where('share_root.node', '=', file)
              .whereRef('share_root.share', '=', 'share.id'),
          ),
        );
      }
      if (place) query = query.where(beyond(['created_at', 'id'], place, true));
      const rows = await query
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(filter.limit)
        .execute();
      return rows.map(fromRow);
    },

    /** Counts shares that were not canceled and have not expired. */
    async countActive(tx: Tx, account: string, now: number): Promise<number> {
      const { count } = await tx
        .on<ShareTables>()
        .selectFrom('share')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('account', '=', account)
        .where('cancelled_at', 'is', null)
        .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    /** Returns false if the account has no such share any more. */
    async update(tx: Tx, account: string, id: string, change: Partial<Columns>): Promise<boolean> {
      tx.changed(account, 'shares');
      const result = await tx
        .on<ShareTables>()
        .updateTable('share')
        .set(change)
        .where('id', '=', id)
        .where('account', '=', account)
        .where('cancelled_at', 'is', null)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },

    async mark(tx: Tx, id: string, mark: Mark, covered: boolean, now: number): Promise<boolean> {
      const rows = await tx
        .on<ShareTables>()
        .updateTable('share')
        .set({ mark, mark_covered: covered ? 1 : 0, updated_at: now })
        .where('id', '=', id)
        .returning('account')
        .execute();
      return noteChanged(tx, 'shares', rows) > 0;
    },

    /**
     * Returns how many of the account's shares were canceled; unknown ids and those of others are skipped.
     */
    async cancel(tx: Tx, account: string, ids: readonly string[], now: number): Promise<number> {
      if (ids.length === 0) return 0;
      tx.changed(account, 'shares');
      const result = await tx
        .on<ShareTables>()
        .updateTable('share')
        .set({ cancelled_at: now, updated_at: now })
        .where('account', '=', account)
        .where('id', 'in', ids)
        .where('cancelled_at', 'is', null)
        .executeTakeFirst();
      return Number(result.numUpdatedRows);
    },

    /**
     * Reserves a place below the limit for one restore; returns false if completed and running restores fill
     * it.
     */
    async reserveRestore(tx: Tx, id: string): Promise<boolean> {
      const result = await tx
        .on<ShareTables>()
        .updateTable('share')
        .set({ restore_reserved: sql<number>`restore_reserved + 1` })
        .where('id', '=', id)
        .where(sql<boolean>`(restore_limit < 0 or restore_count + restore_reserved < restore_limit)`)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },

    /** Counts a completed restore; `reserved` is whether it held a place. */
    async countRestore(tx: Tx, id: string, reserved: boolean): Promise<void> {
      const rows = await tx
        .on<ShareTables>()
        .updateTable('share')
        .set({
          restore_count: sql<number>`restore_count + 1`,
          restore_reserved: sql<number>`restore_reserved - ${reserved ? 1 : 0}`,
        })
        .where('id', '=', id)
        .returning('account')
        .execute();
      noteChanged(tx, 'shares', rows);
    },

    async releaseRestore(tx: Tx, id: string): Promise<void> {
      await tx
        .on<ShareTables>()
        .updateTable('share')
        .set({ restore_reserved: sql<number>`restore_reserved - 1` })
        .where('id', '=', id)
        .execute();
    },

    /** Reserved places below the limit, by share; shares without any are omitted. */
    async reserved(at: Sql): Promise<Map<string, number>> {
      const rows = await at
        .on<ShareTables>()
        .selectFrom('share')
        .select(['id', 'restore_reserved'])
        .where('restore_reserved', '<>', 0)
        .execute();
      return new Map(rows.map((row) => [row.id, row.restore_reserved]));
    },

    async setReserved(tx: Tx, id: string, reserved: number): Promise<void> {
      await tx
        .on<ShareTables>()
        .updateTable('share')
        .set({ restore_reserved: reserved })
        .where('id', '=', id)
        .execute();
    },

    /** Deletes a few of an account's shares; returns their number. */
    async forgetSome(tx: Tx, account: string, limit: number): Promise<number> {
      const rows = await tx
        .on<ShareTables>()
        .selectFrom('share')
        .select('id')
        .where('account', '=', account)
        .limit(limit)
        .execute();
      const ids = rows.map(({ id }) => id);
      if (ids.length === 0) return 0;
      await tx.on<ShareTables>().deleteFrom('share_root').where('share', 'in', ids).execute();
      await tx.on<ShareTables>().deleteFrom('share').where('id', 'in', ids).execute();
      return ids.length;
    },

    /** Adds visits, and returns the share if these were the first views. */
    async addVisits(
      tx: Tx,
      id: string,
      views: number,
      downloads: number,
    ): Promise<{ account: string; title: string } | undefined> {
      const rows = await tx
        .on<ShareTables>()
        .updateTable('share')
        .set({
          view_count: sql<number>`view_count + ${views}`,
          download_count: sql<number>`download_count + ${downloads}`,
        })
        .where('id', '=', id)
        .returning(['account', 'title', 'view_count'])
        .execute();
      noteChanged(tx, 'shares', rows);
      return rows.find((row) => views > 0 && row.view_count === views);
    },
  };
}

export type ShareStore = ReturnType<typeof createShareStore>;
