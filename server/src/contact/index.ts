import type { Accounts } from '../account/index.ts';
import type { Foundation, Mount } from '../foundation/domain/index.ts';
import type { Jobs } from '../foundation/jobs/index.ts';
import type { Mailer } from '../foundation/mail/index.ts';
import type { Shield } from '../shield/index.ts';
import { SENDING } from './contact-limits.ts';
import { createContactMails } from './contact-mail-service.ts';
import { mountContact } from './contact-routes.ts';
import { createContacts } from './contact-service.ts';
import { contactStore } from './contact-store.ts';

export type { Contacts } from './contact-service.ts';
export type { ContactMessage } from './contact.ts';

interface Parts extends Foundation {
  mailer: Mailer;
  shield: Shield;
  accounts: Accounts;
}

/** Messages from visitors and members to the administrator. */
export function createContact({ shield, config, mailer, ...parts }: Parts) {
  const mails = createContactMails({ jobs: parts.jobs, mailer, contact: config.CONTACT_ADDRESS });
  const contacts = createContacts({ ...parts, mails, guard: shield.guard('contact', SENDING) });
  return {
    contacts,
    /** Deletes the account's contact messages. Returns the number of rows removed. */
    eraseAccount: (account: string, signal: AbortSignal): Promise<number> =>
      contactStore.eraseAccount(parts.database, account, signal),
    mount: ({ api }: Mount) => mountContact(api, contacts),
    define: (queue: Jobs) => contacts.define(queue),
  };
}
