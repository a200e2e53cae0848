import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Client, Delivery, Password } from './fields.ts';
import { TokenReply } from './token.ts';

export const signInApi = {
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
      /** Replaces the password. A code for `SIGN_IN` proves that the caller owns the address. */
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
      'Returns the request for an authenticator with a passkey for this site. Each request accepts one response, within five minutes.',
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
};
