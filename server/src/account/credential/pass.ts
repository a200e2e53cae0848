import { createHash, randomBytes } from 'node:crypto';
import type { PassKind } from '@bowerbird/contract';
import type { Role, Standing } from '../account.ts';
import { drawLetters } from './letters.ts';

/** What lets one program in: an app password, asked for with the address, or an access token, a bearer's. */
export interface PassRow {
  readonly id: string;
  readonly account: string;
  readonly kind: PassKind;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly createdAt: number;
  /** Undefined where it never ends by itself. */
  readonly expiresAt: number | undefined;
  readonly usedAt: number | undefined;
  readonly usedFrom: string;
}

/** A pass together with what its account may do just now. */
export interface LivePass extends PassRow, Standing {
  readonly role: Role;
}

/** By this, people and scanners of published code know an access token of ours. */
export const TOKEN_PREFIX = 'bbt_';
const TOKEN_BYTES = 30;
const APP_PASSWORD_LETTERS = 28;

/** A secret nobody guesses: 140 bits in letters that are hard to misread, or 240 in a token that is only ever copied. */
export function drawSecret(kind: PassKind): string {
  if (kind === 'access_token') return TOKEN_PREFIX + randomBytes(TOKEN_BYTES).toString('base64url');
  return drawLetters(APP_PASSWORD_LETTERS).replace(/.{7}(?=.)/g, '$&-');
}

/** What is kept of a secret. It has so many bits of its own that a plain digest gives nothing away. */
export function secretHash(kind: PassKind, secret: string): string {
  const plain = kind === 'app_password' ? secret.toLowerCase().replace(/[\s-]/g, '') : secret;
  return createHash('sha256').update(`${kind} ${plain}`).digest('base64url');
}

export function isOver(pass: PassRow, now: number): boolean {
  return pass.expiresAt !== undefined && pass.expiresAt <= now;
}
