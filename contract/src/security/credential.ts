import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Empty } from '../wire.ts';
import { Password } from '../account/fields.ts';
import { own } from './own.ts';

const PhoneNumber = Type.String({ maxLength: 40 });

/** The password of an account, and the addresses that it signs in with. */
export const credentialApi = {
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
      /** Code that proves ownership of the new address, if this service sends email. */
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
      /** Code that proves ownership of the new number. */
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
};
