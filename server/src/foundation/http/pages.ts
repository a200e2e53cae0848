import { randomFillSync } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static';
import {
  accountApi,
  pageLocale,
  SIGNED_IN,
  type ApiCall,
  type Library,
  type OperatorFacts,
  type PageRequest,
  type PageServices,
  type Profile,
  type ReadyPage,
  type ReplyOf,
} from '@bowerbird/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../log.ts';
import type { Api } from './api.ts';
import { appBeside, contentPolicy } from './content-policy.ts';
import { cookieWriter } from './cookies.ts';
import { failureOf, RETRY_AFTER } from './failure.ts';
import type { Gate } from './gate.ts';
import { askedAddress, pageAddress } from './page-address.ts';
import { sendPage, sendReady } from './page-reply.ts';
import { pageRequest } from './page-request.ts';
import { answerUnclaimed } from './unclaimed.ts';
import type { Caller } from './viewer.ts';

type Handle = (request: PageRequest, services: PageServices) => Promise<Response | ReadyPage>;

/** Exports of the built pages (web/app/entry.server.tsx). */
interface WebBuild {
  readonly entry: { readonly module: { createHandler(build: WebBuild, mode: string): Handle } };
}

interface Pages {
  readonly api: Api;
  readonly gate: Gate;
  readonly log: Log;
  /** Origins over which browsers rotate their calls; empty for the page's own only. */
  readonly origins: readonly string[];
  /** Origins of pages that may frame these. */
  readonly framedBy: readonly string[];
  readonly isCounting: boolean;
  readonly siteOrigin: string | undefined;
  readonly library: Library;
  readonly operator: OperatorFacts;
}

/** Statuses of temporary failures, and of a full disk. */
const PASSING = new Set([503, 507]);
const YEAR_SECONDS = 365 * 24 * 3600;

/**
 * Serves the pages built into `folder`: hashed assets as files, everything that no other route answers as a
 * rendered page.
 */
export async function mountPages(
  app: FastifyInstance,
  { folder, ...pages }: Pages & { folder: string },
): Promise<void> {
  let handle: Promise<Handle> | undefined;
  const files: FastifyStaticOptions = {
    root: join(folder, 'client'),
    index: false,
    preCompressed: true,
    setHeaders(reply, path) {
      // A worker gets its policy from the response with its own script. It has the same permissions as the
      // page.
      reply.header('content-security-policy', "object-src 'none'; base-uri 'none'; frame-ancestors 'self'");
      reply.header(
        'cache-control',
        path.includes('/assets/') ? `public, max-age=${YEAR_SECONDS}, immutable` : 'public, max-age=3600',
      );
    },
  };
  // The few files outside of assets/ have a route each. Two more for each of the assets would take a tenth of a start
  // and several megabytes of memory.
  await app.register(fastifyStatic, { ...files, wildcard: false, globIgnore: ['assets/**'] });
  const assets = new Set(filesIn(join(folder, 'client', 'assets')));
  app.get<{ Params: { '*': string } }>('/assets/*', async (request, reply) => {
    const path = request.params['*'];
    return assets.has(path) ? reply.sendFile(`assets/${path}`) : reply.callNotFound();
  });
  app.setNotFoundHandler(async (request, reply) => {
    if (answerUnclaimed(request, reply, pages.siteOrigin)) return;
    const nonce = drawNonce();
    await answer(
      request,
      reply,
      await (handle ??= openBuild(folder)),
      pages,
      nonce,
      contentPolicy(nonce, { ...pages, beside: appBeside(request.query) }),
    );
  });
}

const NONCE_BYTES = 16;
const random = Buffer.alloc(NONCE_BYTES * 256);
let drawn = random.length;

/** Returns an unpredictable nonce. Random bytes are drawn for many at once: most of the work is the call. */
function drawNonce(): string {
  if (drawn === random.length) {
    randomFillSync(random);
    drawn = 0;
  }
  const from = drawn;
  drawn += NONCE_BYTES;
  return random.toString('base64', from, drawn);
}

/** Paths of all files below a folder, if it exists, separated by slashes. */
const filesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll(sep, '/'))
    : [];

/** Loaded at the first request for a page: a start takes a third less time without it, and less memory until then. */
async function openBuild(folder: string): Promise<Handle> {
  const build = (await import(pathToFileURL(join(folder, 'server/index.js')).href)) as WebBuild;
  return build.entry.module.createHandler(build, 'production');
}

/**
 * Serves the pages from their sources in `folder`, through Vite, so that changes need no build. For
 * developers.
 */
export async function mountSourcePages(
  app: FastifyInstance,
  { folder, ...pages }: Pages & { folder: string },
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
    if (answerUnclaimed(request, reply, pages.siteOrigin)) return;
    const build = (await vite.ssrLoadModule('virtual:react-router/server-build')) as unknown as WebBuild;
    if (last?.build !== build)
      last = { build, handle: build.entry.module.createHandler(build, 'development') };
    await answer(request, reply, last.handle, pages, '', undefined);
  });
}

type Middleware = (
  request: FastifyRequest['raw'],
  reply: FastifyReply['raw'],
  next: (error?: unknown) => void,
) => void;

/** Lets Vite respond to requests for its modules, styles and client. */
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
    ...cookieWriter(request.caller.origin, request.cookies, (cookie) => void cookies.push(cookie)),
  };
  let trouble: number | undefined;
  const address = askedAddress(request.url, caller.origin);
  const services = await servicesFor(address, request, caller, pages, nonce, (status) => (trouble = status));
  const response = await handle(pageRequest(request, reply, address), services);
  if (!(response instanceof Response)) return sendReady(reply, response, { cookies, policy });
  // A page that failed for a temporary reason responds with retry-after, for clients that retry by themselves.
  const isPassing = response.status === 500 && trouble !== undefined;
  if (isPassing && trouble === 503) response.headers.set('retry-after', RETRY_AFTER);
  const status = isPassing ? trouble! : response.status;
  await sendPage(request, reply, response, { status, cookies, policy });
}

async function servicesFor(
  address: URL,
  request: FastifyRequest,
  asked: Caller,
  { api, gate, log, origins, framedBy, isCounting, library, operator }: Pages,
  nonce: string,
  onTrouble: (status: number) => void,
): Promise<PageServices> {
  const locale = pageLocale(
    pageAddress(address),
    request.cookies['pp_locale'],
    request.headers['accept-language'],
  );
  const caller: Caller = { ...asked, locale };
  // Scripts of a loaded page request only its data.
  const isDocument = !/\.data(?:\?|$)/.test(request.url);
  const call: ApiCall = (spec, input) => {
    const { query, body } = input as { query?: unknown; body?: unknown };
    const asked = { query, body, caller, captcha: '', isPage: true, isDocument };
    const reply = gate(spec, asked, () => api.call(spec, input, caller)).catch((error: unknown) => {
      const { status } = failureOf(error);
      if (PASSING.has(status)) onTrouble(status);
      throw error;
    });
    return reply as Promise<ReplyOf<typeof spec>>;
  };
  // Pages are for people: a program's token gets what a visitor gets.
  const viewer: Profile | null = caller.viewer?.scopes.has(SIGNED_IN)
    ? await api.call(accountApi.me, {}, caller)
    : null;
  return {
    call,
    viewer,
    locale,
    nonce,
    origin: caller.origin,
    origins,
    framedBy,
    isCounting,
    library,
    operator: { ...operator, name: operator.name || new URL(caller.origin).host },
    cookies: Object.fromEntries(
      Object.entries(caller.cookies).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    setCookie(name, value, { maxAge, ...options } = {}) {
      caller.setCookie(name, value, {
        ...options,
        ...(maxAge === undefined ? {} : { maxAgeSeconds: maxAge }),
      });
    },
    logError: (error) => log.error({ err: error, id: request.id }, 'page rendering failed'),
  };
}
