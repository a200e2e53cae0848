import type { Accounts, Closings, Erasing, Sessions } from '../account/index.ts';
import type { Contacts } from '../contact/index.ts';
import type { Disk } from '../disk/index.ts';
import type { Foundation, Mount } from '../foundation/domain/index.ts';
import type { Mailer } from '../foundation/mail/index.ts';
import type { Quota } from '../membership/index.ts';
import { mountAdmin } from './admin-routes.ts';
import { createPeople } from './people-service.ts';
import { createServiceCare, type Storage } from './service-service.ts';
import { createTestMail } from './test-mail-service.ts';

interface Parts extends Foundation {
  storage: Storage;
  disk: Pick<Disk, 'status'>;
  version: string;
  mailer: Mailer;
  accounts: Accounts;
  sessions: Sessions;
  closings: Closings;
  erasing: Erasing;
  contacts: Contacts;
  quota: Quota;
}

/** Administrator's view of the service and the actions on it. */
export function createAdmin(parts: Parts) {
  const care = createServiceCare(parts);
  const people = createPeople(parts);
  return {
    mount: ({ api }: Mount) =>
      mountAdmin(api, {
        care,
        people,
        sendTestMail: createTestMail(parts),
        contacts: parts.contacts,
        cursors: parts.cursors,
      }),
  };
}
