import { sql, type Selectable } from 'kysely';
import type { Database, Sql, Tx } from '../../foundation/database/index.ts';
import { removeRowsOfAccount } from '../../foundation/database/remove-rows.ts';
import type { BenefitTables } from './benefit-tables.ts';
import type { Term } from './benefit.ts';
import { LOOKED_AT_BEFORE_MS } from './reminder.ts';

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
    tx.changed(term.account, 'plan');
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
        remind_at: null,
      })
      .onConflict((conflict) => conflict.columns(['account', 'cause', 'reference']).doNothing())
      .executeTakeFirst();
    return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
  },

  /** Returns the benefits of an account, oldest first; only those that end after a time, if one is given. */
  async list(at: Sql, account: string, endingAfter?: number): Promise<Term[]> {
    const all = at
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
  async setTerm(tx: Tx, { id, account, startsAt, endsAt, revokedAt }: Term): Promise<void> {
    tx.changed(account, 'plan');
    await tx
      .on<BenefitTables>()
      .updateTable('benefit')
      .set({ starts_at: startsAt, ends_at: endsAt ?? null, revoked_at: revokedAt ?? null })
      .where('id', '=', id)
      .execute();
  },

  /** Lets the ends of all plans of an account that aren't over be looked at, because they may have moved. */
  async remindAgain(tx: Tx, account: string, endingAfter: number): Promise<void> {
    await tx
      .on<BenefitTables>()
      .updateTable('benefit')
      .set({ remind_at: sql<number>`ends_at - ${LOOKED_AT_BEFORE_MS}` })
      .where('account', '=', account)
      .where('kind', '=', 'plan')
      .where('revoked_at', 'is', null)
      .where('ends_at', '>', endingAfter)
      .execute();
  },

  /** Returns plans whose end may have to be announced by now. */
  async toRemind(at: Sql, now: number, limit: number): Promise<{ account: string; id: string }[]> {
    return at
      .on<BenefitTables>()
      .selectFrom('benefit')
      .select(['account', 'id'])
      .where('remind_at', '<=', now)
      .orderBy('remind_at')
      .limit(limit)
      .execute();
  },

  async reminding(at: Sql, id: string): Promise<{ remindAt: number | undefined; told: number } | undefined> {
    const row = await at
      .on<BenefitTables>()
      .selectFrom('benefit')
      .select(['remind_at', 'reminded'])
      .where('id', '=', id)
      .executeTakeFirst();
    return row && { remindAt: row.remind_at ?? undefined, told: row.reminded };
  },

  async setReminding(
    tx: Tx,
    id: string,
    { remindAt, told }: { remindAt: number | undefined; told: number },
  ): Promise<void> {
    await tx
      .on<BenefitTables>()
      .updateTable('benefit')
      .set({ remind_at: remindAt ?? null, reminded: told })
      .where('id', '=', id)
      .execute();
  },

  /** Deletes the account's benefits, in slices. Returns the number of rows removed. */
  eraseAccount: (database: Database, account: string, signal: AbortSignal): Promise<number> =>
    removeRowsOfAccount<BenefitTables>(database, ['benefit'], account, signal),
};
