import Type, { type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Phase } from './task.ts';
import { Empty, FolderId, Id, Limit, MaybeTime, oneOf, PageToken, Time } from './wire.ts';

/** Limits that server and clients both observe. */
export const SUBSCRIPTIONS = {
  /** Minimum minutes between two runs. */
  minutesMin: 15,
  minutesMax: 10_080,
  minutesUsual: 60,
  /** Number of items that are remembered after they disappear from the feed. */
  itemsKept: 500,
  /** Number of items of a feed that are read; later ones are skipped. */
  itemsRead: 1000,
  /** Maximum bytes of a feed's text. */
  feedBytes: 2 * 2 ** 20,
  nameMax: 120,
  urlMax: 8192,
  /** Maximum number of phrases in one filter, and of characters in one phrase. */
  phrases: 50,
  phraseMax: 100,
} as const;

export const SUBSCRIPTION_KINDS = ['feed', 'link'] as const;
export type SubscriptionKind = (typeof SUBSCRIPTION_KINDS)[number];

const Phrases = Type.Array(Type.String({ minLength: 1, maxLength: SUBSCRIPTIONS.phraseMax }), {
  maxItems: SUBSCRIPTIONS.phrases,
});

/** Filters for the items of a feed. Empty filters accept everything. See {@link passes}. */
export const Filters = Type.Object({
  /** Words or phrases, at least one of which must be in the title; if empty, every title matches. */
  include: Phrases,
  /** Words or phrases that must not be in the title. */
  exclude: Phrases,
  /** Bytes; applies to items whose size is in the feed; "" for no limit. */
  min_size: Type.String({ pattern: '^\\d{0,16}$' }),
  max_size: Type.String({ pattern: '^\\d{0,16}$' }),
});
export type Filters = Static<typeof Filters>;

export const NO_FILTERS: Filters = { include: [], exclude: [], min_size: '', max_size: '' };

/** Release titles use dots, dashes and underscores instead of spaces. */
const folded = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s._+\-\u2010-\u2015]+/g, ' ')
    .trim();

/**
 * True if an item passes the filters. Phrases match regardless of case and of how their words are joined; items of
 * unknown size pass.
 */
export function passes(filters: Filters, item: { title: string; size: number | undefined }): boolean {
  const title = folded(item.title);
  const stands = (phrase: string): boolean => {
    const sought = folded(phrase);
    return sought !== '' && title.includes(sought);
  };
  const asked = filters.include.filter((phrase) => folded(phrase) !== '');
  if (asked.length > 0 && !asked.some(stands)) return false;
  if (filters.exclude.some(stands)) return false;
  if (item.size === undefined) return true;
  if (filters.min_size !== '' && item.size < Number(filters.min_size)) return false;
  return filters.max_size === '' || item.size <= Number(filters.max_size);
}

/** A feed whose new items are downloaded, or a link that is downloaded repeatedly. */
export const Subscription = Type.Object({
  id: Id,
  kind: oneOf(SUBSCRIPTION_KINDS),
  /** The given address; if the feed was found on a page, the feed's own address. */
  url: Type.String(),
  /** Chosen by the member; otherwise the feed's title once it is known, and until then derived from the address. */
  name: Type.String(),
  /** Destination folder; "" with `folder_type` "" means the root. */
  parent_id: FolderId,
  /** "DOWNLOAD" means the default folder for cloud downloads. */
  folder_type: oneOf(['', 'DOWNLOAD'] as const),
  folder_name: Type.String(),
  every_minutes: Type.Integer(),
  filters: Filters,
  active: Type.Boolean(),
  /** True if items that already existed when the subscription was created are downloaded as well. */
  take_existing: Type.Boolean(),
  /** True if a run is waiting or in progress. */
  running: Type.Boolean(),
  created_time: Time,
  last_run_time: MaybeTime,
  /** "" while it is paused. */
  next_run_time: MaybeTime,
  /** Error of the last run, from the error catalogue; "" if there was none. */
  error: Type.String(),
  /** The same error as a message for people. */
  message: Type.String(),
  /** Number of tasks created so far. */
  taken_count: Type.Integer(),
  /** Number of wanted items whose task couldn't be created yet. */
  waiting_count: Type.Integer(),
});
export type Subscription = Static<typeof Subscription>;

/**
 * existing   already existed when the subscription was created
 * filtered   rejected by the filters
 * waiting    its task couldn't be created yet, but will be
 * taken      has a task
 * failed     no task can be created for it
 */
export const ITEM_STATES = ['existing', 'filtered', 'waiting', 'taken', 'failed'] as const;
export type ItemState = (typeof ITEM_STATES)[number];

export const SubscriptionItem = Type.Object({
  id: Type.String(),
  title: Type.String(),
  /** Link to download; "" if the item contains none. */
  url: Type.String(),
  /** Bytes; "" if the feed has no size. */
  size: Type.String(),
  published_time: MaybeTime,
  found_time: Time,
  state: oneOf(ITEM_STATES),
  error: Type.String(),
  message: Type.String(),
  /** "" if the item has no task, or if the task was deleted. */
  task_id: Type.String(),
  /** Phase of the task; "PHASE_TYPE_UNKNOW" if there is none. */
  phase: Phase,
  /** File or folder that the task created; "" if there is none yet. */
  file_id: Type.String(),
});
export type SubscriptionItem = Static<typeof SubscriptionItem>;

export const FeedItem = Type.Object({
  title: Type.String(),
  url: Type.String(),
  size: Type.String(),
  published_time: MaybeTime,
  /** True if the item passes the filters. */
  taken: Type.Boolean(),
});
export type FeedItem = Static<typeof FeedItem>;

const Settings = {
  name: Type.Optional(Type.String({ maxLength: SUBSCRIPTIONS.nameMax })),
  parent_id: Type.Optional(FolderId),
  folder_type: Type.Optional(oneOf(['', 'DOWNLOAD'] as const)),
  every_minutes: Type.Optional(
    Type.Integer({ minimum: SUBSCRIPTIONS.minutesMin, maximum: SUBSCRIPTIONS.minutesMax }),
  ),
  filters: Type.Optional(Type.Partial(Filters)),
  active: Type.Optional(Type.Boolean()),
  take_existing: Type.Optional(Type.Boolean()),
};
const Url = Type.String({ minLength: 1, maxLength: SUBSCRIPTIONS.urlMax });
const Params = Type.Object({ id: Id });
const OneReply = Type.Object({ subscription: Subscription });

export const subscriptionApi = {
  list: endpoint({
    name: 'subscription.list',
    method: 'GET',
    path: '/drive/v1/subscriptions',
    host: 'drive',
    credentials: 'required',
    summary: 'List your subscriptions',
    description: 'Returns the feeds and links that are downloaded automatically, newest first.',
    reply: Type.Object({ subscriptions: Type.Array(Subscription) }),
  }),
  create: endpoint({
    name: 'subscription.create',
    method: 'POST',
    path: '/drive/v1/subscriptions',
    host: 'drive',
    credentials: 'required',
    summary: 'Create a subscription',
    description: 'Follows a feed, or downloads a link repeatedly. The first run starts right away.',
    body: Type.Object({ kind: oneOf(SUBSCRIPTION_KINDS), url: Url, ...Settings }),
    reply: OneReply,
    errors: ['link_unsupported', 'subscription_limit', 'file_not_found'],
  }),
  change: endpoint({
    name: 'subscription.change',
    method: 'PATCH',
    path: '/drive/v1/subscriptions/{id}',
    host: 'drive',
    credentials: 'required',
    summary: 'Update a subscription',
    description: 'Changes the given fields. With a different address, the subscription starts over.',
    params: Params,
    body: Type.Object({ url: Type.Optional(Url), ...Settings }),
    reply: OneReply,
    errors: ['subscription_not_found', 'link_unsupported', 'file_not_found'],
  }),
  remove: endpoint({
    name: 'subscription.remove',
    method: 'DELETE',
    path: '/drive/v1/subscriptions/{id}',
    host: 'drive',
    credentials: 'required',
    summary: 'Delete a subscription',
    description: 'Its tasks and files are kept. It can be restored for one day.',
    params: Params,
    reply: Empty,
    errors: ['subscription_not_found'],
  }),
  restore: endpoint({
    name: 'subscription.restore',
    method: 'POST',
    path: '/drive/v1/subscriptions/{id}/restore',
    host: 'drive',
    credentials: 'required',
    summary: 'Restore a deleted subscription',
    params: Params,
    reply: OneReply,
    errors: ['subscription_not_found', 'subscription_limit'],
  }),
  run: endpoint({
    name: 'subscription.run',
    method: 'POST',
    path: '/drive/v1/subscriptions/{id}/run',
    host: 'drive',
    credentials: 'required',
    summary: 'Run a subscription now',
    description: 'Also runs paused subscriptions. A run already in progress continues.',
    params: Params,
    reply: OneReply,
    errors: ['subscription_not_found', 'too_frequent'],
  }),
  items: endpoint({
    name: 'subscription.items',
    method: 'GET',
    path: '/drive/v1/subscriptions/{id}/items',
    host: 'drive',
    credentials: 'required',
    summary: 'List the items of a subscription',
    description: 'Returns what it found and the state of each item, newest first.',
    params: Params,
    query: Type.Object({ limit: Limit, page_token: PageToken }),
    reply: Type.Object({ items: Type.Array(SubscriptionItem), next_page_token: Type.String() }),
    errors: ['subscription_not_found'],
  }),
  take: endpoint({
    name: 'subscription.take',
    method: 'POST',
    path: '/drive/v1/subscriptions/{id}/items:take',
    host: 'drive',
    credentials: 'required',
    summary: 'Download skipped items',
    description: 'Items that already have a download are left alone.',
    params: Params,
    body: Type.Object({ ids: Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 1000 }) }),
    reply: OneReply,
    errors: ['subscription_not_found'],
  }),
  preview: endpoint({
    name: 'subscription.preview',
    method: 'POST',
    path: '/drive/v1/subscriptions:preview',
    host: 'drive',
    credentials: 'required',
    summary: 'Preview a feed',
    description:
      'Returns the current items of the feed, and which of them the filters accept. Nothing is downloaded.',
    body: Type.Object({ url: Url, filters: Type.Optional(Type.Partial(Filters)) }),
    reply: Type.Object({
      /** The feed's own address, which differs from the given one if that is a page linking to the feed. */
      url: Type.String(),
      title: Type.String(),
      /** In the feed's order, at most 1000 items. */
      items: Type.Array(FeedItem),
      taken_count: Type.Integer(),
    }),
    errors: [
      'link_unsupported',
      'link_forbidden',
      'feed_invalid',
      'source_unreachable',
      'source_not_found',
      'source_denied',
      'source_failed',
      'source_timed_out',
      'source_too_large',
      'too_frequent',
    ],
  }),
};
