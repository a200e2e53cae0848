import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isBrokenConnection, RETRY_AFTER_FULL } from '../foundation/http/index.ts';
import type { Log } from '../foundation/index.ts';
import { CHALLENGE } from './dav-access.ts';
import { baseOf } from './dav-path.ts';
import { refusalOf } from './dav-refusal.ts';
import { refusalView } from './dav-view.ts';
import { DAV_METHODS } from './dav.ts';

export const XML = 'application/xml; charset=utf-8';
/**
 * Maximum number of bytes of a rejected body that are still read; for a longer body the connection is closed.
 */
const DRAINED_BYTES = 8 * 2 ** 20;
/** Statuses of 500 and above that are deliberate refusals, and not logged as errors. */
const MEANT: ReadonlySet<number> = new Set([501, 502, 507]);
/** Shorter responses are sent in one piece, with their length. */
const WHOLE_BYTES = 256 * 1024;

export async function sayAbilities(reply: FastifyReply): Promise<FastifyReply> {
  return reply.header('allow', DAV_METHODS.join(', ')).header('content-length', 0).send();
}

export function done(reply: FastifyReply, isNew: boolean): FastifyReply {
  return isNew ? reply.status(201).header('content-length', 0).send() : reply.status(204).send();
}

/**
 * Streams text as the response. A failure halfway cuts the connection, so that no client mistakes a partial
 * response for a complete one.
 */
export async function pipeTo(
  reply: FastifyReply,
  status: number,
  text: AsyncGenerator<string, void, undefined>,
): Promise<FastifyReply> {
  let begun = '';
  for (;;) {
    const { done: isOver, value } = await text.next();
    if (isOver) return reply.status(status).send(begun);
    begun += value;
    if (begun.length > WHOLE_BYTES) break;
  }
  async function* all(): AsyncGenerator<string, void, undefined> {
    yield begun;
    yield* text;
  }
  return reply.status(status).send(Readable.from(all(), { objectMode: false }));
}

export function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  const refusal = refusalOf(error);
  if (refusal.status >= 500 && !MEANT.has(refusal.status))
    log.error({ err: error, id: request.id }, 'WebDAV request failed');
  if (refusal.status === 401) reply.header('www-authenticate', CHALLENGE);
  if (refusal.status === 503 || refusal.status === 429) reply.header('retry-after', '2');
  if (refusal.precondition === 'sufficient-disk-space') reply.header('retry-after', RETRY_AFTER_FULL);
  const length = Number(request.headers['content-length'] ?? 0);
  const isOpenEnded = request.headers['transfer-encoding'] !== undefined;
  if (!request.raw.complete && (isBrokenConnection(error) || isOpenEnded || length > DRAINED_BYTES))
    reply.header('connection', 'close');
  const base = baseOf(request.headers.host ?? '');
  return reply
    .status(refusal.status)
    .type(XML)
    .send(request.method === 'HEAD' ? '' : refusalView(base, refusal));
}
