import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Decimal, Limit, MaybeTime, Time } from '../wire.ts';
import { Base, Items, Standing } from './standing.ts';

const shared = { host: 'drive', credentials: 'required' } as const;

/** Additional storage of a member. Its shape is that of a traffic pack. */
const StoragePack = Type.Object({
  user_id: Type.String(),
  product: Type.String(),
  product_name: Type.String({ description: "Its size, in the caller's language." }),
  type: Type.Literal('space'),
  activate_time: Time,
  expire_time: MaybeTime,
  /** Bytes. */
  assets: Type.Integer(),
  size: Type.Integer(),
  status: Type.Literal('ok'),
});

const Subscription = Type.Object({
  /** Id of the plan. */
  product: Type.String(),
  product_name: Type.String({ description: "In the caller's language." }),
  type: Type.String(),
  status: Type.Literal('ok'),
  /** True if the plan renews by itself. */
  sub_status: Type.Boolean(),
  expire_time: MaybeTime,
});

/** Everything that pages and apps show of a member, in one reply. */
const UserRecord = Type.Object({
  userId: Type.String(),
  /** True while the member has any plan besides the free one. */
  premium: Type.Boolean(),
  expire: MaybeTime,
  status: Standing.status,
  type: Standing.type,
  /** Bytes. */
  limit: Decimal,
  usage: Decimal,
  /** True if no more cloud downloads can be created today. */
  overFreeTaskLimit: Type.Boolean(),
  /** True if the drive is full. */
  overStorageLimit: Type.Boolean(),
  /** Free days for signing up that are left. */
  freeDays: Type.Integer({ minimum: 0 }),
  /** True if the member got the free days, whether any are left or not. */
  getFreeVipCalled: Type.Boolean(),
  vipInfo: Type.Object({ vipItem: Items }),
});
export type UserRecord = Static<typeof UserRecord>;

export const statusApi = {
  user: endpoint({
    ...shared,
    name: 'status.user',
    method: 'GET',
    path: '/vip/v1/user',
    summary: 'Get your membership at a glance',
    description: 'Returns the plan, the free days, and which limits are reached.',
    reply: UserRecord,
  }),
  spaces: endpoint({
    ...shared,
    name: 'status.spaces',
    method: 'GET',
    path: '/vip/v1/space/list',
    summary: 'List your storage',
    description: 'Returns the storage limit, and in `data` the additional storage that is part of it.',
    query: Type.Object({ type: Type.Optional(Type.String()), limit: Limit }),
    reply: Type.Object({
      data: Type.Array(StoragePack),
      has_more: Type.Boolean(),
      /** Bytes of all storage together. */
      size: Decimal,
      vip_status: Type.String(),
      base: Type.Object(Base),
    }),
  }),
  subscriptions: endpoint({
    ...shared,
    name: 'status.subscriptions',
    method: 'GET',
    path: '/vip/v1/allSubscriptionStatus',
    summary: 'List your plans and whether they renew',
    reply: Type.Object({
      /** True if any plan renews by itself. */
      sub_status: Type.Boolean(),
      data: Type.Array(Subscription),
    }),
  }),
  upgrade: endpoint({
    ...shared,
    name: 'status.upgrade',
    method: 'POST',
    path: '/vip/v1/activity/upgradeToPro',
    repeatable: true,
    summary: 'Find out where to get a plan',
    description: 'Returns the address of the page with the plans. It grants nothing.',
    body: Type.Object({
      from: Type.Optional(Type.String({ maxLength: 64 })),
      data: Type.Optional(Type.Unknown()),
    }),
    reply: Type.Object({
      result: Type.Literal('ACCEPTED'),
      message: Type.String(),
      /** `""` if no plan is sold. */
      redirect_uri: Type.String(),
    }),
  }),
};
