import type { Locale } from '@bowerbird/contract';
import type { Tx } from '../foundation/database/index.ts';
import { message } from '../foundation/index.ts';
import type { Jobs } from '../foundation/jobs/index.ts';
import type { Mailer } from '../foundation/mail/index.ts';
import type { ContactMessage } from './contact.ts';

/** Mails to the administrator about messages from visitors and members. */
export interface ContactMails {
  /** Sends the message after the commit, if the administrator has set an address. */
  tell(tx: Tx, written: ContactMessage): Promise<void>;
  define(queue: Jobs): void;
}

const KIND = 'contact-mail';
/** The administrator gets English, like the output of the command line and the log. */
const OF_OPERATOR: Locale = 'en-US';

interface Parts {
  jobs: Jobs;
  mailer: Mailer;
  /** Address of the administrator. */
  contact: string | undefined;
}

export function createContactMails({ jobs, mailer, contact }: Parts): ContactMails {
  return {
    async tell(tx, written) {
      if (contact !== undefined && mailer.delivers) await jobs.enqueue(tx, KIND, written);
    },

    define: (queue) =>
      queue.define<ContactMessage>(KIND, async ({ topic, email, message: text, link, account, locale }) => {
        if (contact === undefined) return;
        const facts = { topic, email, text, link: link || '–', account: account ?? '–', locale };
        await mailer.send({
          to: contact,
          replyTo: email,
          subject: message(OF_OPERATOR, 'contact.mail.subject', facts),
          text: message(OF_OPERATOR, 'contact.mail.text', facts),
        });
      }),
  };
}
