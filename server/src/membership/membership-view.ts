import { textIn, type Locale, type membershipApi, type ReplyOf, type Transfer } from '@bowerbird/contract';
import { maybeTimeText } from '../foundation/index.ts';
import { monthly, type QuotaState, type TrafficTotals } from './membership.ts';
import type { Entitlements, HeldPlan } from './plan/index.ts';

const DAY_MS = 24 * 3600 * 1000;
/** The protocol's value for no limit. */
const WITHOUT_LIMIT = -1;

/** The plan of a member; of several, the one that lasts longest. The free plan does not end. */
export function planView(account: string, [first]: readonly HeldPlan[]) {
  return first
    ? { expire: maybeTimeText(first.endsAt), status: 'ok', type: 'platinum', user_id: account }
    : { expire: '', status: 'invalid', type: 'novip', user_id: account };
}

/** One item per plan. A day that has begun counts as a whole one. */
export function planItemsView(held: readonly HeldPlan[], now: number, locale: Locale) {
  return held.map(({ plan, endsAt }) => ({
    type: 'regional',
    description: textIn(plan.name, locale),
    status: 'ok',
    expire: maybeTimeText(endsAt),
    surplus_day: endsAt === undefined ? WITHOUT_LIMIT : Math.ceil((endsAt - now) / DAY_MS),
  }));
}

function transferView(bytes: number, most: number | undefined): Transfer {
  return { info: '', total_assets: most ?? WITHOUT_LIMIT, assets: bytes, size: bytes };
}

export function quantitiesView(
  account: string,
  { used, limit }: QuotaState,
  moved: TrafficTotals,
  { trafficDaily }: Entitlements,
  held: readonly HeldPlan[],
): ReplyOf<typeof membershipApi.quantities> {
  const offlineMonthly = trafficDaily === Infinity ? undefined : monthly(trafficDaily);
  const transfer = {
    offline: transferView(moved.offline, offlineMonthly),
    download: transferView(moved.download, undefined),
    upload: transferView(moved.upload, undefined),
  };
  const { status, expire } = planView(account, held);
  return {
    transfer,
    data: [],
    has_more: false,
    base: {
      user_id: account,
      info: '',
      sub_status: '',
      vip_status: status,
      expire_time: expire,
      assets: limit,
      size: used,
      ...transfer,
    },
    apps_summary: {},
  };
}
