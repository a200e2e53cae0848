import type { ErrorId, Locale } from '@bowerbird/contract';

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

export type Cookies = Readonly<Record<string, string | undefined>>;

export interface CookieOptions {
  readonly maxAgeSeconds?: number;
  readonly sameSite?: 'lax' | 'strict' | 'none';
  readonly path?: string;
}

/** What this browser keeps for us and shows to no page: sessions, and what stands for one. */
export interface Secrets {
  read(name: string): string | undefined;
  keep(name: string, value: string, seconds: number): void;
  drop(name: string): void;
}

/** Everything about a request that a call may depend on besides its input. */
export interface Caller {
  readonly viewer: Viewer;
  /** Why nobody may use the account whose credentials came along, where that is why there is no viewer. */
  refusal(): Promise<ErrorId | undefined>;
  /** True where a bearer token came along, whether or not it is good. */
  readonly hasBearer: boolean;
  readonly locale: Locale;
  /** What an Authorization header of the kind Basic says, by which programs name themselves. */
  readonly basic: { readonly name: string; readonly secret: string } | undefined;
  /** Network address of the client; from proxy headers only behind a configured proxy. */
  readonly address: string;
  /** Two capital letters where a configured proxy says them, else "". */
  readonly country: string;
  readonly deviceId: string;
  readonly clientId: string;
  readonly userAgent: string;
  /** Origin under which the site was asked for, or the configured one: `https://drive.example.org`. */
  readonly origin: string;
  /** True where a browser says that a page of another site sent the request. */
  readonly foreign: boolean;
  readonly cookies: Cookies;
  readonly secrets: Secrets;
  readonly requestId: string;
  readonly idempotencyKey: string | undefined;
  setCookie(name: string, value: string, options?: CookieOptions): void;
  /** Has the browser forget what it loaded from here: somebody leaves it. */
  clearCache(): void;
}
