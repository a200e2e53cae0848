import { ApiFailure } from '@bowerbird/contract';
import type { Accounts } from '../account/index.ts';
import type { Database } from '../foundation/database/index.ts';
import { message, type Config } from '../foundation/index.ts';
import type { Mailer } from '../foundation/mail/index.ts';

/** Sends a test message to an administrator; throws `unsupported` if no mail server is configured. */
export type SendTestMail = (account: string) => Promise<{ sent: boolean; to: string; reason: string }>;

interface Parts {
  database: Database;
  accounts: Accounts;
  mailer: Mailer;
  config: Pick<Config, 'SITE_URL'>;
}

export function createTestMail({ database, accounts, mailer, config }: Parts): SendTestMail {
  return async (id) => {
    const account = await accounts.find(database, id);
    if (!mailer.delivers || !account || account.email === '') throw new ApiFailure('unsupported');
    const locale = account.locale ?? 'en-US';
    try {
      await mailer.send({
        to: account.email,
        subject: message(locale, 'admin.mail.subject'),
        text: message(locale, 'admin.mail.text', { address: config.SITE_URL ?? '' }),
      });
      return { sent: true, to: account.email, reason: '' };
    } catch (error) {
      return { sent: false, to: account.email, reason: (error as Error).message.slice(0, 500) };
    }
  };
}
