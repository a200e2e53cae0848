import { ApiFailure, LIVE_PATH } from '@bowerbird/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Position } from './change-memory.ts';
import type { Live } from './live-service.ts';

/** A client that was away for longer starts anew. */
const LONGEST_AWAY_MS = 24 * 3600_000;
const FIRST_RETRY_MS = 1_000;
const RETRIES_WITHIN_MS = 4_000;

/** The stream of events: open as long as both sides want, so it is no call of the API. */
export function mountLive(http: FastifyInstance, live: Live): void {
  http.route({
    method: 'GET',
    url: LIVE_PATH,
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const { viewer, address, refusal } = request.caller;
      if (!viewer) throw new ApiFailure((await refusal()) ?? 'unauthenticated');
      if (!viewer.scopes.has('pan')) throw new ApiFailure('permission_denied', { scope: 'pan' });
      if (http.connections.isDraining) throw new ApiFailure('unavailable');
      live.open(
        () => {
          reply.hijack();
          reply.raw.writeHead(200, {
            ...(reply.getHeaders() as Record<string, string>),
            'content-type': 'text/event-stream; charset=utf-8',
            'cache-control': 'no-store, no-transform',
            // Asks nginx to pass each event on at once.
            'x-accel-buffering': 'no',
            // Nothing follows the stream, so a server that stops needn't wait for another request.
            connection: 'close',
          });
          // After the end of a server, its clients return one by one.
          const retryMs = FIRST_RETRY_MS + Math.floor(Math.random() * RETRIES_WITHIN_MS);
          reply.raw.write(`retry: ${retryMs}\n\n`);
          return reply.raw;
        },
        viewer,
        address,
        positionOf(request, live),
      );
      return reply;
    },
  });
}

/** Undefined for a client that has nothing to miss. */
function positionOf({ headers, query }: FastifyRequest, live: Live): Position | undefined {
  const id = headers['last-event-id'];
  if (typeof id === 'string' && id !== '') return live.positionOf(id) ?? { awayMs: LONGEST_AWAY_MS };
  const { away } = query as Record<string, unknown>;
  if (away === undefined) return undefined;
  if (typeof away !== 'string' || !/^\d{1,12}$/.test(away))
    throw new ApiFailure('invalid_argument', { field: 'away' });
  return { awayMs: Math.min(Number(away), LONGEST_AWAY_MS) };
}
