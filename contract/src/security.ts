import Type, { type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { SCOPES, SIGNED_IN } from './scopes.ts';
import { Empty, Id, MaybeTime, oneOf, Time } from './wire.ts';

const Password = Type.String({ maxLength: LIMITS.passwordMax });
const PhoneNumber = Type.String({ maxLength: 40 });
/** What every call here shares: only its owner, signed in, may make it. */
const own = { host: 'user', credentials: 'required', scope: SIGNED_IN } as const;

export const PASS_KINDS = ['app_password', 'access_token'] as const;
export type PassKind = (typeof PASS_KINDS)[number];

/** What lets one program in. Its secret is shown when it is made, and never again. */
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
  /** True for the one that asks. */
  current: Type.Boolean(),
  /** "Firefox, Linux", the name that a program gives itself, or "". */
  device: Type.String(),
  /** True for a browser on our own pages, false for another program. */
  browser: Type.Boolean(),
  /** Network address from which it began. */
  address: Type.String(),
  created_at: Time,
  /** To the hour for browsers; for programs when they last renewed their token. */
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

/** Somebody who came in, or tried to. */
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
    summary: 'Passkeys',
    reply: Type.Object({ passkeys: Type.Array(Passkey) }),
  }),
  beginPasskey: endpoint({
    ...own,
    name: 'security.beginPasskey',
    method: 'POST',
    path: '/v1/user/passkeys:begin',
    secretReply: true,
    summary:
      'What to ask an authenticator for a new passkey (WebAuthn, base64url); the question takes one answer within five minutes',
    body: Type.Object({ password: Password }),
    reply: Type.Object({
      question: Type.String(),
      challenge: Type.String(),
      rp_id: Type.String(),
      user_id: Type.String(),
      user_name: Type.String(),
      display_name: Type.String(),
      /** Ids of keys that the account has. */
      known: Type.Array(Type.String()),
    }),
    errors: ['invalid_password', 'account_locked_retry', 'account_locked'],
  }),
  addPasskey: endpoint({
    ...own,
    name: 'security.addPasskey',
    method: 'POST',
    path: '/v1/user/passkeys',
    summary: 'Keep the passkey that an authenticator made',
    body: Type.Object({
      question: Type.String({ maxLength: 64 }),
      name: Type.String({ maxLength: 256 }),
      id: Base64url(1400),
      client_data: Base64url(8192),
      authenticator_data: Base64url(8192),
      /** SubjectPublicKeyInfo, as AuthenticatorAttestationResponse.getPublicKey gives it. */
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
    summary: 'Name a passkey',
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
    summary: 'Forget a passkey: it opens the account no more',
    body: Type.Object({ id: KeyId, password: Password }),
    reply: Empty,
    errors: ['not_found', 'invalid_password', 'account_locked_retry', 'account_locked'],
  }),
  listSessions: endpoint({
    ...own,
    name: 'security.listSessions',
    method: 'GET',
    path: '/v1/user/sessions',
    summary: 'Where I am signed in',
    reply: Type.Object({ sessions: Type.Array(Session) }),
  }),
  endSession: endpoint({
    ...own,
    name: 'security.endSession',
    method: 'DELETE',
    path: '/v1/user/sessions/{id}',
    summary: 'Sign one place out',
    params: Type.Object({ id: Id }),
    reply: Empty,
    errors: ['not_found'],
  }),
  endOtherSessions: endpoint({
    ...own,
    name: 'security.endOtherSessions',
    method: 'POST',
    path: '/v1/user/sessions:endOthers',
    summary: 'Sign every place out but this one',
    reply: Empty,
  }),
  listSignIns: endpoint({
    ...own,
    name: 'security.listSignIns',
    method: 'GET',
    path: '/v1/user/sign-ins',
    summary: 'Who came in or tried to, of the last 30 days, newest first',
    reply: Type.Object({ sign_ins: Type.Array(SignIn) }),
  }),
  secondFactor: endpoint({
    ...own,
    name: 'security.secondFactor',
    method: 'GET',
    path: '/v1/user/second-factor',
    summary: 'Whether a second factor is asked for, and what is left of its recovery codes',
    reply: Type.Object({
      on: Type.Boolean(),
      since: MaybeTime,
      recovery_codes_left: Type.Integer(),
      /** Browsers that need not be asked for it. */
      trusted_devices: Type.Integer(),
    }),
  }),
  beginSecondFactor: endpoint({
    ...own,
    name: 'security.beginSecondFactor',
    method: 'POST',
    path: '/v1/user/second-factor',
    secretReply: true,
    summary:
      'Begin with a second factor: what an authenticator app keeps; nothing is asked for until it is confirmed',
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
    summary: 'Confirm the second factor with a code of the app; gives the recovery codes, once',
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
    summary: 'Make other recovery codes; the old ones end',
    body: Type.Object({ password: Password }),
    reply: Type.Object({ recovery_codes: Type.Array(Type.String()) }),
    errors: ['invalid_password', 'account_locked_retry', 'account_locked', 'not_found'],
  }),
  endSecondFactor: endpoint({
    ...own,
    name: 'security.endSecondFactor',
    method: 'POST',
    path: '/v1/user/second-factor:end',
    summary: 'Ask for no second factor any more',
    body: Type.Object({ password: Password }),
    reply: Empty,
    errors: ['invalid_password', 'account_locked_retry', 'account_locked'],
  }),
  forgetTrustedDevices: endpoint({
    ...own,
    name: 'security.forgetTrustedDevices',
    method: 'POST',
    path: '/v1/user/second-factor:forgetDevices',
    summary: 'Ask every browser for the second factor again',
    reply: Empty,
  }),
  changePassword: endpoint({
    ...own,
    name: 'security.changePassword',
    method: 'POST',
    path: '/v1/user/password',
    summary:
      'Change the password; ends every other session, and every app password and token unless they are kept',
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
    summary: 'Send a code to the address that the account shall have',
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
    summary: 'Change the address; the old one is told of it',
    body: Type.Object({
      email: Type.String({ maxLength: 320 }),
      password: Password,
      /** Proof of the new address, where this service sends mail. */
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
    summary: 'Send a code to the phone that the account shall have',
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
    summary: 'Give the account a phone number, or another one; the address of mail is told of it',
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
    summary: 'Take the phone number away from an account that has an address of mail',
    body: Type.Object({ password: Password }),
    reply: Empty,
    errors: ['invalid_password', 'account_locked_retry', 'account_locked', 'unsupported'],
  }),
  listPasses: endpoint({
    ...own,
    name: 'security.listPasses',
    method: 'GET',
    path: '/v1/user/passes',
    summary: 'App passwords and access tokens',
    reply: Type.Object({ passes: Type.Array(Pass) }),
  }),
  createPass: endpoint({
    ...own,
    name: 'security.createPass',
    method: 'POST',
    path: '/v1/user/passes',
    secretReply: true,
    summary: 'Make an app password or an access token; asks for the password of the account',
    body: Type.Object({
      password: Password,
      kind: oneOf(PASS_KINDS),
      name: Type.String({ maxLength: 256 }),
      scopes: Type.Array(oneOf(SCOPES), { minItems: 1, maxItems: SCOPES.length }),
      /** 30 to 365, standard 90; 0 is never, for app passwords only. */
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
    summary: 'Revoke an app password or an access token, and what it opened',
    body: Type.Object({ id: Id, password: Password }),
    reply: Empty,
    errors: ['not_found', 'invalid_password', 'account_locked_retry', 'account_locked'],
  }),
};
