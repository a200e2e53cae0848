import Type from 'typebox';
import { endpoint } from './endpoint.ts';
import { Empty, oneOf } from './wire.ts';

/** Topics of messages to the administrator. */
export const CONTACT_TOPICS = ['question', 'problem', 'account', 'feedback', 'abuse', 'copyright'] as const;
export type ContactTopic = (typeof CONTACT_TOPICS)[number];

/** Maximum lengths in characters of messages to the administrator. */
export const CONTACT_LIMITS = { messageMin: 10, messageMax: 4000, linkMax: 500, emailMax: 254 } as const;

export const contactApi = {
  send: endpoint({
    name: 'contact.send',
    method: 'POST',
    path: '/site/v1/contact',
    host: 'config',
    credentials: 'optional',
    repeatable: true,
    summary: 'Send a message to the administrator',
    body: Type.Object({
      topic: oneOf(CONTACT_TOPICS),
      /** Reply address; "" from a member means the address of their account. */
      email: Type.String({ maxLength: CONTACT_LIMITS.emailMax }),
      message: Type.String({ maxLength: CONTACT_LIMITS.messageMax }),
      /** The share or page that the message is about. */
      link: Type.Optional(Type.String({ maxLength: CONTACT_LIMITS.linkMax })),
      /** Hidden from people: only bots fill it in, and their messages are accepted but discarded. */
      website: Type.Optional(Type.String({ maxLength: 1000 })),
    }),
    reply: Empty,
    errors: ['too_frequent'],
  }),
};
