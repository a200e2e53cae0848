import {
  ApiFailure,
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
  /** Tried in turn when one can't be reached; `['']` is the page's own origin. */
  readonly origins: readonly string[];
  readonly locale: string;
  readonly deviceId: string;
  readonly fetch: typeof globalThis.fetch;
  readonly sleep: (ms: number) => Promise<void>;
  readonly randomId: () => string;
  /** The session has ended: error_code 16. */
  readonly onSignedOut?: (failure: ApiFailure) => void;
  readonly retries?: number;
}

const RETRIED_STATUSES = new Set([408, 409, 425, 429, 500, 502, 503, 504]);
const DEFAULT_RETRIES = 2;
const MOST_RETRIES = 4;
const PAUSE = 300;
const LONGEST_PAUSE = 10_000;

export function clampRetries(retries = DEFAULT_RETRIES): number {
  return Math.min(MOST_RETRIES, Math.max(0, Math.trunc(retries)));
}

interface Attempt {
  readonly failure: ApiFailure;
  readonly isRetried: boolean;
  /** What the server asked to wait, in ms. */
  readonly pause: number;
}

/** The contract's call over fetch: one request of our pages, with what every request of theirs carries. */
export function createClient(options: ClientOptions): ApiCall {
  const retries = clampRetries(options.retries);
  let origin = 0;

  return async (spec, input, callOptions = {}) => {
    const request = requestOf(spec, input, callOptions, options);
    for (let tried = 0; ; tried += 1) {
      const base = options.origins[origin % options.origins.length] ?? '';
      const outcome = await attempt(base + request.path, request.init, options.fetch);
      if ('reply' in outcome) return outcome.reply as never;
      const { failure, isRetried, pause } = outcome;
      callOptions.signal?.throwIfAborted();
      if (failure.id === 'unreachable') origin += 1;
      if (failure.code === 16) options.onSignedOut?.(failure);
      if (!isRetried || tried >= retries) throw failure;
      await options.sleep(pause);
      callOptions.signal?.throwIfAborted();
    }
  };
}

function requestOf(
  spec: EndpointSpec,
  input: object,
  { signal, idempotencyKey }: CallOptions,
  options: ClientOptions,
): { path: string; init: RequestInit } {
  const { params, query, body } = input as {
    params?: Record<string, string>;
    query?: Record<string, unknown>;
    body?: Record<string, unknown>;
  };
  const headers: Record<string, string> = {
    'accept-language': options.locale,
    'x-device-id': options.deviceId,
    'x-client-id': WEB_CLIENT_ID,
  };
  if (body !== undefined) headers['content-type'] = 'application/json';
  // Sent anew after a lost reply, a change must not happen twice.
  if (spec.method !== 'GET') headers['idempotency-key'] = idempotencyKey ?? options.randomId();
  return {
    path: pathOf(spec, params) + queryOf(query),
    init: {
      method: spec.method,
      mode: 'cors',
      headers,
      // A call that signs in needs nothing to be made, but its reply sets the session's cookie.
      credentials: spec.credentials === 'none' && body?.['session'] !== 'cookie' ? 'omit' : 'include',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    },
  };
}

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
): Promise<{ reply: unknown } | Attempt> {
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(url, init);
    const text = await response.text();
    body = text === '' ? {} : parse(text);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    return { failure: new ApiFailure('unreachable'), isRetried: true, pause: PAUSE };
  }
  const envelope = body as Partial<ErrorEnvelope> | undefined;
  if (response.ok && body !== undefined && !(typeof envelope === 'object' && envelope?.error))
    return { reply: body };
  return {
    failure: failureOf(response.status, envelope ?? {}),
    isRetried: RETRIED_STATUSES.has(response.status) && !isRefusal(response.status, envelope ?? {}),
    pause: pauseOf(response.headers.get('retry-after')),
  };
}

/** 409 asks to try again where two changes met; "the name is taken" stays what it is, however often it is asked. */
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
  // What speaks no JSON at all is a proxy on the way.
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
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1000, LONGEST_PAUSE) : PAUSE;
}
