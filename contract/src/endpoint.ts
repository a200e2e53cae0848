import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorId } from './errors.ts';
import { SIGNED_IN, type ANY, type GrantScope, type Scope } from './scopes.ts';

/** Scopes that a call can require of a token. */
type CallScope = Scope | GrantScope | typeof SIGNED_IN | typeof ANY;

/** The product's host that serves the call. */
export type HostRole = 'user' | 'drive' | 'config' | 'access' | 'dav';

/** Callers that an endpoint accepts: anyone, anyone (with additional data for members), or only members. */
export type Credentials = 'none' | 'optional' | 'required';

/**
 * An endpoint is data: routes, the typed client, OpenAPI and the tests are all derived from it.
 *
 * `path` is an OpenAPI template: `{id}` is a parameter, a colon is a literal (`/drive/v1/files:batchMove`). Bodies are
 * parsed by content, not by Content-Type; in bodies and queries, `null` means absent.
 */
export interface EndpointSpec {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: `/${string}`;
  readonly host: HostRole;
  /** Title in the API reference: an imperative without a period. */
  readonly summary: string;
  /** Description below the title; backticks mark code. */
  readonly description?: string;
  readonly credentials: Credentials;
  /** Scope that a token needs; if absent, {@link scopeOf} decides. Sessions started by signing in have every scope. */
  readonly scope?: CallScope;
  /** True if the reply contains a secret that is shown only once: such replies aren't stored for retries. */
  readonly secretReply?: boolean;
  /** True if repeating the call does no harm: its replies, which may be large, aren't stored for retries. */
  readonly repeatable?: boolean;
  /** True if pages of any site may make the call, without cookies: apps that run in a browser need this. */
  readonly anyOrigin?: true;
  /**
   * True if the call follows the OAuth RFCs: parameters without a value are treated as absent (RFC 6749, 3.1 and 3.2),
   * a malformed request is `invalid_request`, and refusals have `WWW-Authenticate` and an `error_description` in
   * ASCII.
   */
  readonly oauth?: true;
  /** Status code of the reply, if it isn't 200. */
  readonly status?: 201;
  /** Size limit of the body in bytes, if it exceeds the usual megabyte. */
  readonly bodyLimit?: number;
  /**
   * Which calls need a captcha token: calls by visitors (`true`); sign-in calls by anyone, with a token requested for
   * the same name (`login`); sign-in calls whose token can be used only once (`login-once`); or rewards of members, if
   * something looks suspicious (`reward`).
   */
  readonly captcha?: true | 'login' | 'login-once' | 'reward';
  /**
   * True if bytes follow the body, which is then JSON in a single line: the request consists of the JSON, a line feed
   * and the bytes.
   */
  readonly bytes?: true;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
  readonly reply: TSchema;
  /**
   * The errors that the call raises on purpose. Any call may also raise `invalid_argument`, `internal` and
   * `unavailable`; calls for which {@link takesKey} is true may also raise `outcome_unknown`.
   */
  readonly errors?: readonly ErrorId[];
}

type Part<S, K extends string> = S extends { readonly [P in K]: infer T extends TSchema }
  ? { [P in K]: Static<T> }
  : {};

/** The fields of a call: `{ params, query, body }`, each present only if the endpoint declares it. */
export type FieldsOf<S extends EndpointSpec> = Part<S, 'params'> & Part<S, 'query'> & Part<S, 'body'>;
/** The inputs of a call: its fields, and its bytes if it has any. */
export type InputOf<S extends EndpointSpec> = FieldsOf<S> &
  (S extends { readonly bytes: true } ? { bytes: Blob } : {});
export type ReplyOf<S extends EndpointSpec> = Static<S['reply']>;

/** Declares an endpoint: an identity function that infers the types. */
export function endpoint<const S extends EndpointSpec>(spec: S): S {
  return spec;
}

/**
 * The only way to make a call. In the browser, it uses fetch; during server-side rendering, it is a direct call in the
 * same process with the visitor's credentials. Rejects with an {@link ApiFailure}.
 */
export type ApiCall = <S extends EndpointSpec>(
  spec: S,
  input: InputOf<S>,
  options?: CallOptions,
) => Promise<ReplyOf<S>>;

export interface CallOptions {
  readonly signal?: AbortSignal;
  /**
   * Makes a retried mutation take effect only once: repeated calls of a member with the same key get the reply to the
   * first one.
   */
  readonly idempotencyKey?: string;
}

/**
 * True if a change that is resent with the same `Idempotency-Key` takes effect only once. Replies with secrets aren't
 * stored.
 */
export const takesKey = (spec: EndpointSpec): boolean =>
  spec.credentials !== 'none' && spec.method !== 'GET' && !spec.secretReply && !spec.repeatable;

/** Fills in `{id}` parameters, percent-encoded. */
export function pathOf(spec: EndpointSpec, params: Record<string, string> = {}): string {
  return spec.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

const OF_DOMAIN: Readonly<Record<string, Scope>> = { offline: 'offline', subscription: 'offline' };

/**
 * The scope that a call needs: its own, or else that of its domain, or else that of its host. Calls that change an
 * account need a scope of their own. Tokens can't make any other calls.
 */
export function scopeOf(spec: EndpointSpec): CallScope {
  const domain = spec.name.split('.', 1)[0]!;
  if (spec.scope) return spec.scope;
  if (Object.hasOwn(OF_DOMAIN, domain)) return OF_DOMAIN[domain]!;
  if (spec.host === 'user' && spec.method === 'GET') return 'user';
  return spec.host === 'drive' ? 'pan' : SIGNED_IN;
}
