import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Decimal, MaybeTime, oneOf } from '../wire.ts';

/** Members who may redeem the codes of a batch. */
export const CODE_AUDIENCES = ['everyone', 'new-accounts', 'free-plan'] as const;
export type CodeAudience = (typeof CODE_AUDIENCES)[number];

export const codeApi = {
  redeem: endpoint({
    name: 'code.redeem',
    method: 'POST',
    path: '/vip/v1/order/activation-code',
    host: 'drive',
    credentials: 'required',
    summary: 'Redeem an activation code',
    description:
      'Case, spaces and hyphens don’t matter, and letters that look alike count as the same. A member can redeem each code once. If the call fails, the code stays as it was. New members can also enter the invite code of somebody who invited them.',
    body: Type.Object({
      activation_code: Type.String({ maxLength: 200 }),
      data: Type.Optional(Type.Unknown()),
    }),
    reply: Type.Object({
      result: Type.Literal('ACCEPTED'),
      message: Type.String(),
      redirect_uri: Type.String(),
      /** Days for which the plan or the storage was granted. */
      add_days: Type.Integer(),
      data: Type.Object({
        kind: oneOf(['plan', 'storage']),
        /** Name of the plan, in the language of the request; "" for storage. */
        name: Type.String(),
        /** Bytes of additional storage; "0" for a plan. */
        size: Decimal,
        /** When it ends, including what the member had before; "" if it does not end. */
        expire: MaybeTime,
      }),
    }),
    errors: [
      'invalid_activation_code',
      'activation_code_reused',
      'activation_code_used_up',
      'activation_code_not_started',
      'activation_code_ended',
      'activation_code_new_accounts',
      'activation_code_free_plan',
      'invite_code_for_new_members',
      'too_frequent',
    ],
  }),
};
