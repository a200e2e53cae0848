import type { Accounts } from '../account/index.ts';
import { removeRows, type Database } from '../foundation/database/index.ts';
import type { Api } from '../foundation/http/index.ts';
import type { Clock, Config, Ids } from '../foundation/index.ts';
import type { Jobs } from '../foundation/jobs/index.ts';
import type { Mailer } from '../foundation/mail/index.ts';
import type { Shield } from '../shield/index.ts';
import { mountContact } from './contact-routes.ts';
import { createContacts } from './contact-service.ts';
import { SENDING } from './contact.ts';

export type { Contacts } from './contact-service.ts';
export type { ContactMessage } from './contact.ts';

interface Parts {
  database: Database;
  clock: Clock;
  ids: Ids;
  config: Pick<Config, 'CONTACT_ADDRESS'>;
  jobs: Jobs;
  mailer: Mailer;
  shield: Shield;
  accounts: Accounts;
}

/** Messages from visitors and members to the administrator. */
export function createContact({ shield, config, ...parts }: Parts) {
  const contacts = createContacts({
    ...parts,
    guard: shield.guard('contact', SENDING),
    contact: config.CONTACT_ADDRESS,
  });
  return {
    contacts,
    /** Deletes the account's contact messages. Returns the number of rows removed. */
    eraseAccount: (account: string, signal: AbortSignal): Promise<number> =>
      removeRows(parts.database, 'contact_message', { account }, signal),
    mount: (api: Api) => mountContact(api, contacts),
    define: () => contacts.define(),
  };
}
