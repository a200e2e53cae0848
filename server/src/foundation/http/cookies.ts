import { fastifyCookie } from '@fastify/cookie';
import type { Caller, Cookies, Secrets } from './viewer.ts';

/**
 * Prefix of cookies that browsers accept over https only, from this host and for all of its paths: no
 * subdomain can set them.
 */
const HOST_PREFIX = '__Host-';

const isSecure = (origin: string): boolean => origin.startsWith('https:');

/**
 * Writes cookies as Set-Cookie values: SameSite=Lax and for the whole site unless configured otherwise,
 * Secure if the site uses https.
 */
export function cookieWriter(
  origin: string,
  cookies: Cookies,
  write: (setCookie: string) => void,
): Pick<Caller, 'setCookie' | 'secrets'> {
  const secure = isSecure(origin);
  const put = (name: string, value: string, options: Parameters<typeof fastifyCookie.serialize>[2]): void =>
    write(fastifyCookie.serialize(name, value, { path: '/', sameSite: 'lax', secure, ...options }));
  const named = (name: string): string => secretName(origin, name);
  return {
    setCookie(name, value, { maxAgeSeconds, ...options } = {}) {
      put(name, value, { ...options, ...(maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds }) });
    },
    secrets: {
      ...secretReader(origin, cookies),
      keep: (name, value, seconds) => put(named(name), value, { httpOnly: true, maxAge: seconds }),
      drop: (name) => put(named(name), '', { httpOnly: true, maxAge: 0 }),
    },
  };
}

export const secretReader = (origin: string, cookies: Cookies): Pick<Secrets, 'read'> => ({
  read: (name) => cookies[secretName(origin, name)] || undefined,
});

/** Name of a secret's cookie for a site at `origin`. */
const secretName = (origin: string, name: string): string => (isSecure(origin) ? HOST_PREFIX + name : name);
