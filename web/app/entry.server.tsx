import {
  createRequestHandler,
  isRouteErrorResponse,
  RouterContextProvider,
  ServerRouter,
  type EntryContext,
  type HandleErrorFunction,
  type ServerBuild,
} from 'react-router';
import { isbot } from 'isbot';
import {
  negotiateLocale,
  splitLocale,
  type PageRequest,
  type PageServices,
  type ReadyPage,
} from '@bowerbird/contract';
import { pageServices } from './api/page-services.ts';
import { ALL_PARTS, loadCatalogue } from './i18n/catalogue.ts';
import { CURRENCY_COOKIE } from './browser/currency-cookie.ts';
import { knownTimeZone } from './i18n/format.ts';
import { PageFrame, THEMES, type PageFrameValue } from './i18n/page-frame.tsx';
import { DISPLAY_MODE_COOKIES } from './node/display/display-mode.ts';
import { withPageCache } from './page/page-cache.ts';
import { renderPage } from './page/render-page.ts';
import { scriptsLast } from './page/scripts-last.ts';
import { ACCESS_COOKIE } from './site/access-cookie.ts';

/** Cookies that change how a page looks. */
const LOOKS = new Set([
  'pp_locale',
  'pp_theme',
  'pp_time_zone',
  ACCESS_COOKIE,
  CURRENCY_COOKIE,
  ...Object.values(DISPLAY_MODE_COOKIES),
]);

/** Longest time that a page waits for streamed data, ms. */
export const streamTimeout = 5_000;
/** Longest time of a render, ms; then it is aborted. */
const RENDER_TIMEOUT = streamTimeout + 2_000;

/** Creates the one handler for the life of the server; request data is passed with each request. */
export function createHandler(
  build: ServerBuild,
  mode: string,
): (request: PageRequest, services: PageServices) => Promise<Response | ReadyPage> {
  const handle = createRequestHandler(build, mode);
  const handleDrive = createRequestHandler(
    { ...build, routeDiscovery: { ...build.routeDiscovery, mode: 'initial' } },
    mode,
  );
  const render = (request: Request, services: PageServices): Promise<Response> => {
    const context = new RouterContextProvider();
    context.set(pageServices, services);
    return (isOfDrive(request) ? handleDrive : handle)(request, context);
  };
  return mode === 'production'
    ? withPageCache(render, LOOKS)
    : (request, services) => render(request.full?.() ?? (request as Request), services);
}

/**
 * Pages of the drive include the list of all routes. Others stay small and ask the server for the route of an
 * address; in a drive, where each folder has its own address, that would be a request for each folder, and an
 * error when offline.
 */
const isOfDrive = (request: Request): boolean =>
  splitLocale(new URL(request.url).pathname).path.startsWith('/drive/');

async function frameOf(request: Request, services: PageServices): Promise<PageFrameValue> {
  const { locale, nonce, origin, origins, framedBy, isCounting, cookies } = services;
  return {
    locale,
    accepted: negotiateLocale(request.headers.get('accept-language') ?? undefined),
    nonce,
    origin,
    origins,
    framedBy,
    isCounting,
    catalogue: await loadCatalogue(locale, ALL_PARTS),
    timeZone: knownTimeZone(cookies['pp_time_zone']) ?? 'UTC',
    now: Date.now(),
    theme: THEMES.find((theme) => theme === cookies['pp_theme']) ?? 'system',
  };
}

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: Readonly<RouterContextProvider>,
): Promise<Response> {
  const services = context.get(pageServices);
  headers.set('content-type', 'text/html; charset=utf-8');
  if (!headers.has('cache-control')) headers.set('cache-control', 'private, no-store');
  if (request.method === 'HEAD') return new Response(null, { status, headers });

  const agent = request.headers.get('user-agent') ?? '';
  // A headless browser, as used in tests, is not a crawler.
  const isCrawler = isbot(agent) && !agent.includes('HeadlessChrome');
  // Error pages are not content: a crawler should return, and not index them.
  if (isCrawler && status >= 500)
    return new Response(null, { status: 503, headers: { 'retry-after': '120' } });

  const frame = await frameOf(request, services);
  const aborting = new AbortController();
  // Without being cleared, it would keep every render in memory until it fires.
  const timer = setTimeout(() => aborting.abort(new Error('the render took too long')), RENDER_TIMEOUT);
  let failed = false;
  const page = await renderPage(
    <PageFrame value={frame}>
      <ServerRouter context={entry} url={request.url} nonce={frame.nonce} />
    </PageFrame>,
    {
      nonce: frame.nonce,
      signal: AbortSignal.any([aborting.signal, request.signal]),
      onError(error) {
        failed = true;
        if (!request.signal.aborted) services.logError(error);
      },
    },
  ).finally(() => clearTimeout(timer));
  // Bytes, because a response checks a text for invalid characters first.
  return new Response(Buffer.from(scriptsLast(page)), {
    status: failed && status < 400 ? 500 : status,
    headers,
  });
}

/** Handles failed loaders and actions; refusals thrown as responses are answers, not errors. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || isRouteErrorResponse(error)) return;
  context.get(pageServices).logError(error);
};
