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
  /** Goes up when the address changes: what a run found under another counts no longer. */
  readonly revision: number;
  readonly name: string;
  /** Folder id, "" for the root; undefined for the folder that fetched things go to by themselves. */
  readonly parent: string | undefined;
  readonly everyMinutes: number;
  readonly filters: Filters;
  readonly active: boolean;
  readonly takeExisting: boolean;
  /** What was there at the beginning is known. */
  readonly begun: boolean;
  /** Of the feed's text, as the fetcher gave it. */
  readonly validator: string | undefined;
  /** Of a link's content; undefined where its site doesn't tell. */
  readonly version: string | undefined;
  /** Runs that failed, one after the other. */
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
/** A removal can be taken back for so long. */
export const RESTORABLE_MS = DAY_MS;
/** Items whose title, size or place differ belong to one run as long as a feed has no more than this. */
const PLACES = 1000;

/** What becomes of an item that was not taken yet. */
export function verdict(
  { filters, takeExisting }: Pick<SubscriptionRow, 'filters' | 'takeExisting'>,
  item: { title: string; size: number | undefined; url: string | undefined },
  wasThere: boolean,
): Extract<ItemState, 'existing' | 'filtered' | 'waiting' | 'failed'> {
  if (wasThere && !takeExisting) return 'existing';
  if (!passes(filters, item)) return 'filtered';
  return item.url === undefined ? 'failed' : 'waiting';
}

/** Of the item at an index of a feed, of which the first is the newest. */
export function placeOf(now: number, index: number): number {
  return now * PLACES + (PLACES - 1 - Math.min(index, PLACES - 1));
}

/** When a run that went well is followed by the next. */
export function nextRun(now: number, everyMinutes: number): number {
  return now + everyMinutes * MINUTE_MS;
}

/** Sooner than usual at first, then ever more rarely, but once a day or as often as is usual, whichever is rarer. */
export function nextTry(now: number, everyMinutes: number, failures: number): number {
  const rarest = Math.max(everyMinutes * MINUTE_MS, DAY_MS);
  return now + Math.min(rarest, FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20));
}

/** Refusals that pass by themselves, or when the member makes room. */
const PASSING: ReadonlySet<ErrorId> = new Set([
  'task_daily_create_limit',
  'task_traffic_limit',
  'task_run_nums_limit',
  'file_space_not_enough',
]);

export const isPassing = (error: ErrorId): boolean => PASSING.has(error);

/** When tasks that could not be made are tried again: limits of a day end with it. */
export function afterRefusal(now: number, everyMinutes: number, error: ErrorId): number {
  const tomorrow = (Math.floor(now / DAY_MS) + 1) * DAY_MS;
  const again =
    error === 'task_daily_create_limit' || error === 'task_traffic_limit' ? tomorrow : now + FIRST_RETRY_MS;
  return Math.min(again, nextRun(now, everyMinutes));
}

/** A web address as people paste it, made one; refuses what is none. */
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

/** What a subscription is called where nobody named it. */
export function nameFrom(url: string): string {
  const { hostname, pathname } = new URL(url);
  const last = pathname.split('/').findLast((segment) => segment !== '');
  return last === undefined ? hostname : `${hostname} / ${last}`.slice(0, 120);
}
