import type { EventType } from '@bowerbird/contract';
import { sql as raw, type Selectable } from 'kysely';
import {
  beyond,
  createStatements,
  type Database,
  type KeysetPosition,
  type Sql,
  type Tx,
} from '../../foundation/database/index.ts';
import { removeRowsOfAccount } from '../../foundation/database/remove-rows.ts';
import type { DriveTables } from '../drive-tables.ts';
import type { EventRow } from '../drive.ts';
import { among } from '../among-store.ts';
import { removeForgotten } from '../forgotten-rows-store.ts';

const fromRow = (row: Selectable<DriveTables['event']>): EventRow => ({
  id: row.id,
  type: row.type,
  node: row.node,
  params: JSON.parse(row.params) as Record<string, string>,
  progress: row.progress,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export function createEventStore() {
  const statements = createStatements();
  return {
    async insert(tx: Tx, account: string, events: readonly EventRow[]): Promise<void> {
      for (const { id, type, node, params, progress, createdAt, updatedAt } of events) {
        const row = {
          id,
          account,
          played: 0 as const,
          type,
          node,
          params: JSON.stringify(params),
          progress,
          created_at: createdAt,
          updated_at: updatedAt,
        };
        tx.changed(account, 'recent');
        await statements.change(tx, 'insert', row, (values) =>
          tx.on<DriveTables>().insertInto('event').values(values),
        );
      }
    },

    /** Records how far a file was played; one row for each file, unchanged if it was written after `unless`. */
    async play(tx: Tx, account: string, event: EventRow, unless: number): Promise<void> {
      tx.changed(account, 'recent');
      const written = {
        params: JSON.stringify(event.params),
        progress: event.progress,
        updated_at: event.updatedAt,
      };
      await tx
        .on<DriveTables>()
        .insertInto('event')
        .values({
          id: event.id,
          account,
          played: 1,
          type: event.type,
          node: event.node,
          created_at: event.createdAt,
          ...written,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['account', 'node'])
            // Literal, as in the index: SQLite accepts no parameter here.
            .where(raw<boolean>`played = 1`)
            .doUpdateSet(written)
            .where('event.updated_at', '<=', unless),
        )
        .execute();
    },

    /** Lists events of some types, the newest first. */
    async read(
      sql: Sql,
      account: string,
      {
        types,
        place,
        limit,
      }: { types: readonly EventType[]; place: KeysetPosition | undefined; limit: number },
    ): Promise<EventRow[]> {
      // A range of the index for each type: rare ones are found at once among many others.
      const ofType = (type: EventType) => {
        let query = sql
          .on<DriveTables>()
          .selectFrom('event')
          .selectAll()
          .where('account', '=', account)
          .where('type', '=', type)
          .orderBy('updated_at', 'desc')
          .orderBy('id', 'desc')
          .limit(limit);
        if (place) query = query.where(beyond(['updated_at', 'id'], place, true));
        return sql.on<DriveTables>().selectFrom(query.as('one')).selectAll();
      };
      const [first, ...others] = types.map(ofType);
      if (!first) return [];
      const rows = await others
        .reduce((all, one) => all.unionAll(one), first)
        .orderBy('updated_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(fromRow);
    },

    /**
     * Returns the events of some types that nodes have. The query doesn't have the account, which the nodes imply:
     * SQLite would choose an index that begins with it.
     */
    async ofNodes(
      sql: Sql,
      nodes: readonly string[],
      types: readonly EventType[],
    ): Promise<(EventRow & { account: string })[]> {
      const rows = await sql
        .on<DriveTables>()
        .selectFrom('event')
        .selectAll()
        .where(among(sql, 'node', nodes))
        .where('type', 'in', types)
        .execute();
      return rows.map((row) => ({ ...fromRow(row), account: row.account }));
    },

    async remove(tx: Tx, account: string, ids: readonly string[]): Promise<void> {
      if (ids.length === 0) return;
      tx.changed(account, 'recent');
      await tx
        .on<DriveTables>()
        .deleteFrom('event')
        .where('account', '=', account)
        .where(among(tx, 'id', ids))
        .execute();
    },

    async clear(tx: Tx, account: string, types: readonly EventType[]): Promise<void> {
      tx.changed(account, 'recent');
      await tx
        .on<DriveTables>()
        .deleteFrom('event')
        .where('account', '=', account)
        .where('type', 'in', types)
        .execute();
    },

    /**
     * Deletes some events that are older, or whose file was deleted permanently; returns true if more may be
     * left.
     */
    forget: (tx: Tx, before: number): Promise<boolean> =>
      removeForgotten(tx, 'event', { column: 'updated_at', before }),

    /** Deletes the account's events, in slices. Returns the number of rows removed. */
    eraseAccount: (database: Database, account: string, signal: AbortSignal): Promise<number> =>
      removeRowsOfAccount<DriveTables>(database, ['event'], account, signal),
  };
}

export type EventStore = ReturnType<typeof createEventStore>;
