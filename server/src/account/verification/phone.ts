import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/min';

/** Phone number in any spelling. */
export interface Phone {
  /** E.164: `+491701234567`; two equal numbers are the same phone. */
  readonly number: string;
  /** Two capital letters; "" for numbers without a country, such as those of satellite phones. */
  readonly country: string;
}

/** Returns undefined if the text is not a number. A number without a country belongs to `home`. */
export function readPhone(typed: string, home?: string): Phone | undefined {
  const text = typed
    .trim()
    .normalize('NFKC')
    .replace(/^00(?=[1-9])/, '+');
  if (!/^\+?[\d\s().\-/]{5,32}$/.test(text)) return undefined;
  const read = parsePhoneNumberFromString(text, home as CountryCode | undefined);
  return read?.isValid() ? { number: read.number, country: read.country ?? '' } : undefined;
}

/** `+491701234567` → `+49******567`. */
export function maskedPhone(number: string): string {
  if (number === '') return '';
  const code = parsePhoneNumberFromString(number)?.countryCallingCode ?? '';
  const hidden = Math.max(0, number.length - 1 - code.length - 3);
  return `+${code}${'*'.repeat(hidden)}${number.slice(-3)}`;
}
