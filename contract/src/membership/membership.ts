import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Limit, MaybeTime, oneOf, Time } from '../wire.ts';
import { TASK_SCENES } from './check-in.ts';
import { PRODUCT_KINDS } from './order.ts';
import { Base, Items, Standing } from './standing.ts';

/** Additional traffic of a member; its bytes belong to each kind of traffic and to each month in which it is in force. */
const TrafficPack = Type.Object({
  user_id: Type.String(),
  product: Type.String(),
  product_name: Type.String({ description: "Its size, in the caller's language." }),
  type: Type.Literal('traffic'),
  activate_time: Time,
  expire_time: MaybeTime,
  /** Bytes per month. */
  assets: Type.Integer(),
  /** Bytes used this month, of the kind of traffic of which most was used. */
  size: Type.Integer(),
  status: Type.Literal('ok'),
});

/** Bytes of one kind of transfer in the current month. JSON numbers, unlike elsewhere. */
const Transfer = Type.Object({
  info: Type.String(),
  /** Bytes allowed per month; -1 for no limit. */
  total_assets: Type.Integer(),
  /** Bytes transferred this month. */
  assets: Type.Integer(),
  size: Type.Integer(),
  /** When the month ends; absent without a limit. */
  reset_time: Type.Optional(Time),
});
export type Transfer = Static<typeof Transfer>;

/** The same without negative numbers, which some clients can't read: a limit beyond reach stands for none. */
const PlainTransfer = Type.Object({
  info: Type.String(),
  total_assets: Type.Integer({ minimum: 0, description: '9007199254740991 for no limit.' }),
  assets: Type.Integer({ minimum: 0 }),
  size: Type.Integer({ minimum: 0 }),
});

const Days = Type.Integer({ minimum: 0 });

/** Ways to get days of a plan. */
const Offers = Type.Object({
  /** True if members can enter activation codes. */
  codes: Type.Boolean(),
  /** Days for everyone who signs up; 0 for none. */
  free_days: Days,
  /** Name of their plan, in the caller's language; `""` if there are none. */
  free_plan: Type.String(),
  /** Null if inviting others isn't rewarded. */
  invitations: Type.Union([
    Type.Object({
      /** Name of the plan, in the caller's language. */
      plan: Type.String(),
      invited_days: Days,
      inviter_days: Days,
    }),
    Type.Null(),
  ]),
  /** Days for checking in on that many days in a row; null if check-ins aren't rewarded. */
  check_in: Type.Union([
    Type.Object({
      /** Name of the plan, in the caller's language. */
      plan: Type.String(),
      rewards: Type.Array(Type.Object({ streak: Type.Integer(), days: Days })),
    }),
    Type.Null(),
  ]),
  /** Days for things that a member does once; null if they aren't rewarded. */
  tasks: Type.Union([
    Type.Object({
      /** Name of the plan, in the caller's language. */
      plan: Type.String(),
      rewards: Type.Array(Type.Object({ scene: oneOf(TASK_SCENES), days: Days })),
    }),
    Type.Null(),
  ]),
  /** True if the traffic of members without a plan is limited per month. */
  monthly_traffic: Type.Boolean(),
  /** Kinds of what members can buy; empty if nothing is sold. */
  products: Type.Array(oneOf(PRODUCT_KINDS)),
});
export type Offers = Static<typeof Offers>;

const vip = {
  path: '/drive/v1/privilege/vip',
  host: 'drive',
  credentials: 'required',
  summary: 'Get your plan',
  description: 'Returns the plan and how long it lasts.',
  reply: Type.Object({
    result: Type.Literal('ACCEPTED'),
    message: Type.String(),
    redirect_uri: Type.String(),
    data: Type.Object(Standing),
  }),
} as const;

const info = {
  path: '/vip/v1/vip/info',
  host: 'drive',
  credentials: 'required',
  summary: 'Get your plan in detail',
  description: 'Returns the plan and what it consists of.',
  reply: Type.Object({
    data: Type.Object({
      ...Standing,
      vipItem: Items,
    }),
  }),
} as const;

export const membershipApi = {
  vip: endpoint({ ...vip, name: 'membership.vip', method: 'GET' }),
  /** For old clients. */
  vipByPost: endpoint({
    ...vip,
    name: 'membership.vipByPost',
    method: 'POST',
    repeatable: true,
    summary: 'Get your plan by POST',
  }),
  info: endpoint({ ...info, name: 'membership.info', method: 'GET' }),
  infoByPost: endpoint({
    ...info,
    name: 'membership.infoByPost',
    method: 'POST',
    repeatable: true,
    summary: 'Get your plan in detail by POST',
  }),
  quantities: endpoint({
    name: 'membership.quantities',
    method: 'GET',
    path: '/vip/v1/quantity/list',
    host: 'drive',
    credentials: 'required',
    summary: "Get this month's transfer usage",
    description:
      'The month starts on the first, Singapore time. Downloads through shares count as downloads, or are limited separately if there is a limit. `data` has the traffic packs.',
    query: Type.Object({ type: Type.Optional(Type.String()), limit: Limit }),
    reply: Type.Object({
      transfer: Type.Object({ offline: Transfer, download: Transfer, upload: Transfer }),
      data: Type.Array(TrafficPack),
      has_more: Type.Boolean(),
      base: Type.Object({
        ...Base,
        offline: PlainTransfer,
        download: PlainTransfer,
        upload: PlainTransfer,
        /** There is no limit per day: `total_assets` is 0. */
        download_daily: PlainTransfer,
      }),
      apps_summary: Type.Record(Type.String(), Type.Unknown()),
    }),
  }),
  inviteCode: endpoint({
    name: 'membership.inviteCode',
    method: 'GET',
    path: '/vip/v1/activity/inviteCode',
    host: 'drive',
    credentials: 'required',
    summary: 'Get your invite code',
    description: 'The code for inviting others. It never changes.',
    reply: Type.Object({ code: Type.String() }),
  }),
  offers: endpoint({
    name: 'membership.offers',
    method: 'GET',
    path: '/vip/v1/offers',
    host: 'drive',
    credentials: 'optional',
    summary: 'Get what members can receive',
    description:
      'Says which ways there are to get days of a plan. An installation without plans of its own offers none of them.',
    reply: Offers,
  }),
};
