import type { Profile } from '../account/account.ts';
import type { ApiCall } from '../endpoint.ts';
import type { Library, OperatorFacts } from './library.ts';
import { isLocale, matchLocale, negotiateLocale, type Locale } from '../language/locales.ts';

export interface PageCookieOptions {
  /** Seconds; if absent, the cookie lasts until the browser closes. */
  readonly maxAge?: number;
  readonly path?: string;
  readonly sameSite?: 'lax' | 'strict' | 'none';
}

/**
 * Services that the host of the rendered pages passes in with each request: a plain object, created for each request.
 * The host determines the viewer from the request's session cookie, and adds any session cookies that a `call` sets
 * (sign-in, sign-out) to the response itself.
 */
export interface PageServices {
  /** Makes direct calls in the same process, with the visitor's credentials, address and language. */
  readonly call: ApiCall;
  /** The member who views the page; null for a visitor. */
  readonly viewer: Profile | null;
  /** From {@link pageLocale}. */
  readonly locale: Locale;
  /** Nonce of this response's Content-Security-Policy; every inline script has it. */
  readonly nonce: string;
  /** Public origin of the site (`https://drive.example`), for canonical and alternate links. */
  readonly origin: string;
  /** Origins among which the browser distributes its calls; empty for the page's own origin. */
  readonly origins: readonly string[];
  /** Origins of pages that may embed these pages. */
  readonly framedBy: readonly string[];
  /** True if events on the pages are counted. */
  readonly isCounting: boolean;
  /** Decoded; malformed cookies are left out. */
  readonly cookies: Readonly<Record<string, string>>;
  /**
   * Sets a cookie in the response. `path` is "/" and `sameSite` is lax unless given; the cookie is secure if the site
   * uses https.
   */
  setCookie(name: string, value: string, options?: PageCookieOptions): void;
  /** The texts of the public pages. */
  readonly library: Library;
  readonly operator: OperatorFacts;
  /** Called with errors thrown while rendering or loading; the page itself shows no details. */
  logError(error: unknown): void;
}

/** Request for a page, as far as its reply can be found without rendering it: a `Request` is one. */
export interface PageRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Pick<Headers, 'get'>;
  /** Creates the whole request; absent if this is one already. */
  full?(): Request;
}

/** Page that is ready to be sent: a `Response` takes longer to create and to read. Its status is 200. */
export interface ReadyPage {
  /** In lower case, without the length. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

/** Paths that exist only without a locale segment; if there is one, they are redirected. */
export const UNPREFIXED_PATHS = ['auth', 'captcha', 'loading', 's'] as const;

/**
 * The locale that a path begins with, matched as a whole segment (`/ideas` is not Indonesian), and the path without
 * it.
 */
export function splitLocale(pathname: string): { prefix: Locale | undefined; path: string } {
  const first = pathname.split('/', 2)[1];
  if (!isLocale(first)) return { prefix: undefined, path: pathname };
  return { prefix: first, path: pathname.slice(first.length + 1) || '/' };
}

/**
 * The language of a page: the `locale` parameter, else the path's first segment, else the cookie `pp_locale`, else
 * Accept-Language.
 */
export function pageLocale(url: URL, cookie: string | undefined, acceptLanguage: string | undefined): Locale {
  return (
    matchLocale(url.searchParams.get('locale')) ??
    splitLocale(url.pathname).prefix ??
    (isLocale(cookie) ? cookie : undefined) ??
    negotiateLocale(acceptLanguage)
  );
}
