import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { LIMITS } from '../limits.ts';
import { ANY } from '../scopes.ts';
import { Empty, oneOf, Time } from '../wire.ts';

/** Six million bytes in base64. */
const PICTURE_TEXT_MAX = 8_000_000;
const Password = Type.String({ maxLength: LIMITS.passwordMax });
const Client = {
  client_id: Type.Optional(Type.String({ maxLength: 128 })),
  client_secret: Type.Optional(Type.String({ maxLength: 256 })),
  captcha_token: Type.Optional(Type.String({ maxLength: 4096 })),
};
/** `cookie` puts the session into an httpOnly cookie and no token into the reply: for our own pages. */
const Delivery = Type.Optional(oneOf(['token', 'cookie'] as const));

/** One of the two. */
const Address = {
  email: Type.Optional(Type.String({ maxLength: 320 })),
  /** With its country: `+49 170 1234567`. */
  phone_number: Type.Optional(Type.String({ maxLength: 40 })),
};

export const TokenReply = Type.Object({
  token_type: Type.Optional(Type.Literal('Bearer')),
  access_token: Type.Optional(Type.String()),
  refresh_token: Type.Optional(Type.String()),
  /** Seconds. */
  expires_in: Type.Integer(),
  /** Id of the account. */
  sub: Type.String(),
  /** Scopes of the tokens, if they belong to an app. */
  scope: Type.Optional(Type.String()),
  id_token: Type.Optional(Type.String()),
});
export type TokenReply = Static<typeof TokenReply>;

export const Profile = Type.Object({
  sub: Type.String(),
  name: Type.String(),
  /** Address of the picture, or "". */
  picture: Type.String(),
  /** Masked: `a***@example.org`. */
  email: Type.String(),
  /** Masked: `+49*******567`; "" where there is none. */
  phone_number: Type.String(),
  password: oneOf(['SET', 'UNSET'] as const),
  status: oneOf(['ACTIVE', 'FROZEN'] as const),
  /** True for administrators. */
  operator: Type.Boolean(),
  /** True if sign-ins from new places are reported by email. */
  new_device_mail: Type.Boolean(),
  /** External accounts the member signs in with: the host that vouches for them, their ID there, and their address there, masked. */
  providers: Type.Array(
    Type.Object({ id: Type.String(), provider_user_id: Type.String(), name: Type.String() }),
  ),
  created_at: Time,
  password_updated_at: Type.String(),
});
export type Profile = Static<typeof Profile>;

export const accountApi = {
  /** Returns the sign-up rules, so that the page can show them before anyone starts typing. */
  signUpRules: endpoint({
    name: 'account.signUpRules',
    method: 'GET',
    path: '/v1/auth/rules',
    host: 'user',
    credentials: 'none',
    summary: 'Get the sign-up rules',
    reply: Type.Object({
      open: Type.Boolean(),
      /** True if a new account waits for approval by an administrator: `account_not_activated` until then. */
      approval: Type.Boolean(),
      mail_verification: Type.Boolean(),
      /** True if a phone number can replace the email address; its code is sent as a text message. */
      phone: Type.Boolean(),
      password_min: Type.Integer(),
      free_storage: Type.String(),
    }),
  }),
  sendCode: endpoint({
    name: 'account.sendCode',
    method: 'POST',
    path: '/v1/auth/verification',
    host: 'user',
    credentials: 'none',
    captcha: 'login-once',
    summary: 'Send a verification code',
    description:
      'Sends the code by email or text message. The response is the same whether or not the address has an account.',
    body: Type.Object({
      ...Client,
      ...Address,
      locale: Type.Optional(Type.String()),
      target: Type.Optional(Type.String()),
      usage: oneOf(['REGISTER', 'PASSWORD_RESET', 'SIGN_IN'] as const),
    }),
    reply: Type.Object({
      verification_id: Type.String(),
      is_user: Type.Boolean(),
      retry_in: Type.Integer(),
      expires_in: Type.Integer(),
    }),
    errors: ['verification_too_frequent', 'unsupported', 'phone_country_unsupported'],
  }),
  checkCode: endpoint({
    name: 'account.checkCode',
    method: 'POST',
    path: '/v1/auth/verification/verify',
    host: 'user',
    credentials: 'none',
    summary: 'Exchange a verification code for a verification token',
    description: 'The token proves that the caller owns the address.',
    body: Type.Object({
      ...Client,
      verification_id: Type.String(),
      verification_code: Type.String({ maxLength: 16 }),
    }),
    reply: Type.Object({ verification_token: Type.String(), expires_in: Type.Integer() }),
    errors: [
      'verification_code_wrong',
      'verification_code_expired',
      'account_locked_retry',
      'account_locked',
    ],
  }),
  resetPassword: endpoint({
    name: 'account.resetPassword',
    method: 'POST',
    path: '/v1/auth/password/reset',
    host: 'user',
    credentials: 'none',
    captcha: true,
    summary: 'Reset a password',
    description:
      'Requires a verification token, or a one-time token from an administrator. Ends every session, app password and token.',
    body: Type.Object({
      ...Client,
      verification_token: Type.String({ maxLength: 256 }),
      new_password: Password,
    }),
    reply: Empty,
    errors: ['verification_code_expired', 'password_too_weak'],
  }),
  signUp: endpoint({
    name: 'account.signUp',
    method: 'POST',
    path: '/v1/auth/signup',
    host: 'user',
    credentials: 'none',
    captcha: 'login-once',
    summary: 'Create an account',
    body: Type.Object({
      ...Client,
      ...Address,
      password: Password,
      name: Type.Optional(Type.String({ maxLength: 256 })),
      verification_token: Type.Optional(Type.String()),
      locale: Type.Optional(Type.String()),
      session: Delivery,
    }),
    reply: TokenReply,
    errors: [
      'email_taken',
      'phone_taken',
      'phone_country_unsupported',
      'unsupported',
      'password_too_weak',
      'verification_code_expired',
      'permission_denied',
      'account_not_activated',
      'too_frequent',
    ],
  }),
  setUp: endpoint({
    name: 'account.setUp',
    method: 'POST',
    path: '/v1/auth/setup',
    host: 'user',
    credentials: 'none',
    summary: 'Create the administrator account',
    description:
      'Requires the one-time setup token. The first start prints it as a link if no administrator is configured.',
    body: Type.Object({
      setup_token: Type.String(),
      email: Type.String({ maxLength: 320 }),
      password: Password,
      name: Type.Optional(Type.String()),
      session: Delivery,
    }),
    reply: TokenReply,
    errors: ['permission_denied', 'password_too_weak', 'email_taken'],
  }),
  signIn: endpoint({
    name: 'account.signIn',
    method: 'POST',
    path: '/v1/auth/signin',
    host: 'user',
    credentials: 'none',
    captcha: 'login',
    summary: 'Sign in with a password or a verification token',
    body: Type.Object({
      ...Client,
      username: Type.String({ maxLength: 320 }),
      password: Type.Optional(Password),
      /** Replaces the password: the proof of the address, from a code for `SIGN_IN`. */
      verification_token: Type.Optional(Type.String({ maxLength: 256 })),
      grant_type: Type.Optional(Type.String()),
      session: Delivery,
    }),
    reply: TokenReply,
    errors: [
      'invalid_account_or_password',
      'invalid_account_or_code',
      'verification_code_expired',
      'password_recovery_advised',
      'sms_code_required',
      'second_factor_required',
      'account_locked_retry',
      'account_locked',
      'account_frozen',
      'account_under_review',
      'account_not_activated',
      'account_in_cancellation',
    ],
  }),
  secondFactor: endpoint({
    name: 'account.secondFactor',
    method: 'POST',
    path: '/v1/auth/signin/second-factor',
    host: 'user',
    credentials: 'none',
    summary: 'Complete sign-in with two-step verification',
    description:
      'Continues after `second_factor_required`, whose details contain the ticket. Requires a code from an authenticator app, or a recovery code.',
    body: Type.Object({
      ...Client,
      ticket: Type.String({ maxLength: 2048 }),
      code: Type.Optional(Type.String({ maxLength: 16 })),
      recovery_code: Type.Optional(Type.String({ maxLength: 32 })),
      /** Skips two-step verification in this browser for 30 days. */
      remember: Type.Optional(Type.Boolean()),
      session: Delivery,
    }),
    reply: TokenReply,
    errors: [
      'second_factor_wrong',
      'recovery_code_wrong',
      'token_expired',
      'account_locked_retry',
      'account_locked',
      'account_frozen',
      'account_under_review',
      'account_not_activated',
      'account_in_cancellation',
    ],
  }),
  askPasskey: endpoint({
    name: 'account.askPasskey',
    method: 'POST',
    path: '/v1/auth/passkey:ask',
    host: 'user',
    credentials: 'none',
    summary: 'Start signing in with a passkey',
    description:
      'Returns the request for an authenticator with a passkey for this site. Each question accepts one answer, within five minutes.',
    reply: Type.Object({ question: Type.String(), challenge: Type.String(), rp_id: Type.String() }),
    errors: ['too_frequent'],
  }),
  passkeySignIn: endpoint({
    name: 'account.passkeySignIn',
    method: 'POST',
    path: '/v1/auth/passkey',
    host: 'user',
    credentials: 'none',
    summary: 'Sign in with a passkey',
    description:
      'Takes what the passkey signed (WebAuthn, in base64url). A passkey counts as both factors: a device, and something its owner is or knows.',
    body: Type.Object({
      ...Client,
      question: Type.String({ maxLength: 64 }),
      id: Type.String({ maxLength: 1400 }),
      client_data: Type.String({ maxLength: 8192 }),
      authenticator_data: Type.String({ maxLength: 8192 }),
      signature: Type.String({ maxLength: 4096 }),
      session: Delivery,
    }),
    reply: TokenReply,
    errors: [
      'access_denied',
      'token_expired',
      'account_frozen',
      'account_under_review',
      'account_not_activated',
      'account_in_cancellation',
    ],
  }),
  token: endpoint({
    name: 'account.token',
    method: 'POST',
    path: '/v1/auth/token',
    anyOrigin: true,
    oauth: true,
    host: 'user',
    credentials: 'none',
    summary: 'Exchange a grant for tokens',
    description:
      'Accepts a refresh token, the authorization code of an approved app, or a device code. An exchanged refresh token expires after a short grace period.',
    body: Type.Object({
      ...Client,
      grant_type: Type.Optional(Type.String({ maxLength: 128 })),
      refresh_token: Type.Optional(Type.String({ maxLength: 4096 })),
      code: Type.Optional(Type.String({ maxLength: 256 })),
      redirect_uri: Type.Optional(Type.String({ maxLength: 2048 })),
      code_verifier: Type.Optional(Type.String({ maxLength: 256 })),
      device_code: Type.Optional(Type.String({ maxLength: 256 })),
      scope: Type.Optional(Type.String({ maxLength: 512 })),
      session: Delivery,
    }),
    reply: TokenReply,
    errors: [
      'invalid_request',
      'unsupported_grant_type',
      'invalid_client',
      'unauthorized_client',
      'invalid_scope',
      'invalid_grant',
      'access_denied',
      'authorization_pending',
      'slow_down',
      'expired_token',
      'account_frozen',
      'account_under_review',
      'account_not_activated',
      'account_in_cancellation',
    ],
  }),
  signOut: endpoint({
    name: 'account.signOut',
    method: 'POST',
    path: '/v1/auth/revoke',
    anyOrigin: true,
    oauth: true,
    host: 'user',
    scope: ANY,
    credentials: 'optional',
    summary: 'Sign out',
    description: 'Ends the current session, or the session of the given token (RFC 7009).',
    body: Type.Object({
      token: Type.Optional(Type.String({ maxLength: 8192 })),
      token_type_hint: Type.Optional(Type.String({ maxLength: 64 })),
      client_id: Type.Optional(Type.String({ maxLength: 128 })),
      client_secret: Type.Optional(Type.String({ maxLength: 256 })),
    }),
    reply: Empty,
    errors: ['invalid_request', 'invalid_client', 'invalid_grant'],
  }),
  me: endpoint({
    name: 'account.me',
    method: 'GET',
    path: '/v1/user/me',
    host: 'user',
    credentials: 'required',
    summary: 'Get your profile',
    reply: Profile,
    errors: ['unauthenticated'],
  }),
  changeMe: endpoint({
    name: 'account.changeMe',
    method: 'PATCH',
    path: '/v1/user/me',
    host: 'user',
    credentials: 'required',
    summary: 'Update your profile',
    description: 'Changes your name, the language of your emails, or which emails you receive.',
    body: Type.Object({
      name: Type.Optional(Type.String({ maxLength: 256 })),
      locale: Type.Optional(Type.String()),
      new_device_mail: Type.Optional(Type.Boolean()),
    }),
    reply: Profile,
    errors: ['unauthenticated'],
  }),
  setPicture: endpoint({
    name: 'account.setPicture',
    method: 'PUT',
    path: '/v1/user/me/picture',
    host: 'user',
    credentials: 'required',
    repeatable: true,
    bodyLimit: PICTURE_TEXT_MAX + 1000,
    summary: 'Set your profile picture',
    description:
      'Accepts JPEG, PNG, GIF, WebP, HEIF or TIFF in base64, up to 6 million bytes. The picture is cropped to a square and re-encoded.',
    body: Type.Object({ picture: Type.String({ maxLength: PICTURE_TEXT_MAX }) }),
    reply: Profile,
    errors: ['unauthenticated', 'too_frequent', 'unsupported'],
  }),
  removePicture: endpoint({
    name: 'account.removePicture',
    method: 'DELETE',
    path: '/v1/user/me/picture',
    host: 'user',
    credentials: 'required',
    repeatable: true,
    summary: 'Delete your profile picture',
    reply: Profile,
    errors: ['unauthenticated'],
  }),
};
