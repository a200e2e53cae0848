import { ApiFailure, LIMITS, type Locale } from '@bowerbird/contract';
import { COMMON_PASSWORDS } from './common-passwords.ts';

export type Role = 'member' | 'operator';
export type Status = 'active' | 'frozen';

/** A person who signed up. */
export interface AccountRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly picture: string;
  readonly passwordHash: string | undefined;
  readonly role: Role;
  readonly status: Status;
  readonly locale: Locale | undefined;
  readonly createdAt: number;
  readonly passwordUpdatedAt: number | undefined;
  /** Whether a sign-in from somewhere new is told by mail. */
  readonly newDeviceMail: boolean;
}

/** One sign-in: a cookie of our own pages, or a chain of refresh tokens of which only the newest is good. */
export interface SessionRow {
  readonly id: string;
  readonly account: string;
  readonly kind: 'cookie' | 'token';
  readonly clientId: string;
  readonly createdAt: number;
  readonly seenAt: number;
  readonly expiresAt: number;
  readonly revokedAt: number | undefined;
  /** What it is good for; undefined for everything. */
  readonly scopes: readonly string[] | undefined;
  /** The app password that opened it, with which it ends. */
  readonly pass: string | undefined;
}

/** Where a session comes from, for the list that its owner sees. */
export interface SessionOrigin {
  readonly clientId: string;
  readonly deviceId: string;
  readonly userAgent: string;
  readonly address: string;
}

const EMAIL_LENGTH = 254;
// One address and nothing else: no names, lists, quotes, comments or control characters, which mail headers would read.
const EMAIL =
  /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}.]+(?:\.[^\s@<>()[\]\\,;:"\p{Cc}.]+)*$/u;

/** What one address is, however it is typed: two of the same key are the same account. */
export function emailKey(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

export function isEmail(email: string): boolean {
  return email.length <= EMAIL_LENGTH && EMAIL.test(email);
}

/** True where a password can be guessed without trying hard. */
export function isWeakPassword(password: string, email: string): boolean {
  const plain = password.normalize('NFC').toLowerCase();
  const [local] = emailKey(email).split('@');
  return (
    [...password].length < LIMITS.passwordMin ||
    new Set(plain).size < 3 ||
    plain === emailKey(email) ||
    plain === local ||
    COMMON_PASSWORDS.has(plain)
  );
}

/** Refuses a password that nobody may have. */
export function judgePassword(password: string, email: string): void {
  if (password.length > LIMITS.passwordMax) throw new ApiFailure('invalid_argument', { field: 'password' });
  if (isWeakPassword(password, email)) throw new ApiFailure('password_too_weak');
}

/** A text that somebody gave as a name: one line without control characters, cut at `most` characters; "" where nothing is left. */
export function oneLine(text: string, most: number): string {
  const plain = text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  return [...plain].slice(0, most).join('');
}

/** The name that an account bears: as asked for, or from its address; one line, never empty. */
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

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** What strangers see of a name, never more than half of it: `Rylee Ivy` → `Ry**vy`. */
export function maskedName(name: string): string {
  const letters = [...graphemes.segment(name)].map(({ segment }) => segment);
  const shown = Math.min(2, Math.floor(letters.length / 4));
  const first = letters.slice(0, Math.max(1, shown)).join('');
  const last = shown === 0 ? '' : letters.slice(-shown).join('');
  return `${first}**${last}`;
}
