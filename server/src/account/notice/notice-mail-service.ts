import type { Locale, MailCategory } from '@bowerbird/contract';
import type { Tx } from '../../foundation/database/index.ts';
import { message } from '../../foundation/index.ts';
import type { Jobs } from '../../foundation/jobs/index.ts';
import type { Mailer } from '../../foundation/mail/index.ts';
import type { AccountRow } from '../account.ts';
import type { Unsubscribes } from './unsubscribe-service.ts';

/** Events that are reported to the owner by mail, whoever caused them. */
export type Notice =
  | 'passwordChanged'
  | 'emailChanged'
  | 'phoneChanged'
  | 'phoneRemoved'
  | 'newDevice'
  | 'secondFactorOn'
  | 'secondFactorOff'
  | 'passkeyAdded'
  | 'askedIn'
  | 'letIn'
  | 'closing'
  | 'closingSoon'
  | 'closingTakenBack'
  | 'diskLow'
  | 'planEnding'
  | 'planGrace'
  | 'orderPlaced'
  | 'orderPaid'
  | 'orderRefunded'
  | 'renewalPaid'
  | 'renewalFailed'
  | 'renewalCanceled'
  | 'sharedWithYou';

/** Mails about events of an account. Sent after the commit, retried on failure; they contain no secret. */
export interface Notices {
  tell(
    tx: Tx,
    account: AccountRow,
    notice: Notice,
    values?: Readonly<Record<string, string | number>>,
  ): Promise<void>;
  define(queue: Jobs): void;
}

interface Letter {
  readonly to: string;
  readonly locale: Locale;
  readonly notice: Notice;
  readonly values: Readonly<Record<string, string | number>>;
  /** Link to unsubscribe from mails of this category. */
  readonly unsubscribe?: string;
}

const KIND = 'account-notice';
const DEFAULT_LOCALE: Locale = 'en-US';
/** Notices that an owner can unsubscribe from. The others concern security. */
const CATEGORY_OF: Partial<Record<Notice, MailCategory>> = {
  newDevice: 'new_device',
  planEnding: 'plan_end',
  planGrace: 'plan_end',
};

interface Parts {
  jobs: Jobs;
  mailer: Mailer;
  unsubscribes: Unsubscribes;
  /** Base of links in mails; without it there are no unsubscribe links. */
  siteUrl: string | undefined;
}

export function createNotices({ jobs, mailer, unsubscribes, siteUrl }: Parts): Notices {
  function unsubscribeLink(account: AccountRow, notice: Notice): string | undefined {
    const category = CATEGORY_OF[notice];
    if (category === undefined || siteUrl === undefined) return undefined;
    return `${siteUrl}/unsubscribe?d=${unsubscribes.word(account, category)}`;
  }

  return {
    async tell(tx, account, notice, values = {}) {
      if (!mailer.delivers || account.email === '') return;
      const { email: to, locale = DEFAULT_LOCALE, name } = account;
      const unsubscribe = unsubscribeLink(account, notice);
      const letter: Letter = {
        to,
        locale,
        notice,
        values: { ...values, name },
        ...(unsubscribe === undefined ? {} : { unsubscribe }),
      };
      await jobs.enqueue(tx, KIND, letter);
    },

    define: (queue) =>
      queue.define<Letter>(KIND, ({ to, locale, notice, values, unsubscribe }) => {
        const text = message(locale, `mail.${notice}.text`, values);
        const end =
          unsubscribe === undefined
            ? ''
            : `\n\n${message(locale, 'contact.unsubscribe.line', { link: unsubscribe })}`;
        return mailer.send({
          to,
          subject: message(locale, `mail.${notice}.subject`, values),
          text: text + end,
          ...(unsubscribe === undefined ? {} : { unsubscribe }),
        });
      }),
  };
}
