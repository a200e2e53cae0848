import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Readable } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import { accountApi, pageLocale, type ApiCall, type PageServices, type Profile } from '@bowerbird/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../log.ts';
import type { Api } from './api.ts';
import { cookieWriter } from './cookies.ts';
import type { Caller } from './viewer.ts';

/** What the built pages export (web/app/entry.server.tsx). */
interface WebBuild {
  readonly entry: { readonly module: { createHandler(build: WebBuild, mode: string): (request: Request, services: PageServices) => Promise<Response> } };
}

const YEAR_SECONDS = 365 * 24 * 3600;

/** Serves the pages: hashed assets as files, everything that no other route answers as a rendered page. */
export async function mountPages(app: FastifyInstance, { api, log, folder }: { api: Api; log: Log; folder: string }): Promise<void> {
  const build = (await import(pathToFileURL(join(folder, 'server/index.js')).href)) as WebBuild;
  const handle = build.entry.module.createHandler(build, 'production');
  await app.register(fastifyStatic, {
    root: join(folder, 'client'), wildcard: false, index: false, preCompressed: true, decorateReply: false,
    setHeaders(reply, path) {
      reply.header('cache-control', path.includes('/assets/') ? `public, max-age=${YEAR_SECONDS}, immutable` : 'public, max-age=3600');
    },
  });
  app.setNotFoundHandler(async (request, reply) => {
    const nonce = randomBytes(16).toString('base64');
    const cookies: string[] = [];
    const caller: Caller = { ...request.caller, ...cookieWriter(request.caller.origin, (cookie) => void cookies.push(cookie)) };
    const response = await handle(webRequest(request, reply), await servicesFor(request, caller, api, log, nonce));
    await send(request, reply, response, cookies, nonce);
  });
}

async function servicesFor(request: FastifyRequest, asked: Caller, api: Api, log: Log, nonce: string): Promise<PageServices> {
  const url = new URL(request.url, request.caller.origin);
  const locale = pageLocale(url, request.cookies['pp_locale'], request.headers['accept-language']);
  const caller: Caller = { ...asked, locale };
  const call: ApiCall = (spec, input) => api.call(spec, input, caller);
  const viewer: Profile | null = caller.viewer ? await api.call(accountApi.me, {}, caller) : null;
  return {
    call, viewer, locale, nonce,
    origin: caller.origin,
    origins: [],
    cookies: Object.fromEntries(Object.entries(caller.cookies).filter((entry): entry is [string, string] => entry[1] !== undefined)),
    setCookie(name, value, { maxAge, ...options } = {}) {
      caller.setCookie(name, value, { ...options, ...(maxAge === undefined ? {} : { maxAgeSeconds: maxAge }) });
    },
    logError: (error) => log.error({ err: error, id: request.id }, 'a page failed'),
  };
}

function webRequest(request: FastifyRequest, reply: FastifyReply): Request {
  const gone = new AbortController();
  reply.raw.on('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const entry of [value].flat()) if (entry !== undefined && !name.startsWith(':')) headers.append(name, entry);
  }
  const init: RequestInit = { method: request.method, headers, signal: gone.signal };
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    // The body was read as fields already; pages post forms.
    headers.set('content-type', 'application/x-www-form-urlencoded');
    headers.delete('content-length');
    init.body = new URLSearchParams(Object.entries((request.body ?? {}) as Record<string, string>)).toString();
  }
  return new Request(new URL(request.url, request.caller.origin), init);
}

/** Never served from another's frame, never runs what we did not write; blobs and media come from our own links. */
function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'self'", `script-src 'self' 'nonce-${nonce}' 'wasm-unsafe-eval'`, "style-src 'self' 'unsafe-inline'", "img-src 'self' data: blob:", "media-src 'self' blob:",
    "font-src 'self'", "connect-src 'self'", "worker-src 'self' blob:", "object-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'self'",
  ].join('; ');
}

const COMPRESSED_FROM = 1024;

/** Writes the response itself: cheaper than reply.send(Response), with back-pressure and streaming compression. */
async function send(request: FastifyRequest, reply: FastifyReply, response: Response, cookies: readonly string[], nonce: string): Promise<void> {
  const { raw } = reply;
  reply.hijack();
  raw.statusCode = response.status;
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value as string);
  for (const [name, value] of response.headers) {
    if (name === 'set-cookie') raw.appendHeader(name, value);
    else raw.setHeader(name, value);
  }
  for (const cookie of cookies) raw.appendHeader('set-cookie', cookie);
  raw.setHeader('content-security-policy', contentSecurityPolicy(nonce));
  if (!response.headers.has('cache-control')) raw.setHeader('cache-control', 'private, no-store');
  raw.appendHeader('vary', 'accept-encoding, accept-language, cookie');
  const body = response.body;
  if (!body || request.method === 'HEAD') {
    raw.end();
    return;
  }
  const known = Number(response.headers.get('content-length') ?? Infinity);
  const encoder = known >= COMPRESSED_FROM ? encoderFor(request.headers['accept-encoding']) : undefined;
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

function encoderFor(accepted: string | string[] | undefined): { name: string; stream: NodeJS.ReadWriteStream & Readable } | undefined {
  const names = String(accepted ?? '');
  if (/\bbr\b/.test(names)) return { name: 'br', stream: createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 3 }, flush: constants.BROTLI_OPERATION_FLUSH }) };
  if (/\bgzip\b/.test(names)) return { name: 'gzip', stream: createGzip({ level: 1, flush: constants.Z_SYNC_FLUSH }) };
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
