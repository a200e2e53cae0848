import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import { ApiFailure, replyText, type ErrorId } from '@bowerbird/contract';
import {
  fastify,
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { pathOnly, type Log } from '../log.ts';
import type { Api, Served } from './api.ts';
import { parseBody, splitBytes } from './body.ts';
import { callerOf, type CallerOptions } from './caller.ts';
import { watchConnections, type ConnectionLimits, type Connections } from './connections.ts';
import { mountAsked, openToAll, openToSite } from './cross-origin.ts';
import { NOT_MODIFIED, type Validator } from './entity-tag.ts';
import { envelope, failureOf, RETRY_AFTER, RETRY_AFTER_FULL } from './failure.ts';
import type { Gate } from './gate.ts';
import { hostRole } from './host-role.ts';
import { challengeOf, oauthDescription, oauthFailure } from './oauth-refusal.ts';
import { safeHeaders } from './safe-headers.ts';
import type { Caller } from './viewer.ts';

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

export interface HttpOptions extends CallerOptions {
  readonly log: Log;
  readonly connections?: ConnectionLimits;
  /** Rewrites `bucket.example.org/key` to the path under which one origin serves it. */
  readonly rewrite?: (host: string, url: string) => string;
}

/**
 * Fastify's compilers of schemas, which would be loaded in vain: its routes have none, because the API checks input
 * against the contract.
 */
const NO_COMPILERS = {
  buildValidator: refuseSchemas,
  buildSerializer: refuseSchemas,
};

function refuseSchemas(): never {
  throw new Error('routes have no schemas for Fastify');
}

const BODY_LIMIT = 1024 * 1024;
/** Limit of a path parameter: the id of an inspection contains its links. */
const PARAMETER_MAX = 20_000;

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
    schemaController: { compilersFactory: NO_COMPILERS },
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
  // Lines of requests have no secrets: the search for them would take longer than writing the line.
  const requestLog = options.log.child({}, { redact: [] });
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
    if (reply.statusCode >= 500) requestLog.error(line, 'request');
    else requestLog.info(line, 'request');
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

/** Fastify's form of a contract path: `{id}` is a parameter, a colon is literal. */
function routeOf(path: string): string {
  return path.replaceAll(':', '::').replace(/\{(\w+)\}/g, ':$1');
}

/** Body of a request, and the bytes that follow it. */
interface Sent {
  readonly body: unknown;
  readonly bytes?: Uint8Array;
}

/** Registers every endpoint that the API serves, behind the gate. */
export function mountApi(
  app: FastifyInstance,
  api: Api,
  { gate, siteOrigin }: { gate: Gate; siteOrigin: string | undefined },
): void {
  const served = [...api.served.values()];
  const open = served.filter(({ spec }) => spec.anyOrigin);
  for (const url of new Set(open.map(({ spec }) => routeOf(spec.path)))) mountAsked(app, url);
  const mount = (
    on: FastifyInstance,
    { spec, run }: Served,
    read: (request: FastifyRequest) => Sent,
  ): void => {
    on.route({
      method: spec.method,
      url: routeOf(spec.path),
      ...(spec.bodyLimit === undefined ? {} : { bodyLimit: spec.bodyLimit }),
      ...(spec.anyOrigin ? { onRequest: openToAll } : {}),
      config: { isOauth: spec.oauth === true },
      handler: async (request, reply) => {
        const { params, query, caller, headers } = request;
        const { body, bytes } = read(request);
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
        const validator: Validator = { known: headers['if-none-match'] };
        const result = await gate(spec, asked, () => run({ params, query, body, bytes }, caller, validator));
        reply.header('cache-control', 'private, no-store');
        if (validator.current !== undefined) reply.header('etag', validator.current);
        if (result === NOT_MODIFIED) return reply.status(304).send();
        reply.status(spec.status ?? 200).type('application/json; charset=utf-8');
        return replyText(result);
      },
    });
  };
  for (const call of served) if (!call.spec.bytes) mount(app, call, ({ body }) => ({ body }));
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    const read = ({ body }: FastifyRequest): Sent =>
      splitBytes(body instanceof Buffer ? body : Buffer.alloc(0));
    for (const call of served) if (call.spec.bytes) mount(scope, call, read);
  });
}
