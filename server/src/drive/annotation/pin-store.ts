import { sql } from 'kysely';
import type { Sql, Tx } from '../../foundation/database/index.ts';
import type { DriveTables } from '../drive-tables.ts';

export interface PinRow {
  readonly node: string;
  readonly name: string;
}

export function createPinStore() {
  const pins = (at: Sql, account: string) =>
    at.on<DriveTables>().selectFrom('pin').where('account', '=', account);

  return {
    async list(at: Sql, account: string): Promise<PinRow[]> {
      return pins(at, account).select(['node', 'name']).orderBy('place').orderBy('node').execute();
    },

    async insert(tx: Tx, account: string, { node, name }: PinRow): Promise<void> {
      tx.changed(account, 'tags');
      await sql`
        insert into pin (node, account, name, place)
        select ${node}, ${account}, ${name}, coalesce(max(place), 0) + 1 from pin where account = ${account}`.execute(
        tx.on(),
      );
    },

    /** Returns false if there is no such pin. */
    async rename(tx: Tx, account: string, node: string, name: string): Promise<boolean> {
      tx.changed(account, 'tags');
      const { numUpdatedRows } = await tx
        .on<DriveTables>()
        .updateTable('pin')
        .set({ name })
        .where('account', '=', account)
        .where('node', '=', node)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async place(tx: Tx, account: string, nodes: readonly string[]): Promise<void> {
      tx.changed(account, 'tags');
      for (const [place, node] of nodes.entries())
        await tx
          .on<DriveTables>()
          .updateTable('pin')
          .set({ place })
          .where('account', '=', account)
          .where('node', '=', node)
          .execute();
    },

    async remove(tx: Tx, account: string, node: string): Promise<void> {
      tx.changed(account, 'tags');
      await tx
        .on<DriveTables>()
        .deleteFrom('pin')
        .where('account', '=', account)
        .where('node', '=', node)
        .execute();
    },
  };
}

export type PinStore = ReturnType<typeof createPinStore>;
