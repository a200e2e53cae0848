import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { LOCALES } from '../language/locales.ts';
import { Id, MaybeTime, oneOf, Time } from '../wire.ts';

/**
 * State of a renewal. `active` if another term will be charged; `canceled` if nothing will be, and the plan stays until
 * its paid end; `past_due` if a charge has failed and is tried again; `ended` when it is over.
 */
export const RENEWAL_STATES = ['active', 'canceled', 'past_due', 'ended'] as const;
export type RenewalState = (typeof RENEWAL_STATES)[number];

const MemberRenewal = Type.Object({
  id: Id,
  state: oneOf(RENEWAL_STATES),
  /** Name of the product, in the caller's language. */
  name: Type.String(),
  /** Id of the plan. */
  plan: Type.String(),
  months: Type.Integer({ minimum: 1, description: 'Length of each term.' }),
  currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.' }),
  amount: Type.Integer({ description: "In the currency's smallest unit, such as cents." }),
  created_time: Time,
  /** When the next term is charged; `""` if none will be, or if a charge has failed. */
  next_charge_time: MaybeTime,
  /** Until when the plan is paid for. */
  paid_until_time: MaybeTime,
});
export type MemberRenewal = Static<typeof MemberRenewal>;

const params = Type.Object({ id: Id });

export const renewalApi = {
  list: endpoint({
    name: 'renewal.list',
    method: 'GET',
    path: '/vip/v1/renewals',
    host: 'drive',
    credentials: 'required',
    summary: 'List your renewals',
    description: 'Plans that renew automatically, newest first, without those that have ended.',
    reply: Type.Object({ renewals: Type.Array(MemberRenewal) }),
  }),
  cancel: endpoint({
    name: 'renewal.cancel',
    method: 'POST',
    path: '/vip/v1/renewals/{id}/cancel',
    host: 'drive',
    credentials: 'required',
    repeatable: true,
    summary: 'Cancel a renewal',
    description: 'Nothing is charged any more. The plan stays until its paid end.',
    params,
    reply: MemberRenewal,
    errors: ['not_found', 'too_frequent'],
  }),
  resume: endpoint({
    name: 'renewal.resume',
    method: 'POST',
    path: '/vip/v1/renewals/{id}/resume',
    host: 'drive',
    credentials: 'required',
    repeatable: true,
    summary: 'Resume a canceled renewal',
    params,
    reply: MemberRenewal,
    errors: ['not_found', 'renewal_ended', 'renewal_exists', 'too_frequent'],
  }),
  payment: endpoint({
    name: 'renewal.payment',
    method: 'POST',
    path: '/vip/v1/renewals/{id}/payment-method',
    host: 'drive',
    credentials: 'required',
    repeatable: true,
    summary: 'Change how a renewal is paid',
    description:
      'Returns the address of a page of the payment service, which leads back to the plans afterwards.',
    params,
    body: Type.Object({ prefix: Type.Optional(oneOf(LOCALES)) }),
    reply: Type.Object({ url: Type.String() }),
    errors: ['not_found', 'renewal_ended', 'too_frequent'],
  }),
};
