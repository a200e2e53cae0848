/** Valid name according to RFC 6265; values are percent-encoded, so only names can be invalid. */
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;

export interface CookieOptions {
  /** In seconds; absent for a session cookie, 0 to delete it. */
  readonly maxAge?: number;
  readonly path?: string;
  readonly sameSite?: 'strict' | 'lax';
}

/** Returns a `Set-Cookie` value for this site, secure if the page is. */
export function cookieText(
  name: string,
  value: string,
  { maxAge, path = '/', sameSite = 'strict' }: CookieOptions,
  isSecure: boolean,
): string {
  if (!NAME.test(name)) throw new TypeError(`not a cookie name: ${name}`);
  if (/[;\s]/.test(path)) throw new TypeError(`not a cookie path: ${path}`);
  if (maxAge !== undefined && !Number.isInteger(maxAge)) throw new TypeError(`not a cookie age: ${maxAge}`);
  const parts = [
    `${name}=${encodeURIComponent(value)}`,
    `Path=${path}`,
    `SameSite=${sameSite === 'lax' ? 'Lax' : 'Strict'}`,
  ];
  if (maxAge !== undefined) parts.push(`Max-Age=${maxAge}`);
  if (isSecure) parts.push('Secure');
  return parts.join('; ');
}

export function writeCookie(name: string, value: string, options: CookieOptions = {}): void {
  // The Cookie Store API is neither available everywhere nor synchronous.
  // eslint-disable-next-line unicorn/no-document-cookie
  document.cookie = cookieText(name, value, options, location.protocol === 'https:');
}

/** Parses a header or `document.cookie`, and decodes the values; malformed cookies are left out. */
export function parseCookies(header: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(0, at)).trim();
    if (name === '') continue;
    try {
      found[name] ??= decodeURIComponent(pair.slice(at + 1).trim());
    } catch {
      // Another program's cookie; skipped.
    }
  }
  return found;
}

export function readCookie(name: string): string | undefined {
  return parseCookies(document.cookie)[name];
}
