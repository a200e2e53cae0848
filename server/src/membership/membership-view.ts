import type { membershipApi, ReplyOf, Transfer } from '@bowerbird/contract';
import type { Allowances, QuotaState, TrafficTotals } from './membership.ts';

/** Plan of every member: it is free, so it does not expire. */
export function planView(account: string) {
  return { expire: '', status: 'invalid', type: 'novip', user_id: account };
}

const WITHOUT_LIMIT = -1;

function transferView(bytes: number, most: number | undefined): Transfer {
  return { info: '', total_assets: most ?? WITHOUT_LIMIT, assets: bytes, size: bytes };
}

export function quantitiesView(
  account: string,
  { used, limit }: QuotaState,
  moved: TrafficTotals,
  allowances: Allowances,
): ReplyOf<typeof membershipApi.quantities> {
  const transfer = {
    offline: transferView(moved.offline, allowances.offline),
    download: transferView(moved.download, undefined),
    upload: transferView(moved.upload, undefined),
  };
  const { status, expire } = planView(account);
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
