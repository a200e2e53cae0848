import {
  formatSize,
  textIn,
  type Locale,
  type membershipApi,
  type ReplyOf,
  type Transfer,
} from '@bowerbird/contract';
import { maybeTimeText, timeText } from '../foundation/index.ts';
import { monthly, TRANSFER_KINDS, type QuotaState } from './membership.ts';
import type { Entitlements, HeldPlan } from './plan/index.ts';
import type { TrafficState } from './traffic-service.ts';

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

function transferView(bytes: number, most: number, resetAt: number): Transfer {
  if (most === Infinity) return { info: '', total_assets: WITHOUT_LIMIT, assets: bytes, size: bytes };
  return { info: '', total_assets: most, assets: bytes, size: bytes, reset_time: timeText(resetAt) };
}

/** Programs read these numbers as unsigned ones, so a limit beyond reach stands for none. */
function plainTransfer({ info, total_assets: most, assets, size }: Transfer) {
  return { info, total_assets: most === WITHOUT_LIMIT ? Number.MAX_SAFE_INTEGER : most, assets, size };
}

const UNITS = ['B', 'K', 'M', 'G', 'T', 'P'] as const;

/** `10G`, `1.5T`: as the protocol shortens sizes, in no language. */
function shortSize(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${Math.floor((bytes / 1024 ** power) * 100) / 100}${UNITS[power]}`;
}

/** A member's plan and storage in short. */
export function baseView(
  account: string,
  { used, limit }: Pick<QuotaState, 'used' | 'limit'>,
  { held, renews }: { held: readonly HeldPlan[]; renews: boolean },
) {
  const { status, expire } = planView(account, held);
  return {
    user_id: account,
    info: '',
    sub_status: renews,
    vip_status: status,
    expire_time: expire,
    assets: shortSize(limit),
    size: used,
  };
}

/** Divides the bytes beyond what the plan has among the packs, from the first to end to the last. */
function packUsage({ used, limits, packs }: TrafficState): number[] {
  const whole = packs.reduce((sum, { bytes }) => sum + bytes, 0);
  const beyond = TRANSFER_KINDS.map((kind) => used[kind] - (limits[kind] - whole));
  let rest = Math.max(0, ...beyond);
  return packs.map(({ bytes }) => {
    const part = Math.min(bytes, rest);
    rest -= part;
    return part;
  });
}

export function quantitiesView(
  account: string,
  quota: QuotaState,
  traffic: TrafficState,
  { trafficDaily }: Entitlements,
  { held, locale, renews }: { held: readonly HeldPlan[]; locale: Locale; renews: boolean },
): ReplyOf<typeof membershipApi.quantities> {
  const { used: moved, limits, packs, resetAt } = traffic;
  const view = (kind: 'download' | 'upload'): Transfer => transferView(moved[kind], limits[kind], resetAt);
  const isLimited = limits.download !== Infinity;
  const transfer = {
    offline:
      limits.offline === Infinity
        ? // The daily limit of cloud downloads, as a month of it.
          { ...transferView(moved.offline, Infinity, resetAt), total_assets: monthlyOr(trafficDaily) }
        : transferView(moved.offline, Math.min(limits.offline, monthly(trafficDaily)), resetAt),
    // Without a limit, there is one number for all downloads.
    download: isLimited ? view('download') : transferView(moved.download + moved.shared, Infinity, resetAt),
    upload: view('upload'),
  };
  const usage = packUsage(traffic);
  return {
    transfer,
    data: packs.map(({ bytes, startsAt, endsAt }, at) => ({
      user_id: account,
      product: 'traffic',
      product_name: formatSize(locale, bytes),
      type: 'traffic',
      activate_time: timeText(startsAt),
      expire_time: maybeTimeText(endsAt),
      assets: bytes,
      size: usage[at]!,
      status: 'ok',
    })),
    has_more: false,
    base: {
      ...baseView(account, quota, { held, renews }),
      offline: plainTransfer(transfer.offline),
      download: plainTransfer(transfer.download),
      upload: plainTransfer(transfer.upload),
      download_daily: { info: '', total_assets: 0, assets: 0, size: 0 },
    },
    apps_summary: {},
  };
}

const monthlyOr = (daily: number): number => (daily === Infinity ? WITHOUT_LIMIT : monthly(daily));
