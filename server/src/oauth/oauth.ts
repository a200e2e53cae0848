import { createHash, timingSafeEqual } from 'node:crypto';
import {
  ApiFailure,
  GRANT_SCOPES,
  type AskingApp,
  type GrantScope,
  type GrantType,
} from '@bowerbird/contract';
import { drawLetters } from '../foundation/index.ts';

/** Program that may request access. */
export interface Client {
  readonly id: string;
  /** Undefined for clients that can't keep a secret: on devices and in browsers. */
  readonly secretHash: string | undefined;
  readonly name: string;
  readonly uri: string;
  readonly redirectUris: readonly string[];
  readonly grantTypes: readonly GrantType[];
  readonly scopes: readonly GrantScope[];
  readonly standing: AskingApp['standing'];
}

/** Member's consent to an app. */
export interface ConsentRow {
  readonly id: string;
  readonly account: string;
  readonly client: string;
  readonly scopes: readonly GrantScope[];
  readonly createdAt: number;
  readonly usedAt: number | undefined;
}

export interface CodeRow {
  readonly hash: string;
  readonly account: string;
  readonly client: string;
  /** Undefined for codes that sign in to our own pages. */
  readonly consent: string | undefined;
  readonly redirectUri: string;
  readonly challenge: string | undefined;
  readonly nonce: string | undefined;
  readonly scopes: readonly GrantScope[];
  /** Time of the owner's sign-in. */
  readonly authenticatedAt: number;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly usedAt: number | undefined;
  /** Session that was created with the consent. */
  readonly session: string | undefined;
}

/** Device that waits for its owner's decision. */
export interface DeviceRow {
  readonly hash: string;
  readonly userCode: string;
  readonly client: string;
  readonly scopes: readonly GrantScope[];
  readonly state: 'pending' | 'allowed' | 'denied' | 'used';
  readonly account: string | undefined;
  readonly consent: string | undefined;
  readonly authenticatedAt: number | undefined;
  readonly decidedAt: number | undefined;
  readonly intervalMs: number;
  readonly polledAt: number | undefined;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** External account that signs in to one of ours. */
export interface ExternalRow {
  readonly id: string;
  readonly issuer: string;
  readonly subject: string;
  readonly account: string;
  readonly email: string;
  readonly createdAt: number;
  readonly usedAt: number | undefined;
}

export const digest = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** Compares a secret with its stored digest. */
export function isSecret(given: string, hash: string): boolean {
  const a = Buffer.from(digest(given));
  const b = Buffer.from(hash);
  return a.length === b.length && timingSafeEqual(a, b);
}

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

export const isLoopback = (url: URL): boolean => url.protocol === 'http:' && LOOPBACK.has(url.hostname);

/**
 * Returns whether an app may register this redirect address. Custom schemes are for clients of the
 * administrator's file.
 */
export function isRedirectUri(uri: string, standing: Client['standing']): boolean {
  const url = URL.parse(uri);
  if (!url || url.hash !== '' || uri.includes('#') || url.username !== '' || url.password !== '')
    return false;
  if (url.protocol === 'https:' || isLoopback(url)) return true;
  const isBrowsers = /^(https?|javascript|data|vbscript|file|blob|about|ftp|wss?):$/.test(url.protocol);
  return standing !== 'registered' && !isBrowsers;
}

/**
 * Compares exactly, except for the port of a loopback address, which programs learn only when they listen
 * (RFC 8252, 7.3).
 */
export function isSameRedirect(asked: string, known: string): boolean {
  if (asked === known) return true;
  const [a, b] = [URL.parse(asked), URL.parse(known)];
  if (!a || !b || !isLoopback(a) || !isLoopback(b)) return false;
  return (
    a.hostname === b.hostname &&
    a.pathname === b.pathname &&
    a.search === b.search &&
    !asked.includes('#') &&
    a.username === '' &&
    a.password === ''
  );
}

/**
 * Only redirects to a site can't be intercepted by another program on the device, so consents are remembered
 * only for those.
 */
export const isOnTheWeb = (redirectUri: string): boolean => redirectUri.startsWith('https:');

const KNOWN_SCOPES: ReadonlySet<string> = new Set(GRANT_SCOPES);
/** Common scopes that have no effect here. */
const PASSED_OVER = new Set(['offline_access', 'address', 'phone']);

/** Parses the scopes of a text, each once; all that the client may have if it names none. */
export function readScopes(text: string | undefined, client: Client): GrantScope[] {
  const words = (text ?? '').split(/\s+/).filter((word) => word !== '' && !PASSED_OVER.has(word));
  if (words.length === 0) return [...client.scopes];
  const allowed = new Set<string>(client.scopes);
  for (const word of words)
    if (!KNOWN_SCOPES.has(word) || !allowed.has(word)) throw new ApiFailure('invalid_scope', { scope: word });
  return GRANT_SCOPES.filter((scope) => words.includes(scope));
}

const CHALLENGE = /^[\w-]{43}$/;
const VERIFIER = /^[\w.~-]{43,128}$/;

export const isChallenge = (text: string): boolean => CHALLENGE.test(text);

/** Returns whether the challenge is the digest of the verifier (PKCE, S256). */
export function answersChallenge(verifier: string | undefined, challenge: string): boolean {
  if (verifier === undefined || !VERIFIER.test(verifier)) return false;
  return isSecret(verifier, challenge);
}

/**
 * Consonants only: they form no words, are not misread for each other, and can be typed on any remote
 * control.
 */
const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const USER_CODE_LENGTH = 8;

export const drawUserCode = (): string => drawLetters(USER_CODE_LETTERS, USER_CODE_LENGTH);

/** Displayed form of a code: `BCDF-GHJK`. */
export const shownUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

/** Normalizes a typed code: lower case, dashes and spaces are accepted. */
export const typedUserCode = (text: string): string => text.toUpperCase().replace(/[^A-Z]/g, '');
