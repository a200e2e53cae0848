import type { Database } from '../../foundation/database/index.ts';
import type { Api } from '../../foundation/http/index.ts';
import type { Keys } from '../../foundation/index.ts';
import type { Jobs } from '../../foundation/jobs/index.ts';
import type { Mailer } from '../../foundation/mail/index.ts';
import type { AccountStore } from '../account-store.ts';
import { createNotices } from './notice-mail-service.ts';
import { mountUnsubscribe } from './unsubscribe-routes.ts';
import { createUnsubscribes } from './unsubscribe-service.ts';

export type { Notice, Notices } from './notice-mail-service.ts';

interface Parts {
  database: Database;
  keys: Keys;
  jobs: Jobs;
  mailer: Mailer;
  siteUrl: string | undefined;
  accounts: AccountStore;
}

/** Mails about events of an account, and the page that unsubscribes from them. */
export function createNotice({ database, keys, jobs, mailer, siteUrl, accounts }: Parts) {
  const unsubscribes = createUnsubscribes({ database, accounts, keys });
  const notices = createNotices({ jobs, mailer, unsubscribes, siteUrl });
  return {
    notices,
    mount: (api: Api) => mountUnsubscribe(api, unsubscribes),
    define: () => notices.define(),
  };
}
