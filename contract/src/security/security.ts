import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { LIMITS } from '../limits.ts';
import { SCOPES, SIGNED_IN } from '../scopes.ts';
import { Empty, Id, MaybeTime, oneOf, Time } from '../wire.ts';

const Password = Type.String({ maxLength: LIMITS.passwordMax });
const PhoneNumber = Type.String({ maxLength: 40 });
/** Common to all calls here: only the owner of the account, signed in, may make them. */
const own = { host: 'user', credentials: 'required', scope: SIGNED_IN } as const;

export const PASS_KINDS = ['app_password', 'access_token'] as const;
export type PassKind = (typeof PASS_KINDS)[number];

/** Access for one program. Its secret is shown once, when it is created. */
export const Pass = Type.Object({
  id: Id,
  kind: oneOf(PASS_KINDS),
  name: Type.String(),
  scopes: Type.Array(oneOf(SCOPES)),
  created_at: Time,
  expires_at: MaybeTime,
  used_at: MaybeTime,
  /** Network address of its last use, or "". */
  used_from: Type.String(),
});
export type Pass = Static<typeof Pass>;

/** One place where the member is signed in. */
export const Session = Type.Object({
  id: Id,
  /** True for the session that makes the call. */
  current: Type.Boolean(),
  /** "Firefox, Linux", the program's own name, or "". */
  device: Type.String(),
  /** True for a browser on our own pages, false for another program. */
  browser: Type.Boolean(),
  /** Network address of the sign-in. */
  address: Type.String(),
  created_at: Time,
  /** Last use, to the hour for browsers; for programs, the last token refresh. */
  seen_at: Time,
});
export type Session = Static<typeof Session>;

export const SIGN_IN_WAYS = [
  'sign_up',
  'password',
  'mail_code',
  'sms_code',
  'second_factor',
  'recovery_code',
  'passkey',
  'app_password',
  'app',
  'external',
  'handover',
] as const;

/** A sign-in, or an attempt. */
export const SignIn = Type.Object({
  id: Id,
  way: oneOf(SIGN_IN_WAYS),
  outcome: oneOf(['in', 'refused'] as const),
  device: Type.String(),
  address: Type.String(),
  at: Time,
});
export type SignIn = Static<typeof SignIn>;

/** A key that a device of the member's keeps. */
export const Passkey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  created_at: Time,
  used_at: MaybeTime,
});
export type Passkey = Static<typeof Passkey>;

const Base64url = (most: number) => Type.String({ maxLength: most, pattern: '^[\\w-]*$' });
const KeyId = Type.String({ maxLength: 1400 });

export const securityApi = {
  listPasskeys: endpoint({
    ...own,
    name: 'security.listPasskeys',
    method: 'GET',
    path: '/v1/user/passkeys',
    summary: 'List your passkeys',
    reply: Type.Object({ passkeys: Type.Array(Passkey) }),
  }),
  beginPasskey: endpoint({
    ...own,
    name: 'security.beginPasskey',
    method: 'POST',
    path: '/v1/user/passkeys:begin',
    secretReply: true,
    summary: 'Start adding a passkey',
    description:
      'Returns the request for an authenticator to create a passkey (WebAuthn, in base64url). Each question accepts one answer, within five minutes.',
    body: Type.Object({ password: Password }),
    reply: Type.Object({
      question: Type.String(),
      challenge: Type.String(),
      rp_id: Type.String(),
      user_id: Type.String(),
      user_name: Type.String(),
      display_name: Type.String(),
      /** IDs of the account's existing keys. */
      known: Type.Array(Type.String()),
    }),
    errors: ['invalid_password', 'account_locked_retry', 'account_locked'],
  }),
  addPasskey: endpoint({
    ...own,
    name: 'security.addPasskey',
    method: 'POST',
    path: '/v1/user/passkeys',
    summary: 'Add a passkey',
    description: 'Saves the passkey that the authenticator created.',
    body: Type.Object({
      question: Type.String({ maxLength: 64 }),
      name: Type.String({ maxLength: 256 }),
      id: Base64url(1400),
      client_data: Base64url(8192),
      authenticator_data: Base64url(8192),
      /** SubjectPublicKeyInfo, as returned by AuthenticatorAttestationResponse.getPublicKey. */
      public_key: Base64url(4096),
      transports: Type.Optional(Type.Array(Type.String({ pattern: '^[a-z-]{1,20}$' }), { maxItems: 8 })),
    }),
    reply: Passkey,
    errors: ['access_denied', 'token_expired', 'already_exists', 'account_limit'],
  }),
  renamePasskey: endpoint({
    ...own,
    name: 'security.renamePasskey',
    method: 'PATCH',
    path: '/v1/user/passkeys/{id}',
    summary: 'Rename a passkey',
    params: Type.Object({ id: KeyId }),
    body: Type.Object({ name: Type.String({ maxLength: 256 }) }),
    reply: Empty,
    errors: ['not_found'],
  }),
  removePasskey: endpoint({
    ...own,
    name: 'security.removePasskey',
    method: 'POST',
    path: '/v1/user/passkeys:remove',
    summary: 'Delete a passkey',
    description: 'The passkey can no longer be used to sign in.',
    body: Type.Object({ id: KeyId, password: Password }),
    reply: Empty,
    errors: ['not_found', 'invalid_password', 'account_locked_retry', 'account_locked'],
  }),
  listSessions: endpoint({
    ...own,
    name: 'security.listSessions',
    method: 'GET',
    path: '/v1/user/sessions',
    summary: 'List your sessions',
    reply: Type.Object({ sessions: Type.Array(Session) }),
  }),
  endSession: endpoint({
    ...own,
    name: 'security.endSession',
    method: 'DELETE',
    path: '/v1/user/sessions/{id}',
    summary: 'End a session',
    params: Type.Object({ id: Id }),
    reply: Empty,
    errors: ['not_found'],
  }),
  endOtherSessions: endpoint({
    ...own,
    name: 'security.endOtherSessions',
    method: 'POST',
    path: '/v1/user/sessions:endOthers',
    summary: 'End all other sessions',
    reply: Empty,
  }),
  listSignIns: endpoint({
    ...own,
    name: 'security.listSignIns',
    method: 'GET',
    path: '/v1/user/sign-ins',
    summary: 'List sign-in attempts',
    description: 'Returns successful and refused attempts from the last 30 days, newest first.',
    reply: Type.Object({ sign_ins: Type.Array(SignIn) }),
  }),
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
      /** Browsers that don't require it. */
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
  changePassword: endpoint({
    ...own,
    name: 'security.changePassword',
    method: 'POST',
    path: '/v1/user/password',
    summary: 'Change your password',
    description:
      'Ends every other session. Also ends every app password and access token, unless `keep_passes` is `true`.',
    body: Type.Object({
      password: Password,
      new_password: Password,
      keep_passes: Type.Optional(Type.Boolean()),
    }),
    reply: Empty,
    errors: ['invalid_password', 'account_locked_retry', 'account_locked', 'password_too_weak'],
  }),
  sendEmailCode: endpoint({
    ...own,
    name: 'security.sendEmailCode',
    method: 'POST',
    path: '/v1/user/email/verification',
    summary: 'Send a code to a new email address',
    body: Type.Object({ email: Type.String({ maxLength: 320 }), locale: Type.Optional(Type.String()) }),
    reply: Type.Object({
      verification_id: Type.String(),
      retry_in: Type.Integer(),
      expires_in: Type.Integer(),
    }),
    errors: ['verification_too_frequent', 'unsupported'],
  }),
  changeEmail: endpoint({
    ...own,
    name: 'security.changeEmail',
    method: 'POST',
    path: '/v1/user/email',
    summary: 'Change your email address',
    description: 'The old address is notified.',
    body: Type.Object({
      email: Type.String({ maxLength: 320 }),
      password: Password,
      /** Proof of the new address, if this service sends email. */
      verification_token: Type.Optional(Type.String({ maxLength: 256 })),
    }),
    reply: Empty,
    errors: [
      'invalid_password',
      'account_locked_retry',
      'account_locked',
      'email_taken',
      'verification_code_expired',
    ],
  }),
  sendPhoneCode: endpoint({
    ...own,
    name: 'security.sendPhoneCode',
    method: 'POST',
    path: '/v1/user/phone/verification',
    summary: 'Send a code to a new phone number',
    body: Type.Object({ phone_number: PhoneNumber, locale: Type.Optional(Type.String()) }),
    reply: Type.Object({
      verification_id: Type.String(),
      retry_in: Type.Integer(),
      expires_in: Type.Integer(),
    }),
    errors: ['verification_too_frequent', 'unsupported', 'phone_country_unsupported'],
  }),
  changePhone: endpoint({
    ...own,
    name: 'security.changePhone',
    method: 'POST',
    path: '/v1/user/phone',
    summary: 'Set or change your phone number',
    description: 'The email address of the account is notified.',
    body: Type.Object({
      phone_number: PhoneNumber,
      password: Password,
      /** Proof of the new number. */
      verification_token: Type.String({ maxLength: 256 }),
    }),
    reply: Empty,
    errors: [
      'invalid_password',
      'account_locked_retry',
      'account_locked',
      'phone_taken',
      'verification_code_expired',
      'unsupported',
      'phone_country_unsupported',
    ],
  }),
  removePhone: endpoint({
    ...own,
    name: 'security.removePhone',
    method: 'POST',
    path: '/v1/user/phone:remove',
    summary: 'Remove your phone number',
    description: 'The account must have an email address.',
    body: Type.Object({ password: Password }),
    reply: Empty,
    errors: ['invalid_password', 'account_locked_retry', 'account_locked', 'unsupported'],
  }),
  listPasses: endpoint({
    ...own,
    name: 'security.listPasses',
    method: 'GET',
    path: '/v1/user/passes',
    summary: 'List app passwords and access tokens',
    reply: Type.Object({ passes: Type.Array(Pass) }),
  }),
  createPass: endpoint({
    ...own,
    name: 'security.createPass',
    method: 'POST',
    path: '/v1/user/passes',
    secretReply: true,
    summary: 'Create an app password or access token',
    description: 'Requires the password of the account.',
    body: Type.Object({
      password: Password,
      kind: oneOf(PASS_KINDS),
      name: Type.String({ maxLength: 256 }),
      scopes: Type.Array(oneOf(SCOPES), { minItems: 1, maxItems: SCOPES.length }),
      /** 30 to 365, default 90; 0 never expires, for app passwords only. */
      days: Type.Optional(Type.Integer()),
    }),
    reply: Type.Object({ pass: Pass, secret: Type.String() }),
    errors: ['invalid_password', 'account_locked_retry', 'account_locked', 'account_limit'],
  }),
  revokePass: endpoint({
    ...own,
    name: 'security.revokePass',
    method: 'POST',
    path: '/v1/user/passes:revoke',
    summary: 'Revoke an app password or access token',
    description: 'Also ends the sessions that were opened with it.',
    body: Type.Object({ id: Id, password: Password }),
    reply: Empty,
    errors: ['not_found', 'invalid_password', 'account_locked_retry', 'account_locked'],
  }),
};
