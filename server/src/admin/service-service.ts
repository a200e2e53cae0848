import type { ServiceState } from '@bowerbird/contract';
import type { Accounts } from '../account/index.ts';
import type { Contacts } from '../contact/index.ts';
import type { Disk } from '../disk/index.ts';
import type { Database } from '../foundation/database/index.ts';
import type { Config } from '../foundation/index.ts';
import type { Jobs } from '../foundation/jobs/index.ts';
import type { Mailer } from '../foundation/mail/index.ts';
import type { Quota } from '../membership/index.ts';

/** Part of the storage that the status needs. */
export interface Storage {
  health(): Promise<void>;
}

/** Settings and state of the service. */
export interface ServiceCare {
  state(): Promise<ServiceState>;
  /** Returns whether this process can reach the service at its configured address. */
  isReached(): Promise<boolean>;
}

const PATIENCE_MS = 5_000;

const isWell = (check: Promise<unknown>): Promise<boolean> =>
  check.then(
    (answer) => answer !== false,
    () => false,
  );

export function createServiceCare({
  database,
  storage,
  disk,
  config,
  version,
  jobs,
  mailer,
  accounts,
  contacts,
  quota,
}: {
  database: Database;
  storage: Storage;
  disk: Pick<Disk, 'status'>;
  config: Config;
  version: string;
  jobs: Jobs;
  mailer: Mailer;
  accounts: Accounts;
  contacts: Contacts;
  quota: Quota;
}): ServiceCare {
  return {
    async state() {
      const [space, room, people, messages, standing, isDatabaseWell, isStorageWell] = await Promise.all([
        quota.totals(database),
        disk.status().catch(() => undefined),
        accounts.counts(database),
        contacts.waiting(),
        jobs.standing(),
        isWell(database.ping()),
        isWell(storage.health()),
      ]);
      return {
        version,
        site_url: config.SITE_URL ?? '',
        mail: { delivers: mailer.delivers, from: config.MAIL_FROM },
        sign_up: config.SIGN_UP,
        space: {
          used: String(space.used),
          arriving: String(space.reserved),
          free: String(room?.free ?? ''),
          reserve: String(config.DISK_RESERVE),
          level: room?.level ?? 'ok',
        },
        people,
        messages,
        health: {
          database: isDatabaseWell,
          storage: isStorageWell,
          jobs_late: standing.late,
          jobs_failing: standing.failing,
        },
      };
    },

    async isReached() {
      if (config.SITE_URL === undefined) return false;
      try {
        const reply = await fetch(new URL('/healthz', config.SITE_URL), {
          redirect: 'error',
          signal: AbortSignal.timeout(PATIENCE_MS),
        });
        const answer = (await reply.json()) as { status?: unknown };
        return answer.status === 'alive';
      } catch {
        return false;
      }
    },
  };
}
