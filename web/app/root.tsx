import { lazy, Suspense, useEffect, type ReactNode } from 'react';
import { preloadModule } from 'react-dom';
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  type ShouldRevalidateFunctionArgs,
} from 'react-router';
import { accountApi, isLocale, membershipApi, siteApi, splitLocale } from '@bowerbird/contract';
import latin from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import cyrillic from '@fontsource-variable/inter/files/inter-cyrillic-wght-normal.woff2?url';
import css from './app.css?url';
import { SignInHost } from './account/index.ts';
import { ACCESS_COOKIE } from './site/access-cookie.ts';
import { readCookie } from './browser/cookies.ts';
import { said, says } from './browser/page-query.ts';
import { isNoPage } from './api/page-not-found.ts';
import { pageServices } from './api/page-services.ts';
import { keepForTab } from './browser/tab.ts';
import { catalogueFiles, partsOf } from './i18n/catalogue.ts';
import { FACTS_ID, useIsBrowser, usePageFrame, type PageFacts } from './i18n/page-frame.tsx';
import { CaptchaHost } from './shield/index.ts';
import { AreaGate } from './site/area-gate.tsx';
import { followDocumentLanguage, useShownPlace } from './site/document-language.ts';
import { ErrorPage } from './site/error-page.tsx';
import { followLocaleRule } from './site/locale-rule.ts';
import { followSlashRule } from './site/slash-rule.ts';
import { inlineJson } from './page/inline-json.ts';
import { LiveRegion } from './ui/live-region.tsx';
import { ThemeColor } from './page/theme-color.tsx';
import { Toaster } from './ui/toast/toast.tsx';
import { TooltipLayer } from './ui/tooltip.tsx';
import type { Route } from './+types/root';

export const middleware: Route.MiddlewareFunction[] = [
  async ({ request, url, pattern, params, context }, next) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const elsewhere = isRead
      ? (followLocaleRule(url, context.get(pageServices)) ??
        followSlashRule(url) ??
        (await followAction(url, pattern, params, context.get(pageServices).viewer !== null)))
      : undefined;
    if (elsewhere) throw elsewhere;
    const response = await next();
    // Pages depend on the reader; only those that state otherwise may be cached by others.
    if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'private, no-store');
    return response;
  },
];

/** Most addresses request no action and skip its code; a missing page is reported first. */
async function followAction(
  url: URL,
  pattern: string,
  { locale }: { locale?: string | undefined },
  isMember: boolean,
): Promise<Response | undefined> {
  const isPage = !isNoPage(pattern) && (locale === undefined || isLocale(locale));
  if (!isPage || !says(url.searchParams, 'action')) return undefined;
  const { followPageAction } = await import('./site/page-action-rule.ts');
  return followPageAction(url, isMember);
}

/**
 * True after an address has redirected, in a browser. The chain may have started with a form that signed somebody
 * in.
 */
let isLedOn = false;

/** Client-side navigations run the actions of their addresses, too. */
export const clientMiddleware: Route.ClientMiddlewareFunction[] = [
  async ({ request, url, pattern, params }, next) => {
    const isRead = request.method === 'GET';
    const elsewhere = isRead
      ? (followDocumentLanguage(url) ??
        (await followAction(url, pattern, params, readCookie('pp_user_id') !== undefined)))
      : undefined;
    if (elsewhere) {
      isLedOn = true;
      throw elsewhere;
    }
    await next();
    isLedOn = false;
  },
];

export async function loader({ context }: Route.LoaderArgs) {
  const { call, cookies, viewer } = context.get(pageServices);
  const wasLetIn = cookies[ACCESS_COOKIE] !== undefined;
  const [isOffered, { open: isSignUpOpen }, offers] = await Promise.all([
    wasLetIn || call(siteApi.areaAccessible, {}).then(({ accessible }) => accessible),
    call(accountApi.signUpRules, {}),
    call(membershipApi.offers, {}),
  ]);
  return { viewer, isOffered, isSignUpOpen, offers };
}

/**
 * The viewer changes by signing in and out: after a form, or when a page requests it. Navigation doesn't ask the
 * server.
 */
export function shouldRevalidate({
  formMethod,
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  if (isLedOn) return true;
  const isAsked = currentUrl.href === nextUrl.href || (formMethod !== undefined && formMethod !== 'GET');
  return isAsked && defaultShouldRevalidate;
}

export function Layout({ children }: { children: ReactNode }) {
  const { locale, theme, nonce, catalogue: _, ...rest } = usePageFrame();
  const { pathname, search } = useLocation();
  useShownPlace();
  // Set by the initial address; pages navigated to from there look the same.
  const query = new URLSearchParams(import.meta.env.SSR ? search : '');
  const isSnapshot = said(query, 'snapshot') === '1';
  const isBare = said(query, 'hide_header') === '1';
  const facts: PageFacts = { locale, theme, ...rest };
  if (import.meta.env.SSR) {
    for (const file of catalogueFiles(locale, partsOf(splitLocale(pathname).path)))
      preloadModule(file, { as: 'script' });
  }
  return (
    <html
      lang={locale}
      data-theme={theme === 'system' ? undefined : theme}
      data-snapshot={isSnapshot || undefined}
      data-bare={isBare || undefined}
      suppressHydrationWarning
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <ThemeColor />
        {/* Before everything else: nothing renders without it. */}
        <link rel="stylesheet" href={css} precedence="app" />
        <FontLink href={latin} />
        {(locale === 'ru' || locale === 'uk') && <FontLink href={cyrillic} />}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href={`/${locale}/manifest.webmanifest`} />
        <Meta />
        <Links nonce={nonce} />
      </head>
      <body>
        {/* Waits for the styles. In the head it would make all scripts of the page wait for them, too. */}
        <script
          nonce={nonce}
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: `(${keepForTab.toString()})()` }}
        />
        {children}
        <script
          id={FACTS_ID}
          type="application/json"
          nonce={nonce}
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: inlineJson(facts) }}
        />
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

/** Fonts have a fallback with the same metrics until they are loaded; the styles of the page have priority. */
function FontLink({ href }: { href: string }) {
  return (
    <link rel="preload" href={href} as="font" type="font/woff2" crossOrigin="anonymous" fetchPriority="low" />
  );
}

/** Optional code: if the network fails before it is loaded, the page works without it. */
const LateHosts = lazy(() => import('./late-hosts.tsx').catch(() => ({ default: () => <></> })));

export default function App({ loaderData: { isOffered } }: Route.ComponentProps) {
  const isBrowser = useIsBrowser();
  const { search } = useLocation();
  useEffect(() => keepForTab(), [search]);
  return (
    <>
      <AreaGate isOffered={isOffered}>
        <Outlet />
      </AreaGate>
      <SignInHost />
      <CaptchaHost />
      {isBrowser && (
        <Suspense>
          <LateHosts />
        </Suspense>
      )}
      <Toaster />
      <LiveRegion />
      <TooltipLayer />
    </>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorPage error={error} />;
}
