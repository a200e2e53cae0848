import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const LEAVE = 'access-control-allow-origin';
const EXPOSED = 'etag, retry-after, www-authenticate, x-request-id';
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
/** Seconds for which a browser caches the preflight response. */
const REMEMBERED = '600';

/**
 * Allows pages of the site to call the API under its other addresses, with cookies, as they do if one is
 * unreachable. Pages of other sites are not allowed to.
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

/** Allows pages of any site to make a call, without cookies. */
export async function openToAll(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (request.headers.origin === undefined || reply.hasHeader(LEAVE)) return;
  reply.header(LEAVE, '*').header('access-control-expose-headers', EXPOSED);
}

/** Handles the preflight request of such a call. */
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
