import type { Locale } from '@bowerbird/contract';
import type { Tx } from '../foundation/database/index.ts';
import { message } from '../foundation/index.ts';
import type { Jobs } from '../foundation/jobs/index.ts';
import type { Mailer } from '../foundation/mail/index.ts';
import type { AccountRow } from './account.ts';

/** What an owner is told by mail, whether or not it was the owner. */
export type Notice =
  | 'passwordChanged'
  | 'emailChanged'
  | 'newDevice'
  | 'secondFactorOn'
  | 'secondFactorOff'
  | 'passkeyAdded';

/** Mails about what happened to an account: they go out once that is true, and are tried again. They hold no secret. */
export interface Notices {
  tell(
    tx: Tx,
    account: AccountRow,
    notice: Notice,
    values?: Readonly<Record<string, string | number>>,
  ): Promise<void>;
  define(): void;
}

interface Letter {
  readonly to: string;
  readonly locale: Locale;
  readonly notice: Notice;
  readonly values: Readonly<Record<string, string | number>>;
}

const KIND = 'account-notice';
const STANDARD: Locale = 'en-US';

export function createNotices({ jobs, mailer }: { jobs: Jobs; mailer: Mailer }): Notices {
  return {
    async tell(tx, { email: to, locale = STANDARD, name }, notice, values = {}) {
      if (!mailer.delivers) return;
      const letter: Letter = { to, locale, notice, values: { ...values, name } };
      await jobs.enqueue(tx, KIND, letter);
    },

    define: () =>
      jobs.define<Letter>(KIND, ({ to, locale, notice, values }) =>
        mailer.send({
          to,
          subject: message(locale, `mail.${notice}.subject`, values),
          text: message(locale, `mail.${notice}.text`, values),
        }),
      ),
  };
}
