import {
  ApiFailure,
  isLocale,
  matchLocale,
  negotiateLocale,
  WEB_CLIENT_ID,
  type ErrorId,
  type Locale,
} from '@bowerbird/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieWriter, secretReader } from './cookies.ts';
import type { Caller, Cookies, Secrets, Viewer } from './viewer.ts';

export interface CallerOptions {
  readonly siteOrigin: string | undefined;
  readonly trustedProxies: false | string[];
  /** Name of the header in which a trusted proxy sends the country. */
  readonly countryHeader: string | undefined;
  /** Finds the viewer by bearer token or session cookie; null for visitors and for invalid tokens. */
  readonly identify: (credentials: {
    bearer: string | undefined;
    secrets: Pick<Secrets, 'read'>;
    address: string;
  }) => Promise<Viewer>;
  /** Reason why the account of such credentials may not be used. */
  readonly refusal: (credentials: {
    bearer: string | undefined;
    secrets: Pick<Secrets, 'read'>;
  }) => Promise<ErrorId | undefined>;
}

const ORIGIN = /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i;
const DEVICE = /^[\w-]{1,64}$/;
/** Codes that proxies send for an unknown country. */
const UNKNOWN_COUNTRIES = new Set(['XX', 'ZZ']);
const UNSAFE = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Reads from a request who sends it, with which program, and from where. */
export async function callerOf(
  request: FastifyRequest,
  reply: FastifyReply,
  options: CallerOptions,
): Promise<Caller> {
  const { headers } = request;
  const query = (request.query ?? {}) as Record<string, unknown>;
  const word = (value: unknown): string => (typeof value === 'string' && value.length <= 256 ? value : '');
  const origin = options.siteOrigin ?? originOf(request);
  const bearer = /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const cookies = request.cookies;
  const secrets = secretReader(origin, cookies);
  const viewer = await options.identify({ bearer, secrets, address: request.ip });
  const device = word(headers['x-device-id']) || word(query['device_id']) || word(cookies['pp_device_id']);
  return {
    // CSRF: a cookie alone does not prove where an unsafe request comes from.
    viewer:
      viewer?.by === 'cookie' && UNSAFE.has(request.method) && !isOwnOrigin(request, origin) ? null : viewer,
    refusal: () => options.refusal({ bearer, secrets }),
    hasBearer: bearer !== undefined,
    locale: localeOf(request, cookies),
    basic: basicOf(headers.authorization),
    address: request.ip,
    country: countryOf(request, options),
    deviceId: DEVICE.test(device) ? device : '',
    clientId:
      word(headers['x-client-id']) ||
      word(query['client_id']) ||
      (secrets.read('pp_session') ? WEB_CLIENT_ID : ''),
    userAgent: (headers['user-agent'] ?? '').slice(0, 256),
    origin,
    foreign: isForeign(request, origin),
    cookies,
    requestId: request.id,
    idempotencyKey: word(headers['idempotency-key']) || undefined,
    ...cookieWriter(origin, cookies, (text) => void reply.header('set-cookie', text)),
    clearCache: () => void reply.header('clear-site-data', '"cache"'),
  };
}

/**
 * Returns the origin that the request was sent to; used if the administrator has not set the site's address.
 * It appears in links, so it must be a valid address; HTTP/1.0 requests may lack it.
 */
function originOf(request: FastifyRequest): string {
  const origin = `${request.protocol}://${request.host || 'localhost'}`;
  if (!ORIGIN.test(origin) || !URL.canParse(origin))
    throw new ApiFailure('invalid_argument', { field: 'host' });
  return origin;
}

/** Name and secret, each percent-encoded by clients that follow RFC 6749. */
function basicOf(header: string | undefined): Caller['basic'] {
  const encoded = /^Basic\s+([\w+/=-]{1,4096})$/i.exec(header ?? '')?.[1];
  const [name, secret] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString())?.slice(1) ?? [];
  if (name === undefined || secret === undefined) return undefined;
  try {
    return { name: decodeURIComponent(name), secret: decodeURIComponent(secret) };
  } catch {
    return { name, secret };
  }
}

/** Reads the country header, from trusted proxies only: any client can send it. */
function countryOf(request: FastifyRequest, { countryHeader, trustedProxies }: CallerOptions): string {
  const said = countryHeader === undefined ? undefined : request.headers[countryHeader];
  if (trustedProxies === false || request.ips === undefined || request.ips.length < 2) return '';
  const country = typeof said === 'string' ? said.trim().toUpperCase() : '';
  return /^[A-Z]{2}$/.test(country) && !UNKNOWN_COUNTRIES.has(country) ? country : '';
}

function isOwnOrigin(request: FastifyRequest, origin: string): boolean {
  const site = request.headers['sec-fetch-site'];
  const from = request.headers.origin;
  if (from !== undefined) return from === origin || from === `${request.protocol}://${request.host}`;
  return site === 'same-origin' || site === 'none';
}

function isForeign(request: FastifyRequest, origin: string): boolean {
  const site = request.headers['sec-fetch-site'];
  return (
    (request.headers.origin !== undefined || site === 'cross-site' || site === 'same-site') &&
    !isOwnOrigin(request, origin)
  );
}

function localeOf(request: FastifyRequest, cookies: Cookies): Locale {
  const chosen = cookies['pp_locale'];
  const asked = request.headers['x-system-language'] ?? request.headers['accept-language'];
  if (typeof asked === 'string' && isLocale(asked)) return asked;
  return matchLocale(chosen) ?? negotiateLocale(typeof asked === 'string' ? asked : undefined);
}
