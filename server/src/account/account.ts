import { ApiFailure, LIMITS, type ErrorId, type Locale } from '@bowerbird/contract';
import { COMMON_PASSWORDS } from './common-passwords.ts';

export type Role = 'member' | 'operator';
/**
 * Status set by administrators: `waiting` until a new account is approved, `review` while an administrator
 * examines it, `frozen` until it is unfrozen.
 */
export type Status = 'waiting' | 'active' | 'review' | 'frozen';

/** Account of a person who signed up. */
export interface AccountRow {
  readonly id: string;
  /** "" if the account has only a phone. */
  readonly email: string;
  /** E.164, or "". */
  readonly phone: string;
  readonly name: string;
  readonly picture: string;
  readonly passwordHash: string | undefined;
  readonly role: Role;
  readonly status: Status;
  readonly locale: Locale | undefined;
  readonly createdAt: number;
  readonly passwordUpdatedAt: number | undefined;
  /** True if sign-ins from new devices are reported by mail. */
  readonly newDeviceMail: boolean;
  /** True if the end of a plan is announced by mail. */
  readonly planMail: boolean;
  /** Time of the erasure of an account that its owner closed; until then the closing can be undone. */
  readonly closesAt: number | undefined;
}

/** The columns that decide whether an account may be used. */
export type Standing = Pick<AccountRow, 'status' | 'closesAt'>;

const REFUSALS: Readonly<Record<Status, ErrorId | undefined>> = {
  waiting: 'account_not_activated',
  active: undefined,
  review: 'account_under_review',
  frozen: 'account_frozen',
};

/**
 * Returns the reason why an account may not be used; undefined if it may. Every entry point calls this. An
 * administrator's decision has priority: the owner of a frozen account cannot undo its closing.
 */
export function refusalOf(account: Standing | undefined): ErrorId | undefined {
  if (!account) return 'unauthenticated';
  const byOperator = REFUSALS[account.status];
  return byOperator ?? (account.closesAt === undefined ? undefined : 'account_in_cancellation');
}

export function isUsable<A extends Standing>(account: A | undefined): account is A {
  return refusalOf(account) === undefined;
}

/** Throws the reason why an account may not be used. */
export function requireUsable<A extends Standing>(account: A | undefined): asserts account is A {
  const refusal = refusalOf(account);
  if (refusal) throw new ApiFailure(refusal);
}

const EMAIL_LENGTH = 254;
// Single address: no names, lists, quotes, comments or control characters, which mail headers would interpret.
const EMAIL =
  /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}.]+(?:\.[^\s@<>()[\]\\,;:"\p{Cc}.]+)*$/u;

/** Normalizes a mail address: addresses with the same key belong to the same account. */
export function emailKey(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

export function isEmail(email: string): boolean {
  return email.length <= EMAIL_LENGTH && EMAIL.test(email);
}

/** Words about this service, which attackers try first, with a few digits or punctuation marks around them. */
const WORDS_OF_THE_PLACE = ['bowerbird', 'clouddrive', 'mydrive', 'webdav'];

const isWordWithTrimmings = (plain: string, word: string): boolean => {
  const at = plain.indexOf(word);
  const rest = at < 0 ? plain : plain.slice(0, at) + plain.slice(at + word.length);
  return at >= 0 && rest.length <= 4 && !/\p{L}/u.test(rest);
};

/** Returns true if a password is easy to guess. */
export function isWeakPassword(password: string, email: string): boolean {
  const plain = password.normalize('NFC').toLowerCase();
  const [local] = emailKey(email).split('@');
  return (
    [...password].length < LIMITS.passwordMin ||
    new Set(plain).size < 3 ||
    plain === emailKey(email) ||
    [...WORDS_OF_THE_PLACE, local ?? ''].some((word) => word !== '' && isWordWithTrimmings(plain, word)) ||
    COMMON_PASSWORDS.has(plain)
  );
}

/** Throws if a password is not allowed. */
export function judgePassword(password: string, email: string): void {
  if (password.length > LIMITS.passwordMax) throw new ApiFailure('invalid_argument', { field: 'password' });
  if (isWeakPassword(password, email)) throw new ApiFailure('password_too_weak');
}

/**
 * Normalizes a text into one line without control characters (NFC), cut at `most` characters; "" if nothing remains.
 */
export function oneLine(text: string, most = Infinity): string {
  const plain = text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  return [...plain].slice(0, most).join('');
}

/** Returns the display name of an account: the requested name, or one made from the address; one line, never empty. */
export function displayName(asked: string | undefined, email: string): string {
  const clean = (text: string): string => oneLine(text, LIMITS.displayNameMax);
  return clean(asked ?? '') || clean(email.split('@')[0] ?? '') || 'Member';
}

/** `ann@example.org` → `a***@example.org`. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  if (at < 1) return '';
  return `${[...email][0]}***${email.slice(at)}`;
}

/** Text in which each character is a letter of its own: finding that out takes less than a segmenter. */
const PLAIN = /^[\x20-\x7e]*$/;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Masks a name for strangers, showing at most half of it: `Rylee Ivy` → `Ry**vy`. */
export function maskedName(name: string): string {
  const letters = PLAIN.test(name) ? [...name] : [...graphemes.segment(name)].map(({ segment }) => segment);
  const shown = Math.min(2, Math.floor(letters.length / 4));
  const first = letters.slice(0, Math.max(1, shown)).join('');
  const last = shown === 0 ? '' : letters.slice(-shown).join('');
  return `${first}**${last}`;
}
