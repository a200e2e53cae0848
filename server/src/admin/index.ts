import type { Accounts, Closings, Erasing, Sessions } from '../account/index.ts';
import type { Contacts } from '../contact/index.ts';
import type { Disk } from '../disk/index.ts';
import type { Cursors, Database } from '../foundation/database/index.ts';
import type { Api } from '../foundation/http/index.ts';
import type { Config } from '../foundation/index.ts';
import type { Jobs } from '../foundation/jobs/index.ts';
import type { Mailer } from '../foundation/mail/index.ts';
import type { Quota } from '../membership/index.ts';
import { mountAdmin } from './admin-routes.ts';
import { createPeople } from './people-service.ts';
import { createServiceCare, type Storage } from './service-service.ts';
import { createTestMail } from './test-mail-service.ts';

interface Parts {
  database: Database;
  storage: Storage;
  disk: Pick<Disk, 'status'>;
  cursors: Cursors;
  config: Config;
  version: string;
  jobs: Jobs;
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
    mount: (api: Api) =>
      mountAdmin(api, {
        care,
        people,
        sendTestMail: createTestMail(parts),
        contacts: parts.contacts,
        cursors: parts.cursors,
      }),
  };
}
