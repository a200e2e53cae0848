import type { Selectable } from 'kysely';
import type { Database, Sql, Tx } from '../../foundation/database/index.ts';
import { removeRows, removeRowsOfAccount } from '../../foundation/database/remove-rows.ts';
import type { InvitationTables } from './invitation-tables.ts';
import type { Invitation, InvitationState } from './invitation.ts';

export const fromRow = (row: Selectable<InvitationTables['invitation']>): Invitation => ({
  id: row.id,
  account: row.account,
  inviter: row.inviter,
  state: row.state,
  days: Number(row.days),
  purchaseDays: Number(row.purchase_days),
  createdAt: row.created_at,
  settledAt: row.settled_at ?? undefined,
});

export const invitationStore = {
  async codeOf(sql: Sql, account: string): Promise<string | undefined> {
    const row = await sql
      .on<InvitationTables>()
      .selectFrom('invite_code')
      .select('code')
      .where('account', '=', account)
      .executeTakeFirst();
    return row?.code;
  },

  /** Keeps an existing code of the account; throws a unique violation if another account has this one. */
  async proposeCode(tx: Tx, account: string, code: string): Promise<void> {
    await tx
      .on<InvitationTables>()
      .insertInto('invite_code')
      .values({ account, code })
      .onConflict((conflict) => conflict.column('account').doNothing())
      .execute();
  },

  async accountOf(sql: Sql, code: string): Promise<string | undefined> {
    const row = await sql
      .on<InvitationTables>()
      .selectFrom('invite_code')
      .select('account')
      .where('code', '=', code)
      .executeTakeFirst();
    return row?.account;
  },

  /** Returns false if the person was invited before. */
  async insert(
    tx: Tx,
    { id, account, inviter, state, createdAt }: Omit<Invitation, 'days' | 'purchaseDays' | 'settledAt'>,
  ): Promise<boolean> {
    const result = await tx
      .on<InvitationTables>()
      .insertInto('invitation')
      .values({
        id,
        account,
        inviter,
        state,
        days: 0,
        created_at: createdAt,
        settled_at: null,
        purchase_state: null,
        purchase_order: null,
        purchase_id: null,
        purchased_at: null,
      })
      .onConflict((conflict) => conflict.column('account').doNothing())
      .executeTakeFirst();
    return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
  },

  /** Finds the invitation that led to an account. */
  async find(sql: Sql, account: string): Promise<Invitation | undefined> {
    const row = await sql
      .on<InvitationTables>()
      .selectFrom('invitation')
      .selectAll()
      .where('account', '=', account)
      .executeTakeFirst();
    return row && fromRow(row);
  },

  /** Lists whom a member invited, the newest first. */
  async list(
    sql: Sql,
    inviter: string,
    { offset, limit }: { offset: number; limit: number },
  ): Promise<Invitation[]> {
    const rows = await sql
      .on<InvitationTables>()
      .selectFrom('invitation')
      .selectAll()
      .where('inviter', '=', inviter)
      .orderBy('id', 'desc')
      .offset(offset)
      .limit(limit)
      .execute();
    return rows.map(fromRow);
  },

  async count(sql: Sql, inviter: string): Promise<number> {
    const { count } = await sql
      .on<InvitationTables>()
      .selectFrom('invitation')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('inviter', '=', inviter)
      .executeTakeFirstOrThrow();
    return Number(count);
  },

  /**
   * Returns waiting invitations, created since a time, of people who have stored something; in the order of their ids. With
   * an `inviter`, only theirs.
   */
  async due(
    sql: Sql,
    { since, after, limit, inviter }: { since: number; after: string; limit: number; inviter?: string },
  ): Promise<Invitation[]> {
    const rows = await sql
      .on<InvitationTables>()
      .selectFrom('invitation')
      .innerJoin('quota', 'quota.account', 'invitation.account')
      .selectAll('invitation')
      .where('state', '=', 'waiting')
      .where('invitation.id', '>', after)
      .where('created_at', '>', since)
      .where('storage_used', '>', 0)
      .$if(inviter !== undefined, (query) => query.where('inviter', '=', inviter!))
      .orderBy('invitation.id')
      .limit(limit)
      .execute();
    return rows.map(fromRow);
  },

  async settle(tx: Tx, account: string, state: InvitationState, days: number, at: number): Promise<void> {
    await tx
      .on<InvitationTables>()
      .updateTable('invitation')
      .set({ state, days, settled_at: at })
      .where('account', '=', account)
      .execute();
  },

  /** Deletes the account's invite code and all invitations by it and of it, in slices. Returns the number of rows. */
  async eraseAccount(database: Database, account: string, signal: AbortSignal): Promise<number> {
    const tables = ['invitation', 'invite_code'] as const;
    return (
      (await removeRowsOfAccount<InvitationTables>(database, tables, account, signal)) +
      (await removeRows<InvitationTables, 'invitation'>(database, 'invitation', { inviter: account }, signal))
    );
  },
};
