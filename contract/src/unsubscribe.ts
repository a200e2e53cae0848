import Type from 'typebox';
import { endpoint } from './endpoint.ts';
import { Empty, oneOf } from './wire.ts';

/** Categories of mail that a reader can unsubscribe from; all other mail keeps an account safe. */
export const MAIL_CATEGORIES = ['new_device'] as const;
export type MailCategory = (typeof MAIL_CATEGORIES)[number];

/** The signed token in the link of a mail. */
const Word = Type.String({ minLength: 1, maxLength: 1000 });

export const unsubscribeApi = {
  look: endpoint({
    name: 'unsubscribe.look',
    method: 'GET',
    path: '/mail/v1/unsubscribe',
    host: 'user',
    credentials: 'none',
    summary: 'Whose mails of which kind a link is about; nothing is changed',
    query: Type.Object({ d: Word }),
    reply: Type.Object({
      /** Masked in its middle. */
      email: Type.String(),
      scene: oneOf(MAIL_CATEGORIES),
      d: Type.String(),
      /** True while mails of this category are still sent. */
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
    summary: 'Send no more mails of that kind; programs of mail post here without asking anybody (RFC 8058)',
    query: Type.Object({ d: Word }),
    reply: Empty,
    errors: ['not_found'],
  }),
};
