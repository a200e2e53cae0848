import type { RecentKind } from '@bowerbird/contract';
import type { Selectable } from 'kysely';
import type { Tx } from '../../foundation/database/index.ts';
import type { DriveTables } from '../drive-tables.ts';
import { among } from '../among-store.ts';
import { notedOf, typesOf } from './recent-store.ts';

type Row<Table extends keyof DriveTables> = Selectable<DriveTables[Table]>;

/** Rows that a removal deleted, as they are stored until they are forgotten. */
interface Entries {
  readonly events: readonly Row<'event'>[];
  readonly noted: readonly Row<'recent'>[];
}

/** Rows written by one statement: databases limit its parameters. */
const WRITTEN_AT_ONCE = 500;

function* slices<T>(rows: readonly T[]): Generator<T[]> {
  for (let at = 0; at < rows.length; at += WRITTEN_AT_ONCE) yield rows.slice(at, at + WRITTEN_AT_ONCE);
}

/** Entries that were removed from Recent, and putting them back. */
export function createRecentRemovalStore() {
  /** Reads the account's rows of some nodes. The queries use the indexes by node, whose rows are few. */
  async function entriesOf(
    tx: Tx,
    account: string,
    kinds: ReadonlySet<RecentKind>,
    nodes: readonly string[],
  ): Promise<Entries> {
    const [types, others] = [typesOf(kinds), notedOf(kinds)];
    const db = tx.on<DriveTables>();
    const ofNodes = among(tx, 'node', nodes);
    const events =
      types.length === 0
        ? []
        : await db.selectFrom('event').selectAll().where(ofNodes).where('type', 'in', types).execute();
    const noted =
      others.length === 0
        ? []
        : await db.selectFrom('recent').selectAll().where(ofNodes).where('kind', 'in', others).execute();
    const isOwn = (row: { account: string }): boolean => row.account === account;
    return { events: events.filter(isOwn), noted: noted.filter(isOwn) };
  }

  return {
    /** Deletes events of the kinds that some nodes have, and keeps them under an id for {@link restore}. */
    async remove(
      tx: Tx,
      account: string,
      removal: { id: string; at: number; kinds: ReadonlySet<RecentKind>; nodes: readonly string[] },
    ): Promise<void> {
      const { id, at, kinds, nodes } = removal;
      const entries = await entriesOf(tx, account, kinds, nodes);
      const db = tx.on<DriveTables>();
      tx.changed(account, 'recent');
      for (const table of ['event', 'recent'] as const) {
        const ids = entries[table === 'event' ? 'events' : 'noted'].map((row) => row.id);
        if (ids.length > 0)
          await db
            .deleteFrom(table)
            .where(among(tx, 'id', ids))
            .execute();
      }
      await db
        .insertInto('recent_removal')
        .values({ id, account, at, entries: JSON.stringify(entries) })
        .execute();
    },

    /**
     * Puts removed entries back, except those that were recorded again since. Returns false if the account has no such
     * removal.
     */
    async restore(tx: Tx, account: string, id: string): Promise<boolean> {
      const db = tx.on<DriveTables>();
      const found = await db
        .deleteFrom('recent_removal')
        .where('id', '=', id)
        .where('account', '=', account)
        .returning('entries')
        .executeTakeFirst();
      if (!found) return false;
      const { events, noted } = JSON.parse(found.entries) as Entries;
      tx.changed(account, 'recent');
      for (const rows of slices(events))
        await db
          .insertInto('event')
          .values(rows)
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      for (const rows of slices(noted))
        await db
          .insertInto('recent')
          .values(rows)
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      return true;
    },

    /** Deletes the removals that are older. */
    async forget(tx: Tx, before: number): Promise<void> {
      await tx.on<DriveTables>().deleteFrom('recent_removal').where('at', '<', before).execute();
    },
  };
}

export type RecentRemovalStore = ReturnType<typeof createRecentRemovalStore>;
