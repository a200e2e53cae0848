import { fastifyCookie } from '@fastify/cookie';
import type { Caller } from './viewer.ts';

/** Writes cookies as Set-Cookie values: lax and for the whole site unless said otherwise, secure wherever the site is https. */
export function cookieWriter(
  origin: string,
  write: (setCookie: string) => void,
): Pick<Caller, 'setCookie' | 'clearCookie'> {
  const secure = origin.startsWith('https:');
  return {
    setCookie(name, value, { maxAgeSeconds, httpOnly = false, sameSite = 'lax', path = '/' } = {}) {
      write(
        fastifyCookie.serialize(name, value, {
          path,
          httpOnly,
          sameSite,
          secure,
          ...(maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds }),
        }),
      );
    },
    clearCookie(name) {
      write(fastifyCookie.serialize(name, '', { path: '/', maxAge: 0, secure, sameSite: 'lax' }));
    },
  };
}
