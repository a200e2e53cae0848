import type { Readable } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const COMPRESSED_FROM = 1024;

/**
 * Sends a page: cheaper than reply.send(Response), with back-pressure and streaming compression. Without
 * `policy` the page may run any script, as Vite's own pages do.
 */
export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  response: Response,
  cookies: readonly string[],
  policy: string | undefined,
): Promise<void> {
  const { raw } = reply;
  reply.hijack();
  raw.statusCode = response.status;
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) raw.setHeader(name, value as string);
  for (const [name, value] of response.headers) {
    if (name === 'set-cookie') raw.appendHeader(name, value);
    else raw.setHeader(name, value);
  }
  for (const cookie of cookies) raw.appendHeader('set-cookie', cookie);
  if (policy === undefined) raw.removeHeader('content-security-policy');
  else raw.setHeader('content-security-policy', policy);
  if (!response.headers.has('cache-control')) raw.setHeader('cache-control', 'private, no-store');
  raw.appendHeader('vary', 'accept-encoding, accept-language, cookie');
  const body = response.body;
  if (!body || request.method === 'HEAD') {
    raw.end();
    return;
  }
  const known = Number(response.headers.get('content-length') ?? Infinity);
  const isPlain = known >= COMPRESSED_FROM && !response.headers.has('content-encoding');
  const encoder = isPlain ? encoderFor(request.headers['accept-encoding']) : undefined;
  if (encoder) {
    raw.setHeader('content-encoding', encoder.name);
    raw.removeHeader('content-length');
    encoder.stream.pipe(raw);
  }
  const sink = encoder?.stream ?? raw;
  try {
    for await (const chunk of body) {
      if (raw.destroyed) return;
      if (!sink.write(chunk)) await drained(sink, raw);
    }
    sink.end();
  } catch (error) {
    raw.destroy(error as Error);
  }
}

function encoderFor(
  accepted: string | string[] | undefined,
): { name: string; stream: NodeJS.ReadWriteStream & Readable } | undefined {
  const names = String(accepted ?? '');
  if (/\bbr\b/.test(names))
    return {
      name: 'br',
      stream: createBrotliCompress({
        params: { [constants.BROTLI_PARAM_QUALITY]: 3 },
        flush: constants.BROTLI_OPERATION_FLUSH,
      }),
    };
  if (/\bgzip\b/.test(names))
    return { name: 'gzip', stream: createGzip({ level: 1, flush: constants.Z_SYNC_FLUSH }) };
  return undefined;
}

function drained(sink: NodeJS.WritableStream, raw: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      sink.off('drain', done);
      raw.off('close', done);
      resolve();
    };
    sink.on('drain', done);
    raw.on('close', done);
  });
}
