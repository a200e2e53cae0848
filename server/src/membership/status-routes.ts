import { formatSize, statusApi, textIn } from '@bowerbird/contract';
import type { Database, Sql } from '../foundation/database/index.ts';
import type { Api } from '../foundation/http/index.ts';
import { maybeTimeText, timeText, type Clock } from '../foundation/index.ts';
import type { Quota } from './membership-service.ts';
import { planItemsView, planView, shortSize } from './membership-view.ts';
import { isInForce, type Benefits, type Plans, type Term } from './plan/index.ts';

/** Returns whether a plan of an account, or the given one, renews by itself. */
export type Renews = (sql: Sql, account: string, plan?: string) => Promise<boolean>;

/** Returns whether an account has created all cloud downloads that it may create today. */
export type IsOutOfTasks = (account: string) => Promise<boolean>;

interface Parts {
  database: Database;
  quota: Quota;
  benefits: Benefits;
  plans: Pick<Plans, 'graceMs'>;
  renews: Renews;
  isOutOfTasks: IsOutOfTasks;
  /** True if members can buy a plan. */
  isSold: boolean;
  siteUrl: string | undefined;
  clock: Clock;
}

const DAY_MS = 24 * 3600 * 1000;

/** Days of a cause that are left; a day that has begun counts as a whole one. */
function daysLeft(terms: readonly Term[], cause: Term['cause'], now: number): number {
  const ends = terms.flatMap((term) =>
    term.cause === cause && term.endsAt !== undefined ? [term.endsAt] : [],
  );
  return Math.max(0, ...ends.map((end) => Math.ceil((end - now) / DAY_MS)));
}

/** Plans and storage of a member, in the shapes in which different pages and apps ask for them. */
export function mountStatus(
  api: Api,
  { database, quota, benefits, plans, renews, isOutOfTasks, isSold, siteUrl, clock }: Parts,
): void {
  api.handle(statusApi.user, async ({ viewer: { account }, caller: { locale } }) => {
    const terms = await benefits.list(database, account);
    const held = await benefits.held(database, account);
    const { limit, used, reserved } = await quota.of(database, account);
    const { user_id: userId, ...plan } = planView(account, held);
    const now = clock.now();
    return {
      userId,
      premium: held.length > 0,
      ...plan,
      limit: String(limit),
      usage: String(used),
      overFreeTaskLimit: await isOutOfTasks(account),
      overStorageLimit: used + reserved >= limit,
      freeDays: daysLeft(terms, 'free_days', now),
      getFreeVipCalled: terms.some(({ cause }) => cause === 'free_days'),
      vipInfo: { vipItem: planItemsView(held, now, locale) },
    };
  });

  api.handle(statusApi.spaces, async ({ viewer: { account }, caller: { locale } }) => {
    const now = clock.now();
    const held = await benefits.held(database, account);
    const { limit, used } = await quota.of(database, account);
    const { status, expire } = planView(account, held);
    // Additional storage remains for the grace period, like that of a plan.
    const packs = (await benefits.list(database, account)).filter(
      (term) =>
        term.kind === 'storage' &&
        isInForce(
          term.endsAt === undefined || term.revokedAt !== undefined
            ? term
            : { ...term, endsAt: term.endsAt + plans.graceMs },
          now,
        ),
    );
    return {
      data: packs.map(({ bytes, startsAt, endsAt }) => ({
        user_id: account,
        product: 'space',
        product_name: formatSize(locale, bytes),
        type: 'space' as const,
        activate_time: timeText(startsAt),
        expire_time: maybeTimeText(endsAt),
        assets: bytes,
        size: bytes,
        status: 'ok' as const,
      })),
      has_more: false,
      size: String(limit),
      vip_status: status,
      base: {
        user_id: account,
        info: '',
        sub_status: await renews(database, account),
        vip_status: status,
        expire_time: expire,
        assets: shortSize(limit),
        size: used,
      },
    };
  });

  api.handle(statusApi.subscriptions, async ({ viewer: { account }, caller: { locale } }) => {
    const data = [];
    for (const { plan, endsAt } of await benefits.held(database, account))
      data.push({
        product: plan.id,
        product_name: textIn(plan.name, locale),
        type: 'platinum',
        status: 'ok' as const,
        sub_status: await renews(database, account, plan.id),
        expire_time: maybeTimeText(endsAt),
      });
    return { sub_status: data.some((one) => one.sub_status), data };
  });

  api.handle(statusApi.upgrade, async ({ caller }) => ({
    result: 'ACCEPTED' as const,
    message: '',
    redirect_uri: isSold ? `${siteUrl ?? caller.origin}/drive/payment` : '',
  }));
}
