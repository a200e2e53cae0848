import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorId } from './errors.ts';
import { SIGNED_IN, type ANY, type GrantScope, type Scope } from './scopes.ts';

/** Scopes that a call can require of a token. */
type CallScope = Scope | GrantScope | typeof SIGNED_IN | typeof ANY;

/** The product's host that serves a call (see docs/architecture.md, "Hosts"). */
export type HostRole = 'user' | 'drive' | 'config' | 'access' | 'dav';

/** Callers of an endpoint: anyone, anyone with more for members, or only members. */
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
  /** Title in the reference: an imperative without a period. */
  readonly summary: string;
  /** Sentences below the title; backticks mark code. */
  readonly description?: string;
  readonly credentials: Credentials;
  /** Scope that a token needs; if absent, {@link scopeOf} decides. Sessions that began with a sign-in have every scope. */
  readonly scope?: CallScope;
  /** True if the reply contains a secret that is shown once: it isn't stored for retries. */
  readonly secretReply?: boolean;
  /** True if repeating the call does no harm: replies, which may be large, aren't stored for retries. */
  readonly repeatable?: boolean;
  /** True if pages of any site may make the call, without cookies: needed by apps that run in a browser. */
  readonly anyOrigin?: true;
  /**
   * True if the call follows the RFCs of OAuth: parameters without a value are absent (RFC 6749, 3.1 and 3.2), a
   * malformed request is `invalid_request`, and refusals have `WWW-Authenticate` and an `error_description` in ASCII.
   */
  readonly oauth?: true;
  /** Status of the reply, if it isn't 200. */
  readonly status?: 201;
  /** Size limit of the body in bytes, if it is more than the usual megabyte. */
  readonly bodyLimit?: number;
  /**
   * Calls that need a captcha token: a visitor's call (`true`); anyone's call that signs in, whose token was requested for
   * the same name (`login`); such a call whose token works once (`login-once`).
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

/** The inputs of a call: `{ params, query, body }`, each present only if the endpoint has it. */
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

/** True if a change that is sent again with its `Idempotency-Key` takes effect once. Replies with secrets aren't stored. */
export const takesKey = (spec: EndpointSpec): boolean =>
  spec.credentials !== 'none' && spec.method !== 'GET' && !spec.secretReply && !spec.repeatable;

/** Fills `{id}` parameters, percent-encoded. */
export function pathOf(spec: EndpointSpec, params: Record<string, string> = {}): string {
  return spec.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

const OF_DOMAIN: Readonly<Record<string, Scope>> = { offline: 'offline', subscription: 'offline' };

/**
 * The scope that a call needs: its own, else by its domain, else by its host; calls that change an account need a scope of
 * their own. No token may make any other call.
 */
export function scopeOf(spec: EndpointSpec): CallScope {
  const domain = spec.name.split('.', 1)[0]!;
  if (spec.scope) return spec.scope;
  if (Object.hasOwn(OF_DOMAIN, domain)) return OF_DOMAIN[domain]!;
  if (spec.host === 'user' && spec.method === 'GET') return 'user';
  return spec.host === 'drive' ? 'pan' : SIGNED_IN;
}
