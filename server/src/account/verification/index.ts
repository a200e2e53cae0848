import type { Foundation } from '../../foundation/domain/index.ts';
import type { Jobs } from '../../foundation/jobs/index.ts';
import type { Mailer } from '../../foundation/mail/index.ts';
import type { SmsSender } from '../../foundation/sms/index.ts';
import type { Shield } from '../../shield/index.ts';
import { countryRules, MAIL, MAIL_FROM_KNOWN, SMS, SMS_FROM_KNOWN } from '../account-limits.ts';
import { createCodeMails } from './code-mail-service.ts';
import { createRecipients } from './recipient.ts';
import { createTexting } from './texting-service.ts';
import { createVerifications } from './verification-service.ts';
import { createVerificationStore } from './verification-store.ts';

export type { Recipient, Recipients } from './recipient.ts';
export { maskedPhone, readPhone } from './phone.ts';
export type { Verifications } from './verification-service.ts';
export type { VerificationStore } from './verification-store.ts';
export type { Words } from './verification.ts';

const HOUR_MS = 3600 * 1000;

interface Parts extends Foundation {
  mailer: Mailer;
  /** Undefined if no text messages are sent. */
  sms: SmsSender | undefined;
  shield: Shield;
}

/** Codes by mail and text message, and the addresses that they go to. */
export function createVerification(parts: Parts) {
  const { database, clock, ids, keys, config, log, mailer, sms, shield } = parts;
  const recipients = createRecipients({ offered: sms !== undefined, countries: config.SMS_COUNTRIES });
  const store = createVerificationStore();
  const texting = createTexting({
    sender: sms,
    numbers: shield.guard('verification-sms', SMS),
    browsers: shield.guard('verification-sms-known', SMS_FROM_KNOWN),
    countries: shield.guard('verification-sms-country', countryRules(config.SMS_DAILY)),
    site: config.SITE_URL,
    clock,
    log,
  });
  const verifications = createVerifications({
    database,
    store,
    mails: createCodeMails({ mailer, log }),
    texting,
    guard: shield.guard('verification-mail', MAIL),
    browsers: shield.guard('verification-mail-known', MAIL_FROM_KNOWN),
    keys,
    clock,
    ids,
  });
  return {
    recipients,
    verifications,
    store,
    define(jobs: Jobs) {
      jobs.define('forget-verifications', () => verifications.forgetOld(), { everyMs: HOUR_MS });
    },
  };
}

export type Verification = ReturnType<typeof createVerification>;
