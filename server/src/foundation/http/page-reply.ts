import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { ReadyPage } from '@bowerbird/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';

const COMPRESSED_FROM = 1024;

/** Properties of a reply besides the headers and the body of the response. */
interface Sending {
  readonly status: number;
  readonly cookies: readonly string[];
  /** Without a policy, the page may run any script, as Vite's own pages do. */
  readonly policy: string | undefined;
}

const VARY = 'accept-encoding, accept-language, cookie';

/** Sends a page that is ready, with all headers at once. */
export function sendReady(
  reply: FastifyReply,
  { headers, body }: ReadyPage,
  { cookies, policy }: Omit<Sending, 'status'>,
): void {
  const { raw } = reply;
  reply.hijack();
  const lines: string[] = [];
  const names = new Set(['content-security-policy', ...headers.map(([name]) => name)]);
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value === undefined || names.has(name)) continue;
    for (const one of [value].flat()) lines.push(name, String(one));
  }
  for (const header of headers) lines.push(...header);
  for (const cookie of cookies) lines.push('set-cookie', cookie);
  if (policy !== undefined) lines.push('content-security-policy', policy);
  if (!names.has('cache-control')) lines.push('cache-control', 'private, no-store');
  lines.push('vary', VARY, 'content-length', String(body.length));
  raw.writeHead(200, lines).end(body);
}

/**
 * Sends a page, compressed; cheaper than reply.send(Response). Its data is complete before it is rendered, so it is sent
 * at once.
 */
export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  response: Response,
  { status, cookies, policy }: Sending,
): Promise<void> {
  const { raw } = reply;
  reply.hijack();
  raw.statusCode = status;
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
  raw.appendHeader('vary', VARY);
  if (!response.body || request.method === 'HEAD') {
    raw.end();
    return;
  }
  try {
    const body = Buffer.from(await response.arrayBuffer());
    const isPlain = body.length >= COMPRESSED_FROM && !response.headers.has('content-encoding');
    const coding = isPlain ? codingFor(request.headers['accept-encoding']) : undefined;
    if (coding) raw.setHeader('content-encoding', coding.name);
    const sent = coding ? await coding.compress(body) : body;
    raw.setHeader('content-length', sent.length);
    raw.end(sent);
  } catch (error) {
    raw.destroy(error as Error);
  }
}

interface Coding {
  readonly name: string;
  readonly compress: (body: Buffer) => Promise<Buffer>;
}

const [brotliOf, gzipOf] = [promisify(brotliCompress), promisify(gzip)];
/** Size of the buffers for compressed pages: most fit into one, so that they are compressed in one step. */
const chunkSize = 64 * 1024;

const CODINGS: readonly Coding[] = [
  {
    name: 'br',
    compress: (body) => brotliOf(body, { chunkSize, params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }),
  },
  { name: 'gzip', compress: (body) => gzipOf(body, { chunkSize, level: 1 }) },
];

/** Best coding that a browser accepts. */
function codingFor(accepted: string | string[] | undefined): Coding | undefined {
  const names: readonly string[] = String(accepted ?? '').match(/[\w-]+/g) ?? [];
  return CODINGS.find(({ name }) => names.includes(name));
}
