import { ANY, ApiFailure, type ErrorId, type Locale, type scopeOf } from '@bowerbird/contract';

/** Signed-in caller. */
export interface Member {
  readonly account: string;
  readonly session: string;
  readonly operator: boolean;
  /** Session transport: a cookie needs our own origin for unsafe methods, a token doesn't. */
  readonly by: 'cookie' | 'token';
  /** Scopes of this sign-in or token; sessions of a sign-in have all. */
  readonly scopes: ReadonlySet<string>;
}

/** Caller of a request: a member, or a visitor (null). */
export type Viewer = Member | null;

export type Cookies = Readonly<Record<string, string | undefined>>;

export interface CookieOptions {
  readonly maxAgeSeconds?: number;
  readonly sameSite?: 'lax' | 'strict' | 'none';
  readonly path?: string;
}

/** Values that this browser stores for us and hides from pages: sessions and their equivalents. */
export interface Secrets {
  read(name: string): string | undefined;
  keep(name: string, value: string, seconds: number): void;
  drop(name: string): void;
}

/** Properties of a request that a call may depend on besides its input. */
export interface Caller {
  readonly viewer: Viewer;
  /** Reason why the account of the credentials may not be used, if that is why there is no viewer. */
  refusal(): Promise<ErrorId | undefined>;
  /** True if the request has a bearer token, valid or not. */
  readonly hasBearer: boolean;
  readonly locale: Locale;
  /** Content of an Authorization header of type Basic, with which clients authenticate. */
  readonly basic: { readonly name: string; readonly secret: string } | undefined;
  /** Network address of the client; from proxy headers only behind a configured proxy. */
  readonly address: string;
  /** Two capital letters from a configured proxy, else "". */
  readonly country: string;
  readonly deviceId: string;
  readonly clientId: string;
  readonly userAgent: string;
  /** Origin of the request, or the configured one: `https://drive.example.org`. */
  readonly origin: string;
  /** True if the browser reports that a page of another site sent the request. */
  readonly foreign: boolean;
  readonly cookies: Cookies;
  readonly secrets: Secrets;
  readonly requestId: string;
  readonly idempotencyKey: string | undefined;
  setCookie(name: string, value: string, options?: CookieOptions): void;
  /** Clears what the browser loaded from here, when a member signs out. */
  clearCache(): void;
}

/** Returns the member who makes a call. Throws for visitors, and for tokens without the scope that the call needs. */
export async function memberOf(caller: Caller, scope: ReturnType<typeof scopeOf>): Promise<Member> {
  const { viewer } = caller;
  if (!viewer) throw new ApiFailure((await caller.refusal()) ?? 'unauthenticated');
  if (scope !== ANY && !viewer.scopes.has(scope)) throw new ApiFailure('permission_denied', { scope });
  return viewer;
}
