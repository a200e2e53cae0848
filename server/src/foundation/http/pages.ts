import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fastifyStatic from '@fastify/static';
import {
  accountApi,
  pageLocale,
  SIGNED_IN,
  type ApiCall,
  type PageServices,
  type Profile,
} from '@bowerbird/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../log.ts';
import type { Api } from './api.ts';
import { cookieWriter } from './cookies.ts';
import { sendPage } from './page-reply.ts';
import { webRequest } from './page-request.ts';
import type { Caller } from './viewer.ts';

type Handle = (request: Request, services: PageServices) => Promise<Response>;

/** What the built pages export (web/app/entry.server.tsx). */
interface WebBuild {
  readonly entry: { readonly module: { createHandler(build: WebBuild, mode: string): Handle } };
}

interface Pages {
  readonly api: Api;
  readonly log: Log;
}

const YEAR_SECONDS = 365 * 24 * 3600;

/** Serves the pages built into `folder`: hashed assets as files, everything that no other route answers as a rendered page. */
export async function mountPages(
  app: FastifyInstance,
  { api, log, folder }: Pages & { folder: string },
): Promise<void> {
  const build = (await import(pathToFileURL(join(folder, 'server/index.js')).href)) as WebBuild;
  const handle = build.entry.module.createHandler(build, 'production');
  await app.register(fastifyStatic, {
    root: join(folder, 'client'),
    wildcard: false,
    index: false,
    preCompressed: true,
    decorateReply: false,
    setHeaders(reply, path) {
      reply.header(
        'cache-control',
        path.includes('/assets/') ? `public, max-age=${YEAR_SECONDS}, immutable` : 'public, max-age=3600',
      );
    },
  });
  app.setNotFoundHandler(async (request, reply) => {
    const nonce = randomBytes(16).toString('base64');
    await answer(request, reply, handle, { api, log }, nonce, contentSecurityPolicy(nonce));
  });
}

/** Serves the pages from their sources in `folder`, through Vite: a change shows without a build. For developers. */
export async function mountSourcePages(
  app: FastifyInstance,
  { api, log, folder }: Pages & { folder: string },
): Promise<void> {
  const { createServer } = await import('vite');
  const vite = await createServer({
    root: folder,
    configFile: join(folder, 'vite.config.ts'),
    appType: 'custom',
    configLoader: 'native',
    server: { middlewareMode: true, hmr: { server: app.server } },
  });
  app.addHook('onClose', () => vite.close());
  let last: { build: WebBuild; handle: Handle } | undefined;
  app.setNotFoundHandler(async (request, reply) => {
    if (request.method === 'GET' && (await answeredByVite(vite.middlewares, request, reply))) return;
    const build = (await vite.ssrLoadModule('virtual:react-router/server-build')) as unknown as WebBuild;
    if (last?.build !== build)
      last = { build, handle: build.entry.module.createHandler(build, 'development') };
    await answer(request, reply, last.handle, { api, log }, '', undefined);
  });
}

type Middleware = (
  request: FastifyRequest['raw'],
  reply: FastifyReply['raw'],
  next: (error?: unknown) => void,
) => void;

/** Lets Vite answer what is its own: modules, styles, its client. */
async function answeredByVite(
  middleware: Middleware,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  await new Promise<void>((resolve, reject) => {
    reply.raw.once('close', resolve);
    middleware(request.raw, reply.raw, (error) => (error ? reject(error as Error) : resolve()));
  });
  const answered = reply.raw.writableEnded || reply.raw.headersSent;
  if (answered) reply.hijack();
  return answered;
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  handle: Handle,
  pages: Pages,
  nonce: string,
  policy: string | undefined,
): Promise<void> {
  const cookies: string[] = [];
  const caller: Caller = {
    ...request.caller,
    ...cookieWriter(request.caller.origin, (cookie) => void cookies.push(cookie)),
  };
  const response = await handle(
    webRequest(request, reply),
    await servicesFor(request, caller, pages.api, pages.log, nonce),
  );
  await sendPage(request, reply, response, cookies, policy);
}

async function servicesFor(
  request: FastifyRequest,
  asked: Caller,
  api: Api,
  log: Log,
  nonce: string,
): Promise<PageServices> {
  const url = new URL(request.url, request.caller.origin);
  const locale = pageLocale(url, request.cookies['pp_locale'], request.headers['accept-language']);
  const caller: Caller = { ...asked, locale };
  const call: ApiCall = (spec, input) => api.call(spec, input, caller);
  // Pages are for people: a program's token shows it what a visitor sees.
  const viewer: Profile | null = caller.viewer?.scopes.has(SIGNED_IN)
    ? await api.call(accountApi.me, {}, caller)
    : null;
  return {
    call,
    viewer,
    locale,
    nonce,
    origin: caller.origin,
    origins: [],
    cookies: Object.fromEntries(
      Object.entries(caller.cookies).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    setCookie(name, value, { maxAge, ...options } = {}) {
      caller.setCookie(name, value, {
        ...options,
        ...(maxAge === undefined ? {} : { maxAgeSeconds: maxAge }),
      });
    },
    logError: (error) => log.error({ err: error, id: request.id }, 'a page failed'),
  };
}

/** Never served from another's frame, never runs what we did not write; blobs and media come from our own links. */
function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'wasm-unsafe-eval'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'self'",
  ].join('; ');
}
