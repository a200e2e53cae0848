import {
  ApiFailure,
  errorOfCode,
  isErrorId,
  pathOf,
  WEB_CLIENT_ID,
  type ApiCall,
  type CallOptions,
  type EndpointSpec,
  type ErrorDetail,
  type ErrorEnvelope,
} from '@bowerbird/contract';

export interface ClientOptions {
  /** Tried in order when one can't be reached; `['']` is the page's own origin. */
  readonly origins: readonly string[];
  readonly locale: string;
  readonly deviceId: string;
  readonly fetch: typeof globalThis.fetch;
  readonly sleep: (ms: number) => Promise<void>;
  readonly randomId: () => string;
  /** Called when the session has ended: error_code 16. */
  readonly onSignedOut?: (failure: ApiFailure) => void;
  /** Retry policy of a call; two retries, 300 ms apart, by default. */
  readonly patience?: Patience;
  /** Tokens for the calls of visitors, and for signing in. */
  readonly captcha?: CaptchaTokens;
  /** Returns true if a member is signed in: members need no token to read. */
  readonly isMember?: () => boolean;
}

export interface Patience {
  /** Total attempts, including the first. */
  readonly attempts: number;
  /** Milliseconds to wait before the next attempt, by number of failed attempts. */
  readonly pause: (failed: number) => number;
}

/** Call that needs a token. */
export interface CaptchaCall {
  /** `POST:/v1/auth/signin` */
  readonly action: string;
  /** Identifiers of the account that signs in or up, by field name; empty for all other calls. */
  readonly names: Readonly<Record<string, string>>;
}

export interface CaptchaTokens {
  get(wanted: CaptchaCall): Promise<string>;
  /** Returns a new token in place of the one that was refused. */
  renew(wanted: CaptchaCall, refused: string): Promise<string>;
  /** Marks a single-use token as used. */
  spent(token: string): void;
}

const RETRIED_STATUSES = new Set([408, 409, 425, 429, 500, 502, 503, 504]);
const DEFAULT_RETRIES = 2;
const MOST_RETRIES = 4;
const PAUSE = 300;
const LONGEST_PAUSE = 10_000;
const MOST_CAPTCHAS = 3;
const CAPTCHA_REFUSALS: ReadonlySet<string> = new Set([
  'captcha_required',
  'captcha_invalid',
  'captcha_token_invalid',
]);
const NAME_FIELDS = new Set(['username', 'email', 'phone_number']);

export function clampRetries(retries = DEFAULT_RETRIES): number {
  return Math.min(MOST_RETRIES, Math.max(0, Math.trunc(retries)));
}

/** Patience for calls that a user waits for: 300 ms between attempts. */
export const usualPatience = (retries?: number): Patience => ({
  attempts: clampRetries(retries) + 1,
  pause: () => PAUSE,
});

/** Patience for background calls: fifteen attempts in all, 1, 2, 4, 8 … seconds apart. */
export const LONG_PATIENCE: Patience = { attempts: 15, pause: (failed) => 2 ** (failed - 1) * 1000 };

/** Returns true if a failure asks for a captcha token, or for a new one. */
export const isCaptchaRefusal = (id: string): boolean => CAPTCHA_REFUSALS.has(id);

/** Replies whose version the server named, kept so that it can say that nothing has changed. */
interface KnownReply {
  /** Entity tag; "" if the server named no version. */
  readonly tag: string;
  readonly reply: unknown;
}
const MOST_KNOWN = 30;

interface Attempt {
  readonly failure: ApiFailure;
  readonly isRetried: boolean;
  /** Delay that the server asked for, in ms; 0 if it asked for none. */
  readonly asked: number;
}

/** Implements the contract's call over fetch, with the headers that every request from the pages carries. */
export function createClient(options: ClientOptions): ApiCall {
  const { captcha, patience = usualPatience() } = options;
  let origin = 0;
  const known = new Map<string, KnownReply>();

  /** The latest replies are kept. */
  function keep(path: string, reply: KnownReply): void {
    known.delete(path);
    known.set(path, reply);
    if (known.size > MOST_KNOWN) known.delete(known.keys().next().value!);
  }

  return async (spec, input, callOptions = {}) => {
    const request = requestOf(spec, input, callOptions, options);
    const wanted = captchaOf(spec, input);
    let token = captcha && needsCaptcha(spec, options) ? await captcha.get(wanted) : undefined;
    for (let failed = 0, captchas = 0; ;) {
      callOptions.signal?.throwIfAborted();
      const base = options.origins[origin % options.origins.length] ?? '';
      const before = spec.method === 'GET' ? known.get(request.path) : undefined;
      const init = withTag(withToken(request.init, token), before?.tag);
      const outcome = await attempt(base + request.path, init, options.fetch, before);
      if (token !== undefined && spec.captcha === 'login-once') captcha?.spent(token);
      if ('reply' in outcome) {
        if (outcome.tag !== '') keep(request.path, outcome);
        return outcome.reply as never;
      }
      const { failure, isRetried, asked } = outcome;
      callOptions.signal?.throwIfAborted();
      if (captcha && isCaptchaRefusal(failure.id) && captchas < MOST_CAPTCHAS) {
        captchas += 1;
        token = await captcha.renew(wanted, token ?? '');
        continue;
      }
      if (failure.id === 'unreachable') origin += 1;
      if (failure.code === 16) options.onSignedOut?.(failure);
      failed += 1;
      if (!isRetried || failed >= patience.attempts) throw failure;
      await options.sleep(Math.max(asked, patience.pause(failed)));
    }
  };
}

const needsCaptcha = (spec: EndpointSpec, { isMember }: ClientOptions): boolean =>
  spec.captcha !== undefined && (spec.credentials === 'none' || isMember?.() !== true);

function captchaOf(spec: EndpointSpec, input: object): CaptchaCall {
  const { body = {} } = input as { body?: Record<string, unknown> };
  const isLogin = spec.captcha === 'login' || spec.captcha === 'login-once';
  const names = Object.entries(body).filter(
    (field): field is [string, string] => NAME_FIELDS.has(field[0]) && typeof field[1] === 'string',
  );
  return { action: `${spec.method}:${spec.path}`, names: isLogin ? Object.fromEntries(names) : {} };
}

function withToken(init: RequestInit, token: string | undefined): RequestInit {
  if (token === undefined) return init;
  return { ...init, headers: { ...(init.headers as Record<string, string>), 'x-captcha-token': token } };
}

function withTag(init: RequestInit, tag: string | undefined): RequestInit {
  if (tag === undefined) return init;
  // The browser's own cache must not answer in place of the server.
  const headers = { ...(init.headers as Record<string, string>), 'if-none-match': tag };
  return { ...init, headers, cache: 'no-store' };
}

function requestOf(
  spec: EndpointSpec,
  input: object,
  { signal, idempotencyKey }: CallOptions,
  options: ClientOptions,
): { path: string; init: RequestInit } {
  const { params, query, body, bytes } = input as {
    params?: Record<string, string>;
    query?: Record<string, unknown>;
    body?: Record<string, unknown>;
    bytes?: Blob;
  };
  const headers: Record<string, string> = {
    'accept-language': options.locale,
    'x-device-id': options.deviceId,
    'x-client-id': WEB_CLIENT_ID,
  };
  if (body !== undefined) headers['content-type'] = bytes ? 'application/octet-stream' : 'application/json';
  // A change must not be applied twice if it is resent after a lost reply.
  if (spec.method !== 'GET') headers['idempotency-key'] = idempotencyKey ?? options.randomId();
  return {
    path: pathOf(spec, params) + queryOf(query),
    init: {
      method: spec.method,
      mode: 'cors',
      headers,
      // A sign-in call needs no credentials, but its reply sets the session cookie.
      credentials: spec.credentials === 'none' && body?.['session'] !== 'cookie' ? 'omit' : 'include',
      ...(body === undefined ? {} : { body: contentOf(body, bytes) }),
      ...(signal === undefined ? {} : { signal }),
    },
  };
}

/** A body, followed by the bytes of the call if it has any. */
const contentOf = (body: object, bytes: Blob | undefined): string | Blob =>
  bytes ? new Blob([JSON.stringify(body), '\n', bytes]) : JSON.stringify(body);

function queryOf(query: Record<string, unknown> = {}): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    for (const one of Array.isArray(value) ? value : [value]) pairs.append(name, String(one));
  }
  const text = pairs.toString();
  return text === '' ? '' : `?${text}`;
}

async function attempt(
  url: string,
  init: RequestInit,
  fetch: typeof globalThis.fetch,
  known: KnownReply | undefined,
): Promise<KnownReply | Attempt> {
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(url, init);
    if (response.status === 304 && known) return known;
    const text = await response.text();
    body = text === '' ? {} : parse(text);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    return { failure: new ApiFailure('unreachable'), isRetried: true, asked: 0 };
  }
  const envelope = body as Partial<ErrorEnvelope> | undefined;
  if (response.ok && body !== undefined && !(typeof envelope === 'object' && envelope?.error))
    return { reply: body, tag: response.headers.get('etag') ?? '' };
  const failure = failureOf(response.status, envelope ?? {});
  const mayPass = RETRIED_STATUSES.has(response.status) || failure.id === 'internal';
  return {
    failure,
    isRetried: mayPass && !isRefusal(response.status, envelope ?? {}),
    asked: pauseOf(response.headers.get('retry-after')),
  };
}

/**
 * Returns true for a final 409. Other 409 replies ask for a retry after two changes conflicted, but "the name
 * is taken" is permanent, however often the call is repeated.
 */
const isRefusal = (status: number, { error_code: code }: Partial<ErrorEnvelope>): boolean =>
  status === 409 && code === 6;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failureOf(status: number, envelope: Partial<ErrorEnvelope>): ApiFailure {
  const id = envelope.error ?? '';
  const details: ErrorDetail[] = envelope.details ?? envelope.error_details ?? [];
  const localized = details.find((detail) => detail['@type'].endsWith('LocalizedMessage'));
  const text =
    (localized && 'message' in localized ? localized.message : '') || envelope.error_description || undefined;
  const facts = Object.assign(
    {},
    ...details.map((detail) => ('metadata' in detail ? detail.metadata : {})),
  ) as Record<string, string>;
  if (isErrorId(id)) return new ApiFailure(id, facts, text);
  const kin = errorOfCode(envelope.error_code ?? 0);
  if (kin) return new ApiFailure(kin, { ...facts, reason: id }, text);
  // A reply that isn't JSON comes from a proxy in between.
  const known =
    status === 401
      ? 'unauthenticated'
      : status === 404
        ? 'not_found'
        : status === 429
          ? 'too_frequent'
          : status >= 502
            ? 'unavailable'
            : status >= 500
              ? 'internal'
              : 'unknown';
  return new ApiFailure(known, id === '' ? facts : { ...facts, reason: id }, text);
}

function pauseOf(retryAfter: string | null): number {
  const seconds = Number(retryAfter ?? Number.NaN);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1000, LONGEST_PAUSE) : 0;
}
