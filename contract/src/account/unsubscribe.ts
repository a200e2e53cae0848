import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Empty, oneOf } from '../wire.ts';

/** Emails that can be unsubscribed from; all others are needed to keep an account secure. */
export const MAIL_CATEGORIES = ['new_device', 'plan_end'] as const;
export type MailCategory = (typeof MAIL_CATEGORIES)[number];

/** The signed token from the link in an email. */
const Word = Type.String({ minLength: 1, maxLength: 1000 });

export const unsubscribeApi = {
  look: endpoint({
    name: 'unsubscribe.look',
    method: 'GET',
    path: '/mail/v1/unsubscribe',
    host: 'user',
    credentials: 'none',
    summary: 'Inspect an unsubscribe link',
    description: 'Returns the recipient and the kind of email that the link is for. Changes nothing.',
    query: Type.Object({ d: Word }),
    reply: Type.Object({
      /** Masked in the middle. */
      email: Type.String(),
      scene: oneOf(MAIL_CATEGORIES),
      d: Type.String(),
      /** True if such emails are still sent. */
      subscribed: Type.Boolean(),
    }),
    errors: ['not_found'],
  }),
  act: endpoint({
    name: 'unsubscribe.act',
    method: 'POST',
    path: '/mail/v1/unsubscribe',
    host: 'user',
    credentials: 'none',
    repeatable: true,
    summary: 'Unsubscribe from a kind of email',
    description: 'Email programs call this without asking the reader (RFC 8058).',
    query: Type.Object({ d: Word }),
    reply: Empty,
    errors: ['not_found'],
  }),
};
