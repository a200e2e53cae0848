import type { Sql, Tx } from '../../foundation/database/index.ts';
import type { PaymentTables } from './payment-tables.ts';
import type { EndingKind } from './payment.ts';

/** Something that has to be ended at the payment service. It has no account, because it outlives erased ones. */
export interface Ending {
  /** The payment service's id. */
  readonly id: string;
  readonly kind: EndingKind;
  /** Attempts that failed. */
  readonly tries: number;
  readonly dueAt: number;
}

export const endingStore = {
  async insert(tx: Tx, { id, kind, dueAt }: Omit<Ending, 'tries'>): Promise<void> {
    await tx
      .on<PaymentTables>()
      .insertInto('payment_ending')
      .values({ id, kind, tries: 0, due_at: dueAt })
      // Ending a renewal now is more than ending it after its term.
      .onConflict((conflict) =>
        kind === 'renewing'
          ? conflict.column('id').doNothing()
          : conflict.column('id').doUpdateSet({ kind, tries: 0, due_at: dueAt }),
      )
      .execute();
  },

  async due(sql: Sql, now: number, limit: number): Promise<Ending[]> {
    const rows = await sql
      .on<PaymentTables>()
      .selectFrom('payment_ending')
      .selectAll()
      .where('due_at', '<=', now)
      .orderBy('due_at')
      .limit(limit)
      .execute();
    return rows.map(({ id, kind, tries, due_at: dueAt }) => ({
      id,
      kind,
      tries: Number(tries),
      dueAt: Number(dueAt),
    }));
  },

  async postpone(tx: Tx, id: string, { tries, dueAt }: Pick<Ending, 'tries' | 'dueAt'>): Promise<void> {
    await tx
      .on<PaymentTables>()
      .updateTable('payment_ending')
      .set({ tries, due_at: dueAt })
      .where('id', '=', id)
      .execute();
  },

  /** Removes what was ended, unless more has to be ended by now. */
  async remove(tx: Tx, { id, kind }: Pick<Ending, 'id' | 'kind'>): Promise<void> {
    await tx
      .on<PaymentTables>()
      .deleteFrom('payment_ending')
      .where('id', '=', id)
      .where('kind', '=', kind)
      .execute();
  },
};
