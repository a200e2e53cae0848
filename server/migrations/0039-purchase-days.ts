import { sql, type Kysely } from 'kysely';

/**
 * First purchases of invited people, for which their inviters get days: `purchase_id` is the id of that reward, and
 * begins with its time. The number of times that the codes of a batch were redeemed, and an index for orders in a
 * state, the newest first. Times are milliseconds.
 */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const text = dialect === 'postgres' ? 'text collate "C"' : 'text';
  const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(db);

  await run(`alter table "invitation" add column "purchase_state" ${text}`);
  await run(`alter table "invitation" add column "purchase_order" ${text}`);
  await run(`alter table "invitation" add column "purchase_id" ${text}`);
  await run(`alter table "invitation" add column "purchase_days" bigint not null default 0`);
  await run(`alter table "invitation" add column "purchased_at" bigint`);
  await run(
    `create index "invitation_purchase" on "invitation" (inviter, purchase_id) where purchase_id is not null`,
  );
  await run(
    `create index "invitation_purchase_due" on "invitation" (id) where purchase_state in ('paid', 'refunded')`,
  );

  await run(`alter table "activation_batch" add column "used" bigint not null default 0`);
  await run(`update "activation_batch" set "used" = "count" * "uses" - coalesce(
    (select sum("uses_left") from "activation_code" where "batch" = "activation_batch"."id"), 0)`);
  await run(`create index "member_order_newest" on "member_order" (state, id)`);
}
