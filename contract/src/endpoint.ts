import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorId } from './errors.ts';
import { SIGNED_IN, type ANY, type GrantScope, type Scope } from './scopes.ts';

/** What a call can ask a token for. */
type CallScope = Scope | GrantScope | typeof SIGNED_IN | typeof ANY;

/** Which of the product's hosts serves a call (see docs/architecture.md, "Hosts"). */
export type HostRole = 'user' | 'drive' | 'config' | 'access' | 'dav';

/** Who may make a call: anyone, anyone but a member gets more, or only members. */
export type Credentials = 'none' | 'optional' | 'required';

/**
 * An endpoint is data. Routes, the typed client, OpenAPI and the tests are all made from it.
 *
 * `path` is an OpenAPI template: `{id}` is a parameter, a colon is a literal (`/drive/v1/files:batchMove`).
 * Bodies are decoded by content, not by Content-Type; in bodies and queries `null` means absent.
 */
export interface EndpointSpec {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: `/${string}`;
  readonly host: HostRole;
  readonly summary: string;
  readonly credentials: Credentials;
  /** What a token must be good for; where absent, {@link scopeOf} says. Sessions that began with a sign-in may all. */
  readonly scope?: CallScope;
  /** True where the reply holds a secret that is shown once: it is not kept for calls that are retried. */
  readonly secretReply?: boolean;
  /** True where asking again does no harm: replies, which may be large, are not kept for calls that are retried. */
  readonly repeatable?: boolean;
  /** True where pages of any site may make the call, without cookies: what programs that run in a browser ask for as apps. */
  readonly anyOrigin?: true;
  /**
   * True where the call follows the RFCs of OAuth: parameters without a value are absent (RFC 6749, 3.1 and 3.2), a
   * malformed request is `invalid_request`, and refusals have `WWW-Authenticate` and an `error_description` in ASCII.
   */
  readonly oauth?: true;
  /** Status of the reply, where it is not 200. */
  readonly status?: 201;
  /** Bytes that a body may have, where that is more than the usual megabyte. */
  readonly bodyLimit?: number;
  /**
   * What must come with a captcha token: a visitor's call (`true`); anybody's call that signs in, whose token was asked
   * for under the same name (`login`); such a call for which a token is good once (`login-once`).
   */
  readonly captcha?: true | 'login' | 'login-once';
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
  readonly reply: TSchema;
  /**
   * The errors that the call raises on purpose; any call may also raise `invalid_argument`, `internal` and `unavailable`, one
   * that {@link takesKey} `outcome_unknown`.
   */
  readonly errors?: readonly ErrorId[];
}

type Part<S, K extends string> = S extends { readonly [P in K]: infer T extends TSchema }
  ? { [P in K]: Static<T> }
  : {};

/** The parts of a call that carry something: `{ params, query, body }`, each present only where the endpoint has it. */
export type InputOf<S extends EndpointSpec> = Part<S, 'params'> & Part<S, 'query'> & Part<S, 'body'>;
export type ReplyOf<S extends EndpointSpec> = Static<S['reply']>;

/** Declares an endpoint; the identity function, for its types. */
export function endpoint<const S extends EndpointSpec>(spec: S): S {
  return spec;
}

/**
 * The one way to make a call. In the browser it is fetch; while rendering on the server it is a direct call in the same
 * process with the visitor's credentials. Rejects with an {@link ApiFailure}.
 */
export type ApiCall = <S extends EndpointSpec>(
  spec: S,
  input: InputOf<S>,
  options?: CallOptions,
) => Promise<ReplyOf<S>>;

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Makes a retried mutation take effect once: calls of one member with the same key get the first one's reply. */
  readonly idempotencyKey?: string;
}

/** Whether a change that is sent again with its `Idempotency-Key` takes effect once. What hands out secrets is not kept. */
export const takesKey = (spec: EndpointSpec): boolean =>
  spec.credentials !== 'none' && spec.method !== 'GET' && !spec.secretReply && !spec.repeatable;

/** Fills `{id}` parameters, percent-encoded. */
export function pathOf(spec: EndpointSpec, params: Record<string, string> = {}): string {
  return spec.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

const OF_DOMAIN: Readonly<Record<string, Scope>> = { offline: 'offline', subscription: 'offline' };

/**
 * The scope that a call needs: its own word, else by its domain, else by its host; what changes an account needs its own
 * word. What is none of these, no token may.
 */
export function scopeOf(spec: EndpointSpec): CallScope {
  const domain = spec.name.split('.', 1)[0]!;
  if (spec.scope) return spec.scope;
  if (Object.hasOwn(OF_DOMAIN, domain)) return OF_DOMAIN[domain]!;
  if (spec.host === 'user' && spec.method === 'GET') return 'user';
  return spec.host === 'drive' ? 'pan' : SIGNED_IN;
}
