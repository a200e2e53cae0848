import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const LEAVE = 'access-control-allow-origin';
const EXPOSED = 'retry-after, www-authenticate, x-request-id';
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
/** Seconds for which a browser need not ask again. */
const REMEMBERED = '600';

/**
 * Lets the pages of the site call the API under its other addresses, with their cookies, as they do where one can't be
 * reached. Pages of anybody else get no such leave.
 */
export function openToSite(app: FastifyInstance, siteOrigin: string | undefined): void {
  if (siteOrigin === undefined) return;
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers;
    if (origin !== siteOrigin || `${request.protocol}://${request.host}` === siteOrigin) return;
    reply
      .header(LEAVE, siteOrigin)
      .header('access-control-allow-credentials', 'true')
      .header('access-control-expose-headers', EXPOSED)
      .header('vary', 'origin');
    const asked = request.headers['access-control-request-method'];
    if (request.method !== 'OPTIONS' || asked === undefined) return;
    return answerAsked(request, reply);
  });
}

/** Lets pages of any site make a call; no cookie comes with it, and none is kept. */
export async function openToAll(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (request.headers.origin === undefined || reply.hasHeader(LEAVE)) return;
  reply.header(LEAVE, '*').header('access-control-expose-headers', EXPOSED);
}

/** What a browser asks before it makes such a call. */
export function mountAsked(app: FastifyInstance, url: string): void {
  app.options(url, { onRequest: openToAll }, async (request, reply) => answerAsked(request, reply));
}

function answerAsked(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .header('access-control-allow-methods', METHODS)
    .header('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '')
    .header('access-control-max-age', REMEMBERED)
    .status(204)
    .send();
}
