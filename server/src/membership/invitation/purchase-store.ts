import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { Sql, Tx } from '../../foundation/database/index.ts';
import { fromRow } from './invitation-store.ts';
import type { InvitationTables } from './invitation-tables.ts';
import { DAY_MS, type Invitation, type Purchase, type PurchaseState } from './invitation.ts';

/** One reward of an inviter, or an invitation that brought none yet. */
export interface ListedReward {
  readonly invitation: Invitation;
  readonly isPurchase: boolean;
  readonly at: number;
}

/** Numbers of a UTC day: people who were invited, and those who made their first purchase. */
export interface InviterDay {
  /** Number of days since 1970. */
  readonly day: number;
  readonly invited: number;
  readonly buyers: number;
}

export const purchaseStore = {
  /**
   * Notes the first purchase of an invited person; without effect if they weren't invited, one was noted before, or the
   * inviter may be the same person.
   */
  async note(tx: Tx, account: string, { order, id, at }: { order: string; id: string; at: number }) {
    await tx
      .on<InvitationTables>()
      .updateTable('invitation')
      .set({ purchase_state: 'paid', purchase_order: order, purchase_id: id, purchased_at: at })
      .where('account', '=', account)
      .where('state', '<>', 'unrewarded')
      .where('purchase_state', 'is', null)
      .execute();
  },

  /** Notes that an order was refunded; without effect if it isn't the purchase that was noted. */
  async refund(tx: Tx, account: string, order: string): Promise<void> {
    const state: RawBuilder<PurchaseState> = sql`case purchase_state when 'rewarded' then 'refunded' else 'closed' end`;
    await tx
      .on<InvitationTables>()
      .updateTable('invitation')
      .set({ purchase_state: state })
      .where('account', '=', account)
      .where('purchase_order', '=', order)
      .where('purchase_state', 'in', ['paid', 'rewarded'])
      .execute();
  },

  /** Returns purchases that were paid or refunded since their inviter's days were last set; by the id of the invitation. */
  async due(
    at: Sql,
    { after, limit, inviter }: { after: string; limit: number; inviter?: string },
  ): Promise<Purchase[]> {
    const rows = await at
      .on<InvitationTables>()
      .selectFrom('invitation')
      .select(['account', 'inviter', 'id as invitation', 'purchase_state as state'])
      .where('purchase_state', 'in', ['paid', 'refunded'])
      .where('id', '>', after)
      .$if(inviter !== undefined, (query) => query.where('inviter', '=', inviter!))
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map(({ state, ...rest }) => ({ ...rest, state: state! }));
  },

  /** Changes the state and the days, if the state hasn't changed meanwhile; otherwise returns false. */
  async settle(
    tx: Tx,
    { account, state }: Purchase,
    { state: to, days }: { state: PurchaseState; days: number },
  ): Promise<boolean> {
    const { numUpdatedRows } = await tx
      .on<InvitationTables>()
      .updateTable('invitation')
      .set({ purchase_state: to, purchase_days: days })
      .where('account', '=', account)
      .where('purchase_state', '=', state)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  },

  /**
   * Lists the invitations of a member, and the rewards for purchases, the newest first. Both are read in the order of an
   * index, so a page costs as much as what comes before it.
   */
  async list(
    at: Sql,
    inviter: string,
    { offset, limit }: { offset: number; limit: number },
  ): Promise<ListedReward[]> {
    const most = offset + limit;
    const { rows } = await sql<
      Selectable<InvitationTables['invitation']> & { at: number; is_purchase: number }
    >`
      select * from (
        select * from (
          select id as place, created_at as at, 0 as is_purchase, invitation.* from invitation
          where inviter = ${inviter} order by id desc limit ${most}) as invitations
        union all
        select * from (
          select purchase_id as place, purchased_at as at, 1 as is_purchase, invitation.* from invitation
          where inviter = ${inviter} and purchase_id is not null and purchase_days > 0
          order by purchase_id desc limit ${most}) as purchases
      ) as rewards
      order by place desc limit ${limit} offset ${offset}`.execute(at.on());
    return rows.map((row) => ({
      invitation: fromRow(row),
      at: Number(row.at),
      isPurchase: Number(row.is_purchase) === 1,
    }));
  },

  /** Returns how many people somebody invited and how many of them bought something, for each day in a range of times. */
  async days(
    at: Sql,
    inviter: string,
    { from, before }: { from: number; before: number },
  ): Promise<InviterDay[]> {
    const { rows } = await sql<{ day: number; invited: number; buyers: number }>`
      select day, sum(invited) as invited, sum(buyers) as buyers from (
        select created_at / ${sql.lit(DAY_MS)} as day, 1 as invited, 0 as buyers from invitation
        where inviter = ${inviter} and created_at >= ${from} and created_at < ${before}
        union all
        select purchased_at / ${sql.lit(DAY_MS)} as day, 0 as invited, 1 as buyers from invitation
        where inviter = ${inviter} and purchased_at >= ${from} and purchased_at < ${before}
      ) as happened
      group by day order by day`.execute(at.on());
    return rows.map((row) => ({
      day: Number(row.day),
      invited: Number(row.invited),
      buyers: Number(row.buyers),
    }));
  },

  /** Returns how many people that somebody invited have bought something. */
  async buyers(at: Sql, inviter: string): Promise<number> {
    const { count } = await at
      .on<InvitationTables>()
      .selectFrom('invitation')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('inviter', '=', inviter)
      .where('purchase_id', 'is not', null)
      .executeTakeFirstOrThrow();
    return Number(count);
  },
};
