import type { Selectable } from 'kysely';
import type { Database, Sql, Tx } from '../../foundation/database/index.ts';
import { removeRowsOfAccount } from '../../foundation/database/remove-rows.ts';
import type { BenefitTables } from './benefit-tables.ts';
import type { Term } from './benefit.ts';

const toTerm = (row: Selectable<BenefitTables['benefit']>): Term => ({
  id: row.id,
  account: row.account,
  kind: row.kind,
  plan: row.plan,
  bytes: row.bytes,
  length: row.length ?? undefined,
  cause: row.cause,
  reference: row.reference,
  grantedAt: row.granted_at,
  revokedAt: row.revoked_at ?? undefined,
  startsAt: row.starts_at,
  endsAt: row.ends_at ?? undefined,
});

export const benefitStore = {
  /** Returns false if the cause has granted this already. */
  async insert(tx: Tx, term: Term): Promise<boolean> {
    const result = await tx
      .on<BenefitTables>()
      .insertInto('benefit')
      .values({
        id: term.id,
        account: term.account,
        kind: term.kind,
        plan: term.plan,
        bytes: term.bytes,
        length: term.length ?? null,
        cause: term.cause,
        reference: term.reference,
        granted_at: term.grantedAt,
        revoked_at: term.revokedAt ?? null,
        starts_at: term.startsAt,
        ends_at: term.endsAt ?? null,
      })
      .onConflict((conflict) => conflict.columns(['account', 'cause', 'reference']).doNothing())
      .executeTakeFirst();
    return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
  },

  /** Returns the benefits of an account, oldest first; only those that end after a time, if one is given. */
  async list(sql: Sql, account: string, endingAfter?: number): Promise<Term[]> {
    const all = sql
      .on<BenefitTables>()
      .selectFrom('benefit')
      .selectAll()
      .where('account', '=', account)
      .orderBy('granted_at')
      .orderBy('id');
    const some =
      endingAfter === undefined
        ? all
        : all.where((where) => where.or([where('ends_at', 'is', null), where('ends_at', '>', endingAfter)]));
    return (await some.execute()).map(toTerm);
  },

  /** Writes when a benefit is in force, and whether it was revoked. */
  async setTerm(tx: Tx, { id, startsAt, endsAt, revokedAt }: Term): Promise<void> {
    await tx
      .on<BenefitTables>()
      .updateTable('benefit')
      .set({ starts_at: startsAt, ends_at: endsAt ?? null, revoked_at: revokedAt ?? null })
      .where('id', '=', id)
      .execute();
  },

  /** Deletes the account's benefits, in slices. Returns the number of rows removed. */
  eraseAccount: (database: Database, account: string, signal: AbortSignal): Promise<number> =>
    removeRowsOfAccount<BenefitTables>(database, ['benefit'], account, signal),
};
