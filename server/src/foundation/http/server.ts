import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import { isLocale, matchLocale, negotiateLocale, WEB_CLIENT_ID, type Locale } from '@bowerbird/contract';
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
import { cookieWriter } from './cookies.ts';
import { envelope, failureOf } from './failure.ts';
import type { Caller, Viewer } from './viewer.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
  }
}

export interface HttpOptions {
  readonly log: Log;
  readonly siteOrigin: string | undefined;
  readonly trustedProxies: false | string[];
  /** Finds who asks, from the bearer token or the session cookie; null for visitors and for tokens that are no longer good. */
  readonly identify: (credentials: {
    bearer: string | undefined;
    cookies: Readonly<Record<string, string | undefined>>;
    address: string;
  }) => Promise<Viewer>;
  /** Rewrites `bucket.example.org/key` to the path under which one origin serves it. */
  readonly rewrite?: (host: string, url: string) => string;
}

const BODY_LIMIT = 1024 * 1024;
/** The id of an inspection carries its links. */
const PARAMETER_MAX = 20_000;
const DEVICE = /^[\w-]{1,64}$/;
const UNSAFE = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** The HTTP listener without any route of its own: parsing, who asks, errors, headers that every reply has. */
export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: options.trustedProxies,
    bodyLimit: BODY_LIMIT,
    pluginTimeout: 120_000,
    forceCloseConnections: 'idle',
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
  app.decorateRequest('caller');
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    reply.header('referrer-policy', 'strict-origin-when-cross-origin');
    request.caller = await callerOf(request, reply, options);
  });
  // A connection that stays open after its last answer would hold up the end of the process.
  let isClosing = false;
  app.addHook('preClose', async () => void (isClosing = true));
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing) reply.header('connection', 'close');
  });
  app.addHook('onResponse', async (request, reply) => {
    const line = {
      id: request.id,
      method: request.method,
      path: pathOnly(request.url),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      account: request.caller?.viewer?.account,
    };
    if (reply.statusCode >= 500) options.log.error(line, 'request');
    else options.log.info(line, 'request');
  });
  app.setErrorHandler((error, request, reply) => {
    const failure = failureOf(error);
    if (failure.status >= 500) options.log.error({ err: error, id: request.id }, 'a request failed');
    const { locale, origin } = request.caller ?? { locale: 'en-US', origin: '' };
    if (failure.status === 503) reply.header('retry-after', '2');
    return reply
      .status(failure.status)
      .type('application/json; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(envelope(failure, locale, origin));
  });
  return app;
}

async function callerOf(request: FastifyRequest, reply: FastifyReply, options: HttpOptions): Promise<Caller> {
  const { headers } = request;
  const query = (request.query ?? {}) as Record<string, unknown>;
  const word = (value: unknown): string => (typeof value === 'string' && value.length <= 256 ? value : '');
  const origin = options.siteOrigin ?? `${request.protocol}://${request.host}`;
  const bearer = /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const cookies = request.cookies;
  const viewer = await options.identify({ bearer, cookies, address: request.ip });
  const device = word(headers['x-device-id']) || word(query['device_id']) || word(cookies['pp_device_id']);
  return {
    // A cookie alone proves nothing about where an unsafe request comes from.
    viewer:
      viewer?.by === 'cookie' && UNSAFE.has(request.method) && !isOwnOrigin(request, origin) ? null : viewer,
    locale: localeOf(request, cookies),
    address: request.ip,
    deviceId: DEVICE.test(device) ? device : '',
    clientId:
      word(headers['x-client-id']) ||
      word(query['client_id']) ||
      (cookies['pp_session'] ? WEB_CLIENT_ID : ''),
    userAgent: (headers['user-agent'] ?? '').slice(0, 256),
    origin,
    foreign: isForeign(request, origin),
    cookies,
    requestId: request.id,
    idempotencyKey: word(headers['idempotency-key']) || undefined,
    ...cookieWriter(origin, (text) => void reply.header('set-cookie', text)),
  };
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

function localeOf(request: FastifyRequest, cookies: Readonly<Record<string, string | undefined>>): Locale {
  const chosen = cookies['pp_locale'];
  const asked = request.headers['x-system-language'] ?? request.headers['accept-language'];
  if (typeof asked === 'string' && isLocale(asked)) return asked;
  return matchLocale(chosen) ?? negotiateLocale(typeof asked === 'string' ? asked : undefined);
}

/** Fastify's path of a contract path: `{id}` is a parameter, a colon is itself. */
function routeOf(path: string): string {
  return path.replaceAll(':', '::').replace(/\{(\w+)\}/g, ':$1');
}

/** Opens every endpoint that the API serves on the listener. */
export function mountApi(app: FastifyInstance, api: Api): void {
  for (const { spec, run } of api.served.values()) {
    app.route({
      method: spec.method,
      url: routeOf(spec.path),
      ...(spec.bodyLimit === undefined ? {} : { bodyLimit: spec.bodyLimit }),
      handler: async (request, reply) => {
        const result = await run(
          { params: request.params, query: request.query, body: request.body },
          request.caller,
        );
        reply.header('cache-control', 'private, no-store').type('application/json; charset=utf-8');
        return JSON.stringify(result);
      },
    });
  }
}
