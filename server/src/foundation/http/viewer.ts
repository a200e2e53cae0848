import type { Locale } from '@bowerbird/contract';

/** A member who asks. */
export interface Member {
  readonly account: string;
  readonly session: string;
  readonly operator: boolean;
  /** How the session travels: a cookie needs our own origin for unsafe methods, a token doesn't. */
  readonly by: 'cookie' | 'token';
  /** What this sign-in or token is good for; sessions of a sign-in have all of it. */
  readonly scopes: ReadonlySet<string>;
}

/** Who asks: a member, or a visitor (null). */
export type Viewer = Member | null;

export interface CookieOptions {
  readonly maxAgeSeconds?: number;
  readonly httpOnly?: boolean;
  readonly sameSite?: 'lax' | 'strict' | 'none';
  readonly path?: string;
}

/** Everything about a request that a call may depend on besides its input. */
export interface Caller {
  readonly viewer: Viewer;
  readonly locale: Locale;
  /** Network address of the client; from proxy headers only behind a configured proxy. */
  readonly address: string;
  readonly deviceId: string;
  readonly clientId: string;
  readonly userAgent: string;
  /** Origin under which the site was asked for, or the configured one: `https://drive.example.org`. */
  readonly origin: string;
  /** True where a browser says that a page of another site sent the request. */
  readonly foreign: boolean;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  readonly requestId: string;
  readonly idempotencyKey: string | undefined;
  setCookie(name: string, value: string, options?: CookieOptions): void;
  clearCookie(name: string): void;
}
