import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Empty, MaybeTime } from '../wire.ts';
import { Password } from '../account/fields.ts';
import { own } from './own.ts';

export const secondFactorApi = {
  secondFactor: endpoint({
    ...own,
    name: 'security.secondFactor',
    method: 'GET',
    path: '/v1/user/second-factor',
    summary: 'Get the status of two-step verification',
    description: 'Returns whether it is on, and how many recovery codes are left.',
    reply: Type.Object({
      on: Type.Boolean(),
      since: MaybeTime,
      recovery_codes_left: Type.Integer(),
      /** Browsers that skip two-step verification. */
      trusted_devices: Type.Integer(),
    }),
  }),
  beginSecondFactor: endpoint({
    ...own,
    name: 'security.beginSecondFactor',
    method: 'POST',
    path: '/v1/user/second-factor',
    secretReply: true,
    summary: 'Start setting up two-step verification',
    description:
      "Returns the secret for an authenticator app. Codes aren't required until you confirm the setup.",
    body: Type.Object({ password: Password }),
    reply: Type.Object({ secret: Type.String(), uri: Type.String() }),
    errors: ['invalid_password', 'account_locked_retry', 'account_locked', 'already_exists'],
  }),
  confirmSecondFactor: endpoint({
    ...own,
    name: 'security.confirmSecondFactor',
    method: 'POST',
    path: '/v1/user/second-factor:confirm',
    secretReply: true,
    summary: 'Confirm two-step verification',
    description: 'Requires a code from the authenticator app. Returns the recovery codes, once.',
    body: Type.Object({ code: Type.String({ maxLength: 16 }) }),
    reply: Type.Object({ recovery_codes: Type.Array(Type.String()) }),
    errors: ['second_factor_wrong', 'account_locked_retry', 'account_locked', 'already_exists'],
  }),
  renewRecoveryCodes: endpoint({
    ...own,
    name: 'security.renewRecoveryCodes',
    method: 'POST',
    path: '/v1/user/second-factor/recovery-codes',
    secretReply: true,
    summary: 'Create new recovery codes',
    description: 'The old codes stop working.',
    body: Type.Object({ password: Password }),
    reply: Type.Object({ recovery_codes: Type.Array(Type.String()) }),
    errors: ['invalid_password', 'account_locked_retry', 'account_locked', 'not_found'],
  }),
  endSecondFactor: endpoint({
    ...own,
    name: 'security.endSecondFactor',
    method: 'POST',
    path: '/v1/user/second-factor:end',
    summary: 'Turn off two-step verification',
    body: Type.Object({ password: Password }),
    reply: Empty,
    errors: ['invalid_password', 'account_locked_retry', 'account_locked'],
  }),
  forgetTrustedDevices: endpoint({
    ...own,
    name: 'security.forgetTrustedDevices',
    method: 'POST',
    path: '/v1/user/second-factor:forgetDevices',
    summary: 'Forget trusted browsers',
    description: 'Every browser has to pass two-step verification again.',
    reply: Empty,
  }),
};
