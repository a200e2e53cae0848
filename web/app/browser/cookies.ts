/** Name and value as RFC 6265 allows them; values are percent-encoded, so only names can be wrong. */
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;

export interface CookieOptions {
  /** Seconds; a session's length where absent, 0 removes it. */
  readonly maxAge?: number;
  readonly path?: string;
  readonly sameSite?: 'strict' | 'lax';
}

/** One `Set-Cookie` text for our own page, secure wherever the page is. */
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
  // The Cookie Store API is neither everywhere nor synchronous.
  // eslint-disable-next-line unicorn/no-document-cookie
  document.cookie = cookieText(name, value, options, location.protocol === 'https:');
}

/** All cookies of a header or of `document.cookie`, decoded; what is malformed is left out. */
export function parseCookies(header: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(0, at)).trim();
    if (name === '') continue;
    try {
      found[name] ??= decodeURIComponent(pair.slice(at + 1).trim());
    } catch {
      // Someone else's cookie: not ours to judge.
    }
  }
  return found;
}

export function readCookie(name: string): string | undefined {
  return parseCookies(document.cookie)[name];
}
