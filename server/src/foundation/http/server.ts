import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import {
  ApiFailure,
  isLocale,
  matchLocale,
  negotiateLocale,
  WEB_CLIENT_ID,
  type ErrorId,
  type Locale,
} from '@bowerbird/contract';
import {
  fastify,
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { pathOnly, type Log } from '../log.ts';
import type { Api } from './api.ts';
import { parseBody } from './body.ts';
import { watchConnections, type ConnectionLimits, type Connections } from './connections.ts';
import { cookieWriter, secretReader } from './cookies.ts';
import { mountAsked, openToAll, openToSite } from './cross-origin.ts';
import { envelope, failureOf, RETRY_AFTER, RETRY_AFTER_FULL } from './failure.ts';
import type { Gate } from './gate.ts';
import { hostRole } from './host-role.ts';
import { challengeOf, oauthDescription, oauthFailure } from './oauth-refusal.ts';
import { safeHeaders } from './safe-headers.ts';
import type { Caller, Cookies, Secrets, Viewer } from './viewer.ts';

declare module 'fastify' {
  interface FastifyInstance {
    readonly connections: Connections;
  }
  interface FastifyRequest {
    caller: Caller;
    /** Reason of the rejection, if the request was rejected. */
    refused: ErrorId | undefined;
  }
  interface FastifyContextConfig {
    /** True if errors follow the RFCs of OAuth. */
    readonly isOauth?: boolean;
  }
}

export interface HttpOptions {
  readonly log: Log;
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
  readonly connections?: ConnectionLimits;
  /** Rewrites `bucket.example.org/key` to the path under which one origin serves it. */
  readonly rewrite?: (host: string, url: string) => string;
}

const BODY_LIMIT = 1024 * 1024;
/** Limit of a path parameter: the id of an inspection contains its links. */
const PARAMETER_MAX = 20_000;
const ORIGIN = /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i;
const DEVICE = /^[\w-]{1,64}$/;
/** Codes that proxies send for an unknown country. */
const UNKNOWN_COUNTRIES = new Set(['XX', 'ZZ']);
const UNSAFE = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** HTTP listener without routes: parsing, authentication, errors, and common headers. */
export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const headers = safeHeaders(options.siteOrigin);
  const refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    // A request with an unreadable address has no route.
    const isOauth = request.routeOptions?.config?.isOauth ?? false;
    const failure = isOauth ? oauthFailure(failureOf(error)) : failureOf(error);
    request.refused = failure.id;
    if (failure.status >= 500) options.log.error({ err: error, id: request.id }, 'request failed');
    const { locale, origin } = request.caller ?? { locale: 'en-US', origin: '' };
    if (failure.status === 503) reply.header('retry-after', RETRY_AFTER);
    if (failure.id === 'disk_full') reply.header('retry-after', RETRY_AFTER_FULL);
    const challenge = isOauth ? challengeOf(failure, request) : undefined;
    if (challenge !== undefined) reply.header('www-authenticate', challenge);
    const said = envelope(failure, locale, origin);
    return reply
      .status(failure.status)
      .headers(headers)
      .type('application/json; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(isOauth ? { ...said, error_description: oauthDescription(failure) } : said);
  };
  const app = fastify({
    // Unreadable addresses end here without running any hook.
    frameworkErrors: refuse,
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: options.trustedProxies,
    bodyLimit: BODY_LIMIT,
    pluginTimeout: 120_000,
    forceCloseConnections: 'idle',
    // Requests on connections opened before the stop are still answered.
    return503OnClosing: false,
    requestTimeout: 0,
    keepAliveTimeout: 65_000,
    routerOptions: { maxParamLength: PARAMETER_MAX, ignoreDuplicateSlashes: false },
    rewriteUrl: (request) =>
      options.rewrite?.(request.headers.host ?? '', request.url ?? '/') ?? request.url ?? '/',
  });
  await app.register(cookie);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseBody(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
  const connections = watchConnections(app.server, options.connections);
  // Closing a server closes connections that Node considers idle, including those whose first request is on
  // its way.
  app.server.closeIdleConnections = connections.closeIdle;
  app.decorate('connections', connections);
  app.decorateRequest('caller');
  app.decorateRequest('refused');
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    reply.headers(headers);
    // Set here as well, because some responses bypass the hooks below.
    if (connections.isDraining) reply.header('connection', 'close');
    checkFraming(request, reply);
    request.caller = await callerOf(request, reply, options);
  });
  openToSite(app, options.siteOrigin);
  // A connection kept alive after its last response would delay the end of the process, and a request sent just as it
  // closes would be lost.
  app.addHook('preClose', async () => connections.drain());
  app.addHook('onSend', async (_request, reply) => {
    if (connections.isDraining) reply.header('connection', 'close');
  });
  app.addHook('onClose', async () => connections.close());
  app.addHook('onResponse', async (request, reply) => {
    const line = {
      id: request.id,
      method: request.method,
      path: pathOnly(request.url),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      account: request.caller?.viewer?.account,
      refused: request.refused,
    };
    if (reply.statusCode >= 500) options.log.error(line, 'request');
    else options.log.info(line, 'request');
  });
  app.setErrorHandler(refuse);
  return app;
}

/** Rejects unsupported transfer codings: their bytes would be stored as the content. */
function checkFraming({ headers }: FastifyRequest, reply: FastifyReply): void {
  const coding = headers['transfer-encoding'];
  if (coding === undefined || coding.trim().toLowerCase() === 'chunked') return;
  reply.header('connection', 'close');
  throw new ApiFailure('transfer_encoding_unsupported');
}

async function callerOf(request: FastifyRequest, reply: FastifyReply, options: HttpOptions): Promise<Caller> {
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
function countryOf(request: FastifyRequest, { countryHeader, trustedProxies }: HttpOptions): string {
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

/** Fastify's form of a contract path: `{id}` is a parameter, a colon is literal. */
function routeOf(path: string): string {
  return path.replaceAll(':', '::').replace(/\{(\w+)\}/g, ':$1');
}

/** Registers every endpoint that the API serves, behind the gate. */
export function mountApi(
  app: FastifyInstance,
  api: Api,
  { gate, siteOrigin }: { gate: Gate; siteOrigin: string | undefined },
): void {
  const open = [...api.served.values()].filter(({ spec }) => spec.anyOrigin);
  for (const url of new Set(open.map(({ spec }) => routeOf(spec.path)))) mountAsked(app, url);
  for (const { spec, run } of api.served.values()) {
    app.route({
      method: spec.method,
      url: routeOf(spec.path),
      ...(spec.bodyLimit === undefined ? {} : { bodyLimit: spec.bodyLimit }),
      ...(spec.anyOrigin ? { onRequest: openToAll } : {}),
      config: { isOauth: spec.oauth === true },
      handler: async (request, reply) => {
        const { params, query, body, caller, headers } = request;
        const role = hostRole(headers.host ?? '', siteOrigin);
        if (role !== undefined && role !== spec.host) throw new ApiFailure('not_found');
        const captcha = headers['x-captcha-token'];
        const asked = {
          query,
          body,
          caller,
          captcha: typeof captcha === 'string' ? captcha : '',
          isPage: false,
          isDocument: false,
        };
        const result = await gate(spec, asked, () => run({ params, query, body }, caller));
        reply
          .status(spec.status ?? 200)
          .header('cache-control', 'private, no-store')
          .type('application/json; charset=utf-8');
        return JSON.stringify(result);
      },
    });
  }
}
