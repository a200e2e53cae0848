import { createHash, randomBytes } from 'node:crypto';
import type { PassKind } from '@bowerbird/contract';
import type { Role, Standing } from '../account.ts';
import { drawLetters } from './letters.ts';

/**
 * Credential of one program: an app password, used with the email address, or an access token, used as a bearer
 * token.
 */
export interface PassRow {
  readonly id: string;
  readonly account: string;
  readonly kind: PassKind;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly createdAt: number;
  /** Undefined if it never expires. */
  readonly expiresAt: number | undefined;
  readonly usedAt: number | undefined;
  readonly usedFrom: string;
}

/** Pass with the current standing of its account. */
export interface LivePass extends PassRow, Standing {
  readonly role: Role;
}

/** Prefix by which people and secret scanners recognize our access tokens. */
export const TOKEN_PREFIX = 'bbt_';
const TOKEN_BYTES = 30;
const APP_PASSWORD_LETTERS = 28;

/**
 * Returns an unguessable secret: 140 bits in letters that are hard to misread, or 240 in a token that is only
 * ever copied.
 */
export function drawSecret(kind: PassKind): string {
  if (kind === 'access_token') return TOKEN_PREFIX + randomBytes(TOKEN_BYTES).toString('base64url');
  return drawLetters(APP_PASSWORD_LETTERS).replace(/.{7}(?=.)/g, '$&-');
}

/** Returns the stored hash of a secret. The secret has enough entropy for a plain digest to be safe. */
export function secretHash(kind: PassKind, secret: string): string {
  const plain = kind === 'app_password' ? secret.toLowerCase().replace(/[\s-]/g, '') : secret;
  return createHash('sha256').update(`${kind} ${plain}`).digest('base64url');
}

export function isOver(pass: PassRow, now: number): boolean {
  return pass.expiresAt !== undefined && pass.expiresAt <= now;
}
