import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { ApiFailure, type ErrorId } from '@bowerbird/contract';
import type { OpenBlob } from '@bowerbird/storage';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { httpDate } from '../../foundation/index.ts';
import { contentDisposition } from '../../foundation/http/index.ts';
import { slicesAt, type Moving } from '../../membership/index.ts';
import { judge, rangeStands, readRange, type Span } from './byte-range.ts';
import type { Downloadable, Downloads } from './download-service.ts';
import type { NodeRow } from '../drive.ts';
import { LINK_TYPE, type SignedLinks } from './link-service.ts';
import { CONTENT_POLICY, playedType } from './inline-type.ts';

type Headers = Record<string, string | number>;
type PipeTo = OpenBlob['pipeTo'];

/** Links to bytes: no session, no compression, ranges exactly as in RFC 9110. */
export function mountDownloads(
  app: FastifyInstance,
  { downloads, links }: { downloads: Downloads; links: SignedLinks },
): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/download/',
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const link = links.open('download', request.query as Record<string, unknown>);
      const file = await downloads.follow(link);
      if (request.method === 'GET') links.downloaded(link, request.caller);
      const type = link.inline ? await downloads.shownAs(file) : undefined;
      try {
        return await answer(request, reply, downloads, file, {
          // Players and images on a page use download links too, and some depend on the type.
          'content-type': type ?? playedType(file.node.name) ?? LINK_TYPE,
          'content-disposition': contentDisposition(
            type === undefined ? 'attachment' : 'inline',
            file.node.name,
          ),
        });
      } catch (error) {
        const page = pageAbout(error, request);
        if (page === undefined) throw error;
        return reply.header('cache-control', 'no-store').redirect(page, 303);
      }
    },
  });
}

/** Kinds of used-up traffic that a page explains, by their error. */
const EXPLAINED: Partial<Record<ErrorId, string>> = {
  traffic_download_limit: 'own',
  traffic_shared_limit: 'shared',
};

/** Address of the page that explains a refusal to a person who opened a link; programs and players get the error. */
function pageAbout(error: unknown, { headers, caller }: FastifyRequest): string | undefined {
  const of = error instanceof ApiFailure ? EXPLAINED[error.id] : undefined;
  const isOpened = headers['sec-fetch-dest'] === 'document' && headers['sec-fetch-mode'] === 'navigate';
  return of !== undefined && isOpened ? `${caller.origin}/download-limit?of=${of}` : undefined;
}

/**
 * Responds to GET and HEAD with a file that the caller may read, under an address that stays the same for its
 * next content. `etag` is strong, including its quotes.
 */
export type Sender = (
  request: FastifyRequest,
  reply: FastifyReply,
  node: NodeRow,
  etag: string,
) => Promise<FastifyReply | undefined>;

export function sender(downloads: Downloads): Sender {
  return async (request, reply, node, etag) => {
    const type = playedType(node.name);
    return answer(request, reply, downloads, await downloads.of(node), {
      etag,
      'cache-control': 'private, no-cache, no-transform',
      'content-type': type ?? LINK_TYPE,
      'content-disposition': contentDisposition(type === undefined ? 'attachment' : 'inline', node.name),
    });
  };
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  downloads: Downloads,
  file: Downloadable,
  described: Headers,
): Promise<FastifyReply | undefined> {
  const { size, hash } = file.blob;
  const etag = String(described['etag'] ?? `"${hash}"`);
  const modifiedAt = file.node.modified_at;
  const headers: Headers = {
    ...(reply.getHeaders() as Headers),
    'content-security-policy': CONTENT_POLICY,
    'cache-control': described['cache-control'] ?? 'private, max-age=3600, no-transform',
    'cross-origin-resource-policy': 'same-site',
    'accept-ranges': 'bytes',
    etag,
    'last-modified': httpDate(modifiedAt),
  };
  const verdict = judge(request.headers, etag, modifiedAt);
  if (verdict !== 'send')
    return reply
      .headers(headers)
      .code(verdict === 'failed' ? 412 : 304)
      .send();

  const begin = (bytes: number): Promise<Moving> => downloads.begin(file, bytes, request.caller.address);
  // Ranges are defined for GET only.
  const range =
    request.method === 'GET' &&
    rangeStands(request.headers['if-range'] as string | undefined, etag, modifiedAt)
      ? readRange(request.headers.range, size)
      : 'whole';
  if (range === 'unsatisfiable')
    return reply
      .headers({ ...headers, 'content-range': `bytes */${size}`, 'content-length': 0 })
      .code(416)
      .send();
  if (range === 'whole') {
    return send(
      request,
      reply,
      200,
      { ...headers, ...described, 'content-length': size },
      async () => (await downloads.open(file.blob)).pipeTo,
      begin,
    );
  }
  const [span] = range;
  if (range.length === 1 && span) {
    const length = span.end - span.start + 1;
    return send(
      request,
      reply,
      206,
      { ...headers, ...described, 'content-range': contentRange(span, size), 'content-length': length },
      async () => (await downloads.open(file.blob, span)).pipeTo,
      begin,
    );
  }
  const parts = multipart(range, size, String(described['content-type']));
  const multiple = {
    ...headers,
    ...described,
    'content-type': `multipart/byteranges; boundary=${parts.boundary}`,
    'content-length': parts.length,
  };
  return send(
    request,
    reply,
    206,
    multiple,
    async () => parts.pipeParts((at) => downloads.open(file.blob, at)),
    begin,
  );
}

const contentRange = ({ start, end }: Span, size: number): string => `bytes ${start}-${end}/${size}`;

function multipart(spans: readonly Span[], size: number, type: string) {
  const boundary = randomBytes(18).toString('hex');
  const heads = spans.map(
    (span) =>
      `\r\n--${boundary}\r\nContent-Type: ${type}\r\nContent-Range: ${contentRange(span, size)}\r\n\r\n`,
  );
  const tail = `\r\n--${boundary}--\r\n`;
  const length = spans.reduce(
    (sum, { start, end }, at) => sum + Buffer.byteLength(heads[at]!) + end - start + 1,
    tail.length,
  );
  return {
    boundary,
    length,
    pipeParts(open: (span: Span) => Promise<{ pipeTo: PipeTo }>): PipeTo {
      return async (sink) => {
        for (const [at, span] of spans.entries()) {
          await sink(Buffer.from(heads[at]!));
          await (await open(span)).pipeTo(sink);
        }
        await sink(Buffer.from(tail));
      };
    },
  };
}

/**
 * Writes to the connection itself, so that reading follows the pace of the client. If reading fails halfway, the
 * connection is closed, so that no client mistakes a part for the whole.
 */
async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  headers: Headers,
  open: () => Promise<PipeTo>,
  begin: (bytes: number) => Promise<Moving>,
): Promise<FastifyReply | undefined> {
  const { raw } = reply;
  if (request.method === 'HEAD') {
    reply.hijack();
    raw.writeHead(status, headers).end();
    return undefined;
  }
  const moving = await begin(Number(headers['content-length']));
  let passed = 0;
  try {
    const pipeTo = await open();
    reply.hijack();
    raw.writeHead(status, headers);
    const pass = async (chunk: Uint8Array): Promise<void> => {
      await write(raw, chunk);
      passed += chunk.byteLength;
    };
    const { pace } = moving;
    await pipeTo(
      pace
        ? async (chunk) => {
            for await (const slice of slicesAt(pace, chunk)) await pass(slice);
          }
        : pass,
    );
    raw.end();
  } catch (error) {
    // Nothing was sent yet: the error is the response.
    if (!raw.headersSent) throw error;
    const left = raw.destroyed;
    raw.destroy();
    if (!left) request.log.warn({ err: error, id: request.id }, 'download failed midway');
  } finally {
    moving.sent(passed);
    moving.end();
  }
  return undefined;
}

/** Resolves when the connection has accepted the bytes and their memory may be reused. */
function write(raw: ServerResponse, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    if (raw.destroyed) return reject(new Error('The client disconnected'));
    const gone = (): void => reject(new Error('The client disconnected'));
    raw.once('close', gone);
    raw.write(chunk, (error) => {
      raw.off('close', gone);
      if (error) reject(error);
      else resolve();
    });
  });
}
