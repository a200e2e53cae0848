import type { Foundation, Mount } from '../../foundation/domain/index.ts';
import type { Jobs } from '../../foundation/jobs/index.ts';
import type { Mailer } from '../../foundation/mail/index.ts';
import type { AccountStore } from '../account-store.ts';
import { createNotices } from './notice-mail-service.ts';
import { mountUnsubscribe } from './unsubscribe-routes.ts';
import { createUnsubscribes } from './unsubscribe-service.ts';

export type { Notice, Notices } from './notice-mail-service.ts';

interface Parts extends Foundation {
  mailer: Mailer;
  accounts: AccountStore;
}

/** Mails about events of an account, and the page that unsubscribes from them. */
export function createNotice({ database, keys, config, jobs, mailer, accounts }: Parts) {
  const unsubscribes = createUnsubscribes({ database, accounts, keys });
  const notices = createNotices({ jobs, mailer, unsubscribes, siteUrl: config.SITE_URL });
  return {
    notices,
    mount: ({ api }: Mount) => mountUnsubscribe(api, unsubscribes),
    define: (queue: Jobs) => notices.define(queue),
  };
}
