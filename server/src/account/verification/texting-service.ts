import { ApiFailure, type Locale } from '@bowerbird/contract';
import { message, type Clock, type Log } from '../../foundation/index.ts';
import { SmsRefusal, type SmsSender } from '../../foundation/sms/index.ts';
import type { Guard } from '../../shield/index.ts';
import type { Recipient } from './recipient.ts';
import { maskedPhone } from './phone.ts';
import type { Usage } from './verification.ts';

type PhoneRecipient = Extract<Recipient, { kind: 'phone' }>;

interface Code {
  readonly code: string;
  readonly minutes: number;
  readonly locale: Locale;
  readonly usage: Usage;
  readonly isIdle: boolean;
}

/**
 * Sends codes by text message. Each costs money, so they are counted by number, by network, and by country
 * and day.
 */
export interface Texting {
  /** Returns the seconds until the next message to this number; throws `verification_too_frequent` at the limits. */
  admit(to: PhoneRecipient, address: string, browser: string | undefined): Promise<number>;
  send(to: PhoneRecipient, code: Code): Promise<void>;
}

/** Usages that must not reveal whether an account has the number, not even by the response time. */
const SILENT: ReadonlySet<Usage> = new Set<Usage>(['SIGN_IN', 'PASSWORD_RESET']);
const DAY_MS = 24 * 3600 * 1000;

interface Parts {
  sender: SmsSender | undefined;
  numbers: Guard;
  /** Counter for requests from a browser of the account's owner. */
  browsers: Guard;
  countries: Guard;
  /** Site on which the code is entered; phones autofill it only there. */
  site: string | undefined;
  clock: Clock;
  log: Log;
}

export function createTexting({ sender, numbers, browsers, countries, site, clock, log }: Parts): Texting {
  const host = site === undefined ? undefined : new URL(site).host;

  async function deliver(to: PhoneRecipient, { code, minutes, locale }: Code): Promise<void> {
    if (!sender) throw new ApiFailure('unsupported');
    const words = message(locale, 'sms.code', { code, minutes });
    const text = host === undefined ? words : `${words}\n\n@${host} #${code}`;
    try {
      await sender.send({ to: to.to, text });
    } catch (error) {
      if (error instanceof SmsRefusal) throw new ApiFailure('invalid_argument', { field: 'phone_number' });
      log.error({ err: error, to: maskedPhone(to.to) }, 'could not send text message');
      throw new ApiFailure('unavailable');
    }
  }

  return {
    async admit({ key, country }, address, browser) {
      const wait =
        browser === undefined
          ? await numbers.attempt(key, address)
          : await browsers.attempt(`${key} ${browser}`, '');
      const day = Math.floor(clock.now() / DAY_MS);
      await countries.attempt(`${country} ${day}`, '');
      return wait;
    },

    async send(to, code) {
      if (code.isIdle) return;
      if (!SILENT.has(code.usage)) return deliver(to, code);
      deliver(to, code).catch((error: unknown) =>
        log.warn({ err: error, to: maskedPhone(to.to) }, 'could not send verification code'),
      );
    },
  };
}
