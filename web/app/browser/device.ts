import { writeCookie } from './cookies.ts';

export const DEVICE_KEY = 'deviceid';
export const DEVICE_COOKIE = 'pp_device_id';
const YEAR = 365 * 86_400;

/**
 * Returns the id of this browser, 32 hexadecimal digits, kept in its storage and, for the server, in a
 * cookie.
 */
export function deviceId(): string {
  const known = stored();
  if (known && /^[0-9a-f]{32}$/.test(known)) return known;
  const id = randomHex();
  try {
    localStorage.setItem(DEVICE_KEY, id);
  } catch {
    // Without storage, a browser gets a new id with each page.
  }
  writeCookie(DEVICE_COOKIE, id, { maxAge: YEAR });
  return id;
}

function stored(): string | null {
  try {
    return localStorage.getItem(DEVICE_KEY);
  } catch {
    return null;
  }
}

/** Returns random digits, even outside a secure context, where randomUUID is missing. */
export function randomHex(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
