import {
  ApiFailure,
  passes,
  type ErrorId,
  type Filters,
  type ItemState,
  type SubscriptionKind,
} from '@bowerbird/contract';

export interface SubscriptionRow {
  readonly id: string;
  readonly account: string;
  readonly kind: SubscriptionKind;
  readonly url: string;
  /** Incremented when the address changes, so that results of runs for an earlier address are discarded. */
  readonly revision: number;
  readonly name: string;
  /** Folder id, "" for the root; undefined for the default folder for downloads. */
  readonly parent: string | undefined;
  readonly everyMinutes: number;
  readonly filters: Filters;
  readonly active: boolean;
  readonly takeExisting: boolean;
  /** True once the items that existed at the beginning are recorded. */
  readonly begun: boolean;
  /** Validator of the feed's text, as returned by the fetcher. */
  readonly validator: string | undefined;
  /** Version of a link's content; undefined if the site sends none. */
  readonly version: string | undefined;
  /** Number of consecutive failed runs. */
  readonly failures: number;
  readonly failure: Failure | undefined;
  readonly lastRunAt: number | undefined;
  readonly nextRunAt: number;
  readonly runningSince: number | undefined;
  readonly createdAt: number;
}

export interface Failure {
  readonly error: ErrorId;
  readonly facts: Readonly<Record<string, string>>;
}

/** Failure to keep. It is read later, so the seconds to wait are left out: they would be wrong by then. */
export function failureFrom({ id, facts }: ApiFailure): Failure {
  const lasting = Object.entries(facts).filter(([name]) => name !== 'retry_in');
  return { error: id, facts: Object.fromEntries(lasting) };
}

export interface ItemRow {
  readonly key: string;
  readonly title: string;
  readonly url: string | undefined;
  readonly size: number | undefined;
  readonly publishedAt: number | undefined;
  readonly foundAt: number;
  readonly state: ItemState;
  readonly task: string | undefined;
  readonly failure: Failure | undefined;
  /** Larger is newer. */
  readonly place: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const FIRST_RETRY_MS = 15 * MINUTE_MS;
/** Time within which a removed subscription can be restored. */
export const RESTORABLE_MS = DAY_MS;
/** Maximum number of items in one run that have places of their own. */
const PLACES = 1000;

/** Decides the state of an item that was not taken yet. */
export function verdict(
  { filters, takeExisting }: Pick<SubscriptionRow, 'filters' | 'takeExisting'>,
  item: { title: string; size: number | undefined; url: string | undefined },
  wasThere: boolean,
): Extract<ItemState, 'existing' | 'filtered' | 'waiting' | 'failed'> {
  if (wasThere && !takeExisting) return 'existing';
  if (!passes(filters, item)) return 'filtered';
  return item.url === undefined ? 'failed' : 'waiting';
}

/** Returns the sort position of the item at an index of a feed, whose first item is the newest. */
export function placeOf(now: number, index: number): number {
  return now * PLACES + (PLACES - 1 - Math.min(index, PLACES - 1));
}

/** Returns the time of the next run after a successful one. */
export function nextRun(now: number, everyMinutes: number): number {
  return now + everyMinutes * MINUTE_MS;
}

/**
 * Returns the time of the next attempt after failures: soon at first, then less and less often, down to once
 * a day or the usual interval, whichever is longer.
 */
export function nextTry(now: number, everyMinutes: number, failures: number): number {
  const rarest = Math.max(everyMinutes * MINUTE_MS, DAY_MS);
  return now + Math.min(rarest, FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20));
}

/** Refusals that end by themselves, or once the member frees space. */
const PASSING: ReadonlySet<ErrorId> = new Set([
  'task_daily_create_limit',
  'task_daily_create_limit_vip',
  'task_traffic_limit',
  'traffic_offline_limit',
  'task_run_nums_limit',
  'file_space_not_enough',
]);

/** Refusals that end with the day. */
const OF_A_DAY: ReadonlySet<ErrorId> = new Set([
  'task_daily_create_limit',
  'task_daily_create_limit_vip',
  'task_traffic_limit',
]);

export const isPassing = (error: ErrorId): boolean => PASSING.has(error);

/** Returns the time to retry tasks that could not be created; daily limits end with the day. */
export function afterRefusal(now: number, everyMinutes: number, error: ErrorId): number {
  const tomorrow = (Math.floor(now / DAY_MS) + 1) * DAY_MS;
  const again = OF_A_DAY.has(error) ? tomorrow : now + FIRST_RETRY_MS;
  return Math.min(again, nextRun(now, everyMinutes));
}

/** Normalizes a web address as people paste it; throws if it is not one. */
export function addressOf(text: string): string {
  const bare = text
    .trim()
    .replace(/^feed:(?:\/\/)?(?=https?:)/i, '')
    .replace(/^feed:/i, 'https:');
  const url = URL.parse(/^[\w-]+(?:\.[\w-]+)+(?:[/:?#]|$)/.test(bare) ? `https://${bare}` : bare);
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '')
    throw new ApiFailure('link_unsupported');
  url.hash = '';
  return url.href;
}

/** Returns the name of a subscription that was not given one. */
export function nameFrom(url: string): string {
  const { hostname, pathname } = new URL(url);
  const last = pathname.split('/').findLast((segment) => segment !== '');
  return last === undefined ? hostname : `${hostname} / ${last}`.slice(0, 120);
}
