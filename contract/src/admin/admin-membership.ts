import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { CODE_AUDIENCES } from '../membership/code.ts';
import { MemberOrder, ORDER_STATES } from '../membership/order.ts';
import { Decimal, Empty, Id, Limit, MaybeTime, oneOf, PageToken, Time } from '../wire.ts';

/**
 * Endpoints with which administrators manage plans, activation codes and orders; all other callers get
 * `permission_denied`. Where there are no plans, everything but `adminMembership.plans` is `not_found`.
 */

const Day = Type.Integer({ minimum: 1, maximum: 36_500 });

const Batch = Type.Object({
  id: Id,
  /** Text for the administrator. */
  note: Type.String(),
  kind: oneOf(['plan', 'storage'] as const),
  /** ID of the plan; `""` for storage. */
  plan: Type.String(),
  /** Its name, in the caller's language; `""` for storage, or if the plan doesn't exist any more. */
  plan_name: Type.String(),
  /** Bytes of additional storage; `"0"` for a plan. */
  bytes: Decimal,
  days: Type.Integer(),
  /** Number of codes. */
  count: Type.Integer(),
  /** Number of members who can redeem each code. */
  uses: Type.Integer(),
  /** Number of times that codes of the batch were redeemed. */
  used: Type.Integer(),
  audience: oneOf(CODE_AUDIENCES),
  state: oneOf(['coming', 'active', 'ended'] as const),
  /** False if the installation's secret was replaced: the codes can be redeemed, but not exported. */
  exportable: Type.Boolean(),
  created_at: Time,
  starts_at: Time,
  /** `""` if the codes don't expire. */
  ends_at: MaybeTime,
});
export type CodeBatch = Static<typeof Batch>;

const AdminOrder = Type.Object({
  ...MemberOrder.properties,
  /** Amount and currency, written in the caller's language. */
  price: Type.String(),
  /** ID of the buyer's account. */
  account: Id,
  /** The buyer's email address, or phone number. */
  buyer: Type.String(),
});
export type AdminOrder = Static<typeof AdminOrder>;

const Settled = {
  order: AdminOrder,
  /** False if the order was in a state that doesn't allow it, and has stayed as it was. */
  changed: Type.Boolean(),
};

const common = { host: 'config', credentials: 'required' } as const;
const OrderId = Type.Object({ id: Id });

export const adminMembershipApi = {
  plans: endpoint({
    ...common,
    name: 'adminMembership.plans',
    method: 'GET',
    path: '/admin/v1/plans',
    summary: 'List the plans that can be granted',
    reply: Type.Object({
      /** Empty if the service has no plans. Names are in the caller's language. */
      plans: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
      /** True if members can order something. */
      sells: Type.Boolean(),
    }),
    errors: ['permission_denied'],
  }),
  grantPlan: endpoint({
    ...common,
    name: 'adminMembership.grantPlan',
    method: 'POST',
    path: '/admin/v1/people/{id}/plans',
    summary: 'Give a member a plan',
    description: 'Days are added to what the member has of the plan.',
    params: OrderId,
    body: Type.Object({ plan: Type.String({ maxLength: 64 }), days: Day }),
    reply: Empty,
    errors: ['permission_denied', 'not_found'],
  }),
  endPlans: endpoint({
    ...common,
    name: 'adminMembership.endPlans',
    method: 'POST',
    path: '/admin/v1/people/{id}/plans/end',
    summary: 'End all plans of a member',
    description: 'Plans end at once, whatever they were given for. Additional storage stays.',
    params: OrderId,
    reply: Empty,
    errors: ['permission_denied', 'not_found'],
  }),
  batches: endpoint({
    ...common,
    name: 'adminMembership.batches',
    method: 'GET',
    path: '/admin/v1/code-batches',
    summary: 'List batches of activation codes',
    description:
      'The newest first. `GET /admin/v1/code-batches/{id}/codes.csv` returns the codes of a batch as a file.',
    query: Type.Object({ limit: Limit, page_token: PageToken }),
    reply: Type.Object({ batches: Type.Array(Batch), next_page_token: Type.String() }),
    errors: ['permission_denied', 'not_found'],
  }),
  createBatch: endpoint({
    ...common,
    name: 'adminMembership.createBatch',
    method: 'POST',
    path: '/admin/v1/code-batches',
    summary: 'Create a batch of activation codes',
    body: Type.Object({
      count: Type.Integer({ minimum: 1, maximum: 10_000 }),
      /** ID of the plan; absent for storage. */
      plan: Type.Optional(Type.String({ maxLength: 64 })),
      /** Bytes of additional storage; absent for a plan. */
      bytes: Type.Optional(Decimal),
      days: Day,
      uses: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
      audience: oneOf(CODE_AUDIENCES),
      note: Type.String({ maxLength: 200 }),
      /** At once if absent. */
      starts_at: Type.Optional(Time),
      /** Never if absent. */
      ends_at: Type.Optional(Time),
    }),
    reply: Batch,
    errors: ['permission_denied', 'not_found'],
  }),
  endBatch: endpoint({
    ...common,
    name: 'adminMembership.endBatch',
    method: 'POST',
    path: '/admin/v1/code-batches/{id}/end',
    summary: 'End a batch of activation codes',
    description: 'Its codes can’t be redeemed any more. What they granted stays.',
    params: OrderId,
    reply: Empty,
    errors: ['permission_denied', 'not_found'],
  }),
  orders: endpoint({
    ...common,
    name: 'adminMembership.orders',
    method: 'GET',
    path: '/admin/v1/orders',
    summary: 'List or find orders',
    description: 'The newest first. A search finds one reference, or the newest 100 orders of one member.',
    query: Type.Object({
      state: Type.Optional(oneOf(ORDER_STATES)),
      /** Reference or email address. */
      search: Type.Optional(Type.String({ maxLength: 320 })),
      limit: Limit,
      page_token: PageToken,
    }),
    reply: Type.Object({ orders: Type.Array(AdminOrder), next_page_token: Type.String() }),
    errors: ['permission_denied', 'not_found'],
  }),
  order: endpoint({
    ...common,
    name: 'adminMembership.order',
    method: 'GET',
    path: '/admin/v1/orders/{id}',
    summary: 'Get an order',
    params: OrderId,
    reply: Type.Object({
      order: AdminOrder,
      /** ID of the online payment that paid it; `""` if it was paid by bank transfer, or not at all. */
      payment: Type.String(),
      /** True while a payment service waits for the money. */
      pending: Type.Boolean(),
    }),
    errors: ['permission_denied', 'not_found'],
  }),
  confirmOrder: endpoint({
    ...common,
    name: 'adminMembership.confirmOrder',
    method: 'POST',
    path: '/admin/v1/orders/{id}/confirm',
    repeatable: true,
    summary: 'Confirm that the money for an order has arrived',
    description: 'Grants what was ordered. An order that is paid already stays as it is.',
    params: OrderId,
    reply: Type.Object(Settled),
    errors: ['permission_denied', 'not_found', 'order_plan_missing'],
  }),
  cancelOrder: endpoint({
    ...common,
    name: 'adminMembership.cancelOrder',
    method: 'POST',
    path: '/admin/v1/orders/{id}/cancel',
    repeatable: true,
    summary: 'Cancel an open order',
    params: OrderId,
    reply: Type.Object(Settled),
    errors: ['permission_denied', 'not_found'],
  }),
  refundOrder: endpoint({
    ...common,
    name: 'adminMembership.refundOrder',
    method: 'POST',
    path: '/admin/v1/orders/{id}/refund',
    repeatable: true,
    summary: 'Refund a paid order',
    description:
      'Returns the money if it was paid online, and ends what was ordered. If the money can’t be returned, nothing changes.',
    params: OrderId,
    reply: Type.Object({
      ...Settled,
      /** True if the payment service returns the money; otherwise somebody has to transfer it. */
      returned: Type.Boolean(),
    }),
    errors: ['permission_denied', 'not_found'],
  }),
};
