import { sql, type Kysely } from 'kysely';

/**
 * When a member is to be reminded of the end of a plan, and the last reminder that was sent: 1 a week before, 2 a day
 * before, 3 when the grace period begins. `plan_mail` is 0 for members who don't want these emails.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(db);
  await run(`alter table "benefit" add column "remind_at" bigint`);
  await run(`alter table "benefit" add column "reminded" bigint not null default 0`);
  await run(`create index "benefit_reminder" on "benefit" (remind_at) where remind_at is not null`);
  // The reminders that are past by now are skipped when the term is looked at.
  await run(
    `update "benefit" set remind_at = ends_at - 604800000 where kind = 'plan' and ends_at is not null and revoked_at is null`,
  );
  await run(`alter table "account" add column "plan_mail" bigint not null default 1`);
}
