import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Empty, oneOf } from '../wire.ts';
import { Address, Client, Password } from './fields.ts';

/** Codes that prove an address or a phone number, and what they are good for without signing in. */
export const verificationApi = {
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
};
