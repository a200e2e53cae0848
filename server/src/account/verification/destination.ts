import { ApiFailure } from '@bowerbird/contract';
import { emailKey, isEmail } from '../account.ts';
import { readPhone } from './phone.ts';

/** Where a code can go. Two of the same key are the same. */
export type Destination =
  | { readonly kind: 'mail'; readonly to: string; readonly key: string }
  | { readonly kind: 'phone'; readonly to: string; readonly key: string; readonly country: string };

/** To whom text messages go, as the operator set it up. */
export interface PhoneRules {
  /** False where there is no provider: no number is ever asked for. */
  readonly offered: boolean;
  /** Countries that messages go to. The first is that of numbers without one. */
  readonly countries: readonly string[];
}

export interface Destinations {
  readonly offersPhones: boolean;
  /** Where a code shall go; refuses what is no address, and numbers that get none. */
  of(given: { email?: string | undefined; phone_number?: string | undefined }): Destination;
  /** The key that a name has, where it is an address or a number and not the id of an account. */
  keyOf(name: string): string | undefined;
}

export function createDestinations({ offered, countries }: PhoneRules): Destinations {
  const [home] = countries;

  function phone(typed: string): Destination {
    if (!offered) throw new ApiFailure('unsupported');
    const read = readPhone(typed, home);
    if (!read) throw new ApiFailure('invalid_argument', { field: 'phone_number' });
    const { number, country } = read;
    if (!countries.includes(country)) throw new ApiFailure('phone_country_unsupported', { country });
    return { kind: 'phone', to: number, key: number, country };
  }

  function mail(typed: string): Destination {
    const to = typed.trim().normalize('NFC');
    if (!isEmail(to)) throw new ApiFailure('invalid_argument', { field: 'email' });
    return { kind: 'mail', to, key: emailKey(to) };
  }

  return {
    offersPhones: offered,
    of: ({ email, phone_number: number }) =>
      email === undefined && number !== undefined ? phone(number) : mail(email ?? ''),
    // Whoever has a number here comes in with it, whether messages go there still or not.
    keyOf: (name) => (name.includes('@') ? emailKey(name) : readPhone(name, home)?.number),
  };
}
