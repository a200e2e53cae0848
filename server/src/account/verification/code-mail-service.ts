import { ApiFailure, type Locale } from '@bowerbird/contract';
import { message, type Log } from '../../foundation/index.ts';
import type { Mailer } from '../../foundation/mail/index.ts';
import type { Recipient } from './recipient.ts';
import type { Words } from './verification.ts';

type MailRecipient = Extract<Recipient, { kind: 'mail' }>;

/** Sends codes by mail. */
export interface CodeMails {
  /**
   * Sends a code at once; throws `invalid_argument` if the mail server refuses the address, otherwise
   * `unavailable`.
   */
  send(
    to: MailRecipient,
    code: { code: string; minutes: number; locale: Locale; words: Words },
  ): Promise<void>;
}

export function createCodeMails({ mailer, log }: { mailer: Mailer; log: Log }): CodeMails {
  return {
    async send({ to }, { code, minutes, locale, words }) {
      const subject = message(locale, `mail.${words}.subject`, { code });
      const text = message(locale, `mail.${words}.text`, { code, minutes });
      try {
        await mailer.send({ to, subject, text });
      } catch (error) {
        const { command, responseCode } = error as { command?: string; responseCode?: number };
        if (command === 'RCPT TO' && responseCode !== undefined && responseCode >= 550) {
          throw new ApiFailure('invalid_argument', { field: 'email' });
        }
        log.error({ err: error }, 'could not send mail');
        throw new ApiFailure('unavailable');
      }
    },
  };
}
