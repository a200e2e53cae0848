import type { Accounts, Closings, Erasing, Sessions } from '../account/index.ts';
import type { Contacts } from '../contact/index.ts';
import type { Disk } from '../disk/index.ts';
import type { Foundation, Mount } from '../foundation/domain/index.ts';
import type { Mailer } from '../foundation/mail/index.ts';
import type { Membership } from '../membership/index.ts';
import { mountAdmin } from './admin-routes.ts';
import { mountAdminMembership } from './admin-membership-routes.ts';
import { mountCodeExport } from './code-export-routes.ts';
import { createOrderDesk } from './order-desk-service.ts';
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
  membership: Membership;
}

/** Administrator's view of the service and the actions on it. */
export function createAdmin(parts: Parts) {
  const { membership } = parts;
  const care = createServiceCare({ ...parts, quota: membership.quota });
  const people = createPeople({ ...parts, ...membership });
  const desk = createOrderDesk({ ...parts, ...membership });
  return {
    mount({ api, http }: Mount) {
      mountAdmin(api, {
        care,
        people,
        sendTestMail: createTestMail(parts),
        contacts: parts.contacts,
        cursors: parts.cursors,
      });
      mountAdminMembership(api, { membership, people, desk, cursors: parts.cursors, clock: parts.clock });
      mountCodeExport(http, membership);
    },
  };
}
