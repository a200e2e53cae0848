import { ApiFailure } from '@bowerbird/contract';
import { emailKey, isEmail } from '../account.ts';
import { readPhone } from './phone.ts';

/** Recipient of codes. Recipients with the same key are the same. */
export type Recipient =
  | { readonly kind: 'mail'; readonly to: string; readonly key: string }
  | { readonly kind: 'phone'; readonly to: string; readonly key: string; readonly country: string };

/** Recipients of text messages, as configured by the administrator. */
export interface PhoneRules {
  /** False without a provider: numbers are then never requested. */
  readonly offered: boolean;
  /** Countries that messages are sent to. The first is assumed for numbers without a country. */
  readonly countries: readonly string[];
}

export interface Recipients {
  readonly offersPhones: boolean;
  /** Returns the recipient of a code; throws for invalid addresses, and for numbers that receive none. */
  of(given: { email?: string | undefined; phone_number?: string | undefined }): Recipient;
  /** Returns the key of a name that is an address or a number and not the id of an account. */
  keyOf(name: string): string | undefined;
}

export function createRecipients({ offered, countries }: PhoneRules): Recipients {
  const [home] = countries;

  function phone(typed: string): Recipient {
    if (!offered) throw new ApiFailure('unsupported');
    const read = readPhone(typed, home);
    if (!read) throw new ApiFailure('invalid_argument', { field: 'phone_number' });
    const { number, country } = read;
    if (!countries.includes(country)) throw new ApiFailure('phone_country_unsupported', { country });
    return { kind: 'phone', to: number, key: number, country };
  }

  function mail(typed: string): Recipient {
    const to = typed.trim().normalize('NFC');
    if (!isEmail(to)) throw new ApiFailure('invalid_argument', { field: 'email' });
    return { kind: 'mail', to, key: emailKey(to) };
  }

  return {
    offersPhones: offered,
    of: ({ email, phone_number: number }) =>
      email === undefined && number !== undefined ? phone(number) : mail(email ?? ''),
    // An account's number remains valid for signing in, even if messages are no longer sent to it.
    keyOf: (name) => (name.includes('@') ? emailKey(name) : readPhone(name, home)?.number),
  };
}
