import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { SignatureMalformed, type ObjectRequest } from './object-signature.ts';

// Common parts of signature version 4 of S3 and of OSS.

export const UNSIGNED_PAYLOAD = 'UNSIGNED-PAYLOAD';
const LONGEST_LINK_SECONDS = 7 * 24 * 3600;

export type Parameter = readonly [name: string, value: string];

export function parseQuery(query: string): Parameter[] {
  if (query === '') return [];
  return query.split('&').map((pair) => {
    const at = pair.indexOf('=');
    return at < 0 ? [decode(pair), ''] : [decode(pair.slice(0, at)), decode(pair.slice(at + 1))];
  });
}

/** Parameters without the signature itself, escaped and sorted by their escaped names. */
export function sortedQuery(parameters: readonly Parameter[], signature: string): Parameter[] {
  return parameters
    .filter(([name]) => name !== signature)
    .map(([name, value]): Parameter => [encode(name), encode(value)])
    .toSorted(([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : x < y ? -1 : Number(x > y)));
}

/** Returns the value of a parameter, "" if there is none. */
export function valuesOf(parameters: readonly Parameter[]): (name: string) => string {
  return (name) => parameters.find(([known]) => known === name)?.[1] ?? '';
}

/** Validity of a signed link, in seconds. Throws {@link SignatureMalformed} outside of a second to a week. */
export function linkLife(value: string, field: string): number {
  const seconds = Number(value);
  if (!(seconds >= 1 && seconds <= LONGEST_LINK_SECONDS)) throw new SignatureMalformed(field);
  return seconds;
}

/** Fields of an Authorization header after its algorithm; "" for a missing field. */
export function authorizationFields(authorization: string, algorithm: string): (name: string) => string {
  const fields = new Map(
    authorization
      .slice(algorithm.length)
      .split(',')
      .map((field) => field.trim())
      .map((field) => [field.slice(0, field.indexOf('=')), field.slice(field.indexOf('=') + 1)]),
  );
  return (name) => fields.get(name) ?? '';
}

/** Signing key for a scope: each of its words is hashed with the key of the previous one. */
export function signingKey(secret: string, scope: readonly string[]): Buffer {
  return scope.reduce(
    (key: Buffer | string, word) => createHmac('sha256', key).update(word).digest(),
    secret,
  ) as Buffer;
}

/**
 * Returns whether a signature, in hex, matches the text for one of the request's hosts; takes the same time
 * for each.
 */
export function isSignedFor(
  { hosts }: ObjectRequest,
  { signature, key, textFor }: { signature: string; key: Buffer; textFor: (host: string) => string },
): boolean {
  const given = Buffer.from(signature, 'hex');
  return hosts
    .map((host) => timingSafeEqual(given, createHmac('sha256', key).update(textFor(host)).digest()))
    .includes(true);
}

export function headerText(value: IncomingHttpHeaders[string]): string {
  return Array.isArray(value) ? value.join(',') : (value ?? '');
}

export function decode(escaped: string): string {
  try {
    return decodeURIComponent(escaped);
  } catch {
    throw new SignatureMalformed('URI');
  }
}

/** Escapes everything but unreserved characters. */
export function encode(plain: string): string {
  return encodeURIComponent(plain.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** `20261127T120000Z` in milliseconds. */
export function parseTime(date: string): number | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number);
  return Date.UTC(year!, month! - 1, day, hour, minute, second);
}

/** HTTP date of clients that send no x-amz-date, in the signed form. */
export function compactTime(date: string): string {
  const time = Date.parse(date);
  return Number.isNaN(time) ? '' : new Date(time).toISOString().replace(/[-:]|\.\d{3}/g, '');
}
