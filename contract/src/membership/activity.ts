import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { ACTIVITIES } from '../site/site-document.ts';
import { Decimal, Limit, MaybeTime, oneOf, Time } from '../wire.ts';
import { PRODUCT_KINDS } from './order.ts';

/** Kinds of activities; `text` is only a page to read. */
export const ACTIVITY_TYPES = ['text', 'compensation', 'daily_gift', 'sale'] as const;
export type ActivityType = (typeof ACTIVITY_TYPES)[number];

export const ACTIVITY_STATES = ['coming', 'running', 'over'] as const;
export type ActivityState = (typeof ACTIVITY_STATES)[number];

/** A UTC date such as 2026-12-24. */
const Day = Type.String({ pattern: String.raw`^\d{4}-\d{2}-\d{2}$` });

/** A plan, or additional storage or traffic, that an activity gives for some days. */
const Gift = Type.Object({
  kind: oneOf(PRODUCT_KINDS),
  /** Name of the plan, in the caller's language; `""` for the others. */
  name: Type.String(),
  /** Bytes of additional storage, or of additional traffic per month and kind; `"0"` for a plan. */
  bytes: Decimal,
  days: Type.Integer(),
});
export type ActivityGift = Static<typeof Gift>;

/** An activity, with its texts in the caller's language. */
const Activity = Type.Object({
  name: oneOf(ACTIVITIES),
  /** The name, or what distinguishes several compensations. */
  id: Type.String(),
  type: oneOf(ACTIVITY_TYPES),
  state: oneOf(ACTIVITY_STATES),
  title: Type.String(),
  lead: Type.String(),
  /** Address of its page on this site, without a language. */
  path: Type.String(),
  begin_time: Time,
  /** The first moment in which it doesn't run any more. */
  end_time: Time,
});
export type ActivitySummary = Static<typeof Activity>;

/**
 * State of a day of a calendar for the caller: `opened`; `open` if the gift can be opened now; `past` if it wasn't
 * opened on its day; `coming`.
 */
export const GIFT_DAY_STATES = ['opened', 'open', 'past', 'coming'] as const;

const GiftDay = Type.Object({
  day: Day,
  state: oneOf(GIFT_DAY_STATES),
  /** Null unless the caller has opened it. */
  gift: Type.Union([Gift, Type.Null()]),
});
export type GiftDay = Static<typeof GiftDay>;

const Compensation = Type.Object({
  gifts: Type.Array(Gift),
  /** False for callers who aren't signed in. */
  affected: Type.Boolean(),
  /** When the caller claimed it; `""` if they haven't. */
  claimed_time: MaybeTime,
});
export type Compensation = Static<typeof Compensation>;

const Calendar = Type.Object({
  today: Day,
  days: Type.Array(GiftDay),
  /** When the next gift can be opened; `""` if there are no more. */
  next_time: MaybeTime,
});
export type GiftCalendar = Static<typeof Calendar>;

const Claimed = Type.Object({
  result: Type.Literal('ACCEPTED'),
  message: Type.String(),
  redirect_uri: Type.String(),
  /** True only for the call that granted something. */
  updated: Type.Boolean(),
  /** Days for which it was granted; of several gifts, the longest. */
  add_days: Type.Integer(),
  /** When it was granted. */
  claimed_time: Time,
  data: Type.Object({ gifts: Type.Array(Gift) }),
});

const ShortText = Type.Optional(Type.String({ maxLength: 64 }));

export const activityApi = {
  list: endpoint({
    name: 'activity.list',
    method: 'GET',
    path: '/vip/v1/activities',
    host: 'drive',
    credentials: 'none',
    summary: 'List the activities',
    description: 'Those that run, will run or have ended, as the administrator lists them.',
    reply: Type.Object({ activities: Type.Array(Activity) }),
  }),
  get: endpoint({
    name: 'activity.get',
    method: 'GET',
    path: '/vip/v1/activities/{id}',
    host: 'drive',
    credentials: 'optional',
    summary: 'Get an activity',
    description: 'With its text, and what it means for the caller.',
    params: Type.Object({ id: Type.String({ maxLength: 64 }) }),
    reply: Type.Object({
      activity: Activity,
      /** Markdown. */
      text: Type.String(),
      /** Link to more; null for none. */
      action: Type.Union([Type.Object({ label: Type.String(), url: Type.String() }), Type.Null()]),
      compensation: Type.Union([Compensation, Type.Null()]),
      calendar: Type.Union([Calendar, Type.Null()]),
    }),
    errors: ['not_found'],
  }),
  /** For apps. */
  page: endpoint({
    name: 'activity.page',
    method: 'GET',
    path: '/vip/v1/activity/inviteExtActivityPage',
    host: 'drive',
    credentials: 'required',
    summary: 'Get the activities that run now',
    description: 'Those that give something come first. Their pages and times are those of `activity.list`.',
    query: Type.Object({ limit: Limit }),
    reply: Type.Object({ data: Type.Array(Activity), has_more: Type.Boolean() }),
  }),
  compensate: endpoint({
    name: 'activity.compensate',
    method: 'POST',
    path: '/vip/v1/activity/compensate',
    host: 'drive',
    credentials: 'required',
    repeatable: true,
    summary: 'Claim a compensation',
    description:
      'Grants a compensation once. `id` or `type` is its ID; both may be left out if there is only one. A repeated call returns what was granted before.',
    body: Type.Object({ id: ShortText, type: ShortText, data: Type.Optional(Type.Unknown()) }),
    reply: Claimed,
    errors: ['not_found', 'activity_not_running', 'compensation_not_affected'],
  }),
  openGift: endpoint({
    name: 'activity.openGift',
    method: 'POST',
    path: '/vip/v1/activity/dailyGift',
    host: 'drive',
    credentials: 'required',
    repeatable: true,
    summary: 'Open the gift of the day',
    description:
      'Grants it once. Days are in UTC. A repeated call on the same day returns what was granted before.',
    body: Type.Object({ type: ShortText, data: Type.Optional(Type.Unknown()) }),
    reply: Claimed,
    errors: ['not_found', 'activity_not_running'],
  }),
};
