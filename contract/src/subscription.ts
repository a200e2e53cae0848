import Type, { type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Phase } from './task.ts';
import { Empty, FolderId, Id, Limit, MaybeTime, oneOf, PageToken, Time } from './wire.ts';

/** Bounds that both sides keep. */
export const SUBSCRIPTIONS = {
  /** Of one member. */
  most: 50,
  /** Minutes between two runs. */
  minutesMin: 15,
  minutesMax: 10_080,
  minutesUsual: 60,
  /** Items that are remembered although a feed holds them no longer. */
  itemsKept: 500,
  /** Items of a feed that are read; those after them are passed over. */
  itemsRead: 1000,
  /** Bytes of a feed's text. */
  feedBytes: 2 * 2 ** 20,
  nameMax: 120,
  urlMax: 8192,
  /** Phrases of one filter, and characters of one phrase. */
  phrases: 50,
  phraseMax: 100,
} as const;

export const SUBSCRIPTION_KINDS = ['feed', 'link'] as const;
export type SubscriptionKind = (typeof SUBSCRIPTION_KINDS)[number];

const Phrases = Type.Array(Type.String({ minLength: 1, maxLength: SUBSCRIPTIONS.phraseMax }), {
  maxItems: SUBSCRIPTIONS.phrases,
});

/** What makes an item of a feed wanted. Nothing set takes everything. See {@link passes}. */
export const Filters = Type.Object({
  /** Words or phrases, any of which must stand in the title; none for all. */
  include: Phrases,
  /** Words or phrases, none of which may stand in the title. */
  exclude: Phrases,
  /** Bytes, for items of which the feed tells how large they are; "" for no bound. */
  min_size: Type.String({ pattern: '^\\d{0,16}$' }),
  max_size: Type.String({ pattern: '^\\d{0,16}$' }),
});
export type Filters = Static<typeof Filters>;

export const NO_FILTERS: Filters = { include: [], exclude: [], min_size: '', max_size: '' };

/** Dots, dashes and underscores stand for spaces in the titles of releases. */
const folded = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s._+\-\u2010-\u2015]+/g, ' ')
    .trim();

/** Whether an item is wanted. A phrase is found regardless of case and of how its words are joined; an unknown size passes. */
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

/** A feed whose new items are fetched, or a link that is fetched again and again. */
export const Subscription = Type.Object({
  id: Id,
  kind: oneOf(SUBSCRIPTION_KINDS),
  /** As it was given; of a feed that was found on a page, the feed's own. */
  url: Type.String(),
  /** Chosen by the member, else the feed's title once it is known, else from the address. */
  name: Type.String(),
  /** Where things go; "" with `folder_type` "" is the root. */
  parent_id: FolderId,
  /** "DOWNLOAD" for the folder that fetched things go to when nobody says where. */
  folder_type: oneOf(['', 'DOWNLOAD'] as const),
  folder_name: Type.String(),
  every_minutes: Type.Integer(),
  filters: Filters,
  active: Type.Boolean(),
  /** Whether what was there at the beginning is fetched too. */
  take_existing: Type.Boolean(),
  /** A run waits or is under way. */
  running: Type.Boolean(),
  created_time: Time,
  last_run_time: MaybeTime,
  /** "" while it is paused. */
  next_run_time: MaybeTime,
  /** What went wrong at the last run, from the error catalogue; "" otherwise. */
  error: Type.String(),
  /** The same for people. */
  message: Type.String(),
  /** Tasks that were made so far. */
  taken_count: Type.Integer(),
  /** Items that are wanted and whose task could not be made yet. */
  waiting_count: Type.Integer(),
});
export type Subscription = Static<typeof Subscription>;

/**
 *   existing   was there at the beginning
 *   filtered   the filters don't take it
 *   waiting    its task could not be made yet, and will be
 *   taken      there is a task for it
 *   failed     no task can be made for it
 */
export const ITEM_STATES = ['existing', 'filtered', 'waiting', 'taken', 'failed'] as const;
export type ItemState = (typeof ITEM_STATES)[number];

export const SubscriptionItem = Type.Object({
  id: Type.String(),
  title: Type.String(),
  /** What is fetched; "" where the item holds nothing that can be. */
  url: Type.String(),
  /** Bytes; "" where the feed doesn't tell. */
  size: Type.String(),
  published_time: MaybeTime,
  found_time: Time,
  state: oneOf(ITEM_STATES),
  error: Type.String(),
  message: Type.String(),
  /** "" where there is none, or where it is forgotten. */
  task_id: Type.String(),
  /** Of the task; "PHASE_TYPE_UNKNOW" without one. */
  phase: Phase,
  /** What the task made; "" before. */
  file_id: Type.String(),
});
export type SubscriptionItem = Static<typeof SubscriptionItem>;

export const FeedItem = Type.Object({
  title: Type.String(),
  url: Type.String(),
  size: Type.String(),
  published_time: MaybeTime,
  /** Whether the filters take it. */
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
    summary: 'Feeds and links that are fetched by themselves, newest first',
    reply: Type.Object({ subscriptions: Type.Array(Subscription) }),
  }),
  create: endpoint({
    name: 'subscription.create',
    method: 'POST',
    path: '/drive/v1/subscriptions',
    host: 'drive',
    credentials: 'required',
    summary: 'Follow a feed, or fetch a link again and again; the first run begins at once',
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
    summary: 'Change what is given; with another address it begins anew',
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
    summary: 'End it; its tasks and files stay. For a day it can be restored',
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
    summary: 'Take its removal back',
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
    summary: 'Run it now, also where it is paused; one that runs already is left to it',
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
    summary: 'What it found, and what became of each, newest first',
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
    summary: 'Fetch items that were passed over; those that are fetched already are left alone',
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
    summary: 'What a feed holds at present, and which of it filters would take; nothing is fetched',
    body: Type.Object({ url: Url, filters: Type.Optional(Type.Partial(Filters)) }),
    reply: Type.Object({
      /** The feed's own address: a page may only name it. */
      url: Type.String(),
      title: Type.String(),
      /** In the feed's order, at most 1000. */
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
