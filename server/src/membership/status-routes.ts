import { formatSize, statusApi, textIn } from '@bowerbird/contract';
import type { Database, Sql } from '../foundation/database/index.ts';
import type { Api } from '../foundation/http/index.ts';
import { maybeTimeText, timeText, type Clock } from '../foundation/index.ts';
import type { Quota } from './membership-service.ts';
import { baseView, planItemsView, planView } from './membership-view.ts';
import { daysLeft, isInForce, withGrace, type Benefits, type Plans } from './plan/index.ts';

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
    const free = terms.find(({ cause }) => cause === 'free_days');
    return {
      userId,
      premium: held.length > 0,
      ...plan,
      limit: String(limit),
      usage: String(used),
      overFreeTaskLimit: await isOutOfTasks(account),
      overStorageLimit: used + reserved >= limit,
      freeDays: daysLeft(free, now),
      getFreeVipCalled: free !== undefined,
      vipInfo: { vipItem: planItemsView(held, now, locale) },
    };
  });

  api.handle(statusApi.spaces, async ({ viewer: { account }, caller: { locale } }) => {
    const now = clock.now();
    const held = await benefits.held(database, account);
    const state = await quota.of(database, account);
    const base = baseView(account, state, { held, renews: await renews(database, account) });
    const packs = (await benefits.list(database, account)).filter(
      (term) => term.kind === 'storage' && isInForce(withGrace(term, plans.graceMs), now),
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
      size: String(state.limit),
      vip_status: base.vip_status,
      base,
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
