import {
  textIn,
  TRAFFIC_KINDS,
  type ledgerApi,
  type LedgerItem,
  type LedgerResource,
  type LimitItem,
  type Locale,
  type ReplyOf,
} from '@bowerbird/contract';
import { FOLDER, type Breakdown, type NodeRow } from '../drive/index.ts';
import { maybeTimeText, timeText } from '../foundation/index.ts';
import {
  BASE,
  type ExplainedPart,
  type LedgerEntry,
  type Plans,
  type QuotaState,
  type TrafficState,
} from '../membership/index.ts';

const resourceOf = (resource: LedgerEntry['resource']): LedgerResource =>
  resource === 'limit' ? 'limit' : 'usage';

export function ledgerItem(
  { id, resource, reason, reference, amount, at }: LedgerEntry,
  { plans, locale, file }: { plans: Plans; locale: Locale; file: NodeRow | undefined },
): LedgerItem {
  const isBase = resource === 'limit' && reference === BASE && reason === 'plan';
  const plan = resource === 'limit' && reason === 'plan' && !isBase ? plans.find(reference) : undefined;
  return {
    id,
    resource: resourceOf(resource),
    cause: isBase ? BASE : reason,
    amount: String(amount),
    created_time: timeText(at),
    plan: plan ? { id: plan.id, name: textIn(plan.name, locale) } : null,
    file: file
      ? {
          id: file.id,
          name: file.name,
          kind: file.kind === FOLDER ? 'drive#folder' : 'drive#file',
          parent_id: file.parent === file.account ? '' : file.parent,
        }
      : null,
  };
}

export const causeItem = ({ resource, reason }: Pick<LedgerEntry, 'resource' | 'reason'>) => ({
  resource: resourceOf(resource),
  cause: reason,
});

function limitItem(
  { reference, kind, reason, plan, bytes, since, endsAt, graceEndsAt, terms }: ExplainedPart,
  now: number,
  locale: Locale,
): LimitItem {
  return {
    id: reference,
    kind,
    cause: reason,
    plan: plan ? { id: plan.id, name: textIn(plan.name, locale) } : null,
    bytes: String(bytes),
    since: timeText(since),
    until: maybeTimeText(endsAt),
    grace_until: maybeTimeText(graceEndsAt),
    ended: endsAt !== undefined && endsAt <= now,
    benefits: terms.map(({ cause, startsAt, endsAt: end }) => ({
      cause,
      start_time: timeText(startsAt),
      end_time: maybeTimeText(end),
    })),
  };
}

export function limitView(
  { limit, used, reserved }: QuotaState,
  parts: readonly ExplainedPart[],
  now: number,
  locale: Locale,
): ReplyOf<typeof ledgerApi.limit> {
  return {
    limit: String(limit),
    used: String(used),
    reserved: String(reserved),
    parts: parts.map((part) => limitItem(part, now, locale)),
  };
}

export function usageView(
  { used }: QuotaState,
  { kinds, folders, otherFolders, root, trash, versions }: Breakdown,
): ReplyOf<typeof ledgerApi.usage> {
  const amount = ({ bytes, files }: Breakdown['root']) => ({ bytes: String(bytes), files });
  const live = kinds.reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    used: String(used),
    kinds: kinds.map(({ category, ...sum }) => ({ category, ...amount(sum) })),
    folders: folders.map(({ id, name, ...sum }) => ({ id, name, ...amount(sum) })),
    other_folders: { folders: otherFolders.folders, ...amount(otherFolders) },
    root: amount(root),
    trash: amount(trash),
    versions: amount(versions),
    // A file that arrives while the drive is counted may be in one number and not in the other.
    rest: String(Math.max(0, used - live - trash.bytes - versions.bytes)),
  };
}

export const trafficView = ({
  used,
  limits,
  packs,
  resetAt,
}: TrafficState): ReplyOf<typeof ledgerApi.traffic> => ({
  reset_time: timeText(resetAt),
  kinds: TRAFFIC_KINDS.map((kind) => ({
    kind,
    used: String(used[kind]),
    limit: String(limits[kind] === Infinity ? -1 : limits[kind]),
  })),
  packs: packs.map(({ bytes, endsAt }) => ({ bytes: String(bytes), until: maybeTimeText(endsAt) })),
});
