import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Address, Client, Delivery, Password } from './fields.ts';
import { TokenReply } from './token.ts';

export const signUpApi = {
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
      /**
       * True if new accounts need approval by an administrator; until then, signing in fails with
       * `account_not_activated`.
       */
      approval: Type.Boolean(),
      mail_verification: Type.Boolean(),
      /** True if a phone number can replace the email address; its code is sent as a text message. */
      phone: Type.Boolean(),
      password_min: Type.Integer(),
      free_storage: Type.String(),
    }),
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
};
