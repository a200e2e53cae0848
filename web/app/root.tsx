import type { ReactNode } from 'react';
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
import { splitLocale } from '@bowerbird/contract';
import latin from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import cyrillic from '@fontsource-variable/inter/files/inter-cyrillic-wght-normal.woff2?url';
import css from './app.css?url';
import { SignInHost } from './account/index.ts';
import { pageServices } from './api/page-services.ts';
import { catalogueFiles, isForMembers } from './i18n/catalogue.ts';
import { FACTS_ID, usePageFrame, type PageFacts } from './i18n/page-frame.tsx';
import { ErrorPage } from './site/error-page.tsx';
import { followLocaleRule } from './site/locale-rule.ts';
import { Live } from './ui/live.tsx';
import { Toaster } from './ui/toast.tsx';
import { TooltipLayer } from './ui/tooltip.tsx';
import type { Route } from './+types/root';

export const middleware: Route.MiddlewareFunction[] = [
  async ({ request, url, context }, next) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const elsewhere = isRead ? followLocaleRule(url, context.get(pageServices)) : undefined;
    if (elsewhere) throw elsewhere;
    const response = await next();
    // Pages know their reader; only what says otherwise may be kept by others.
    if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'private, no-store');
    return response;
  },
];

export function loader({ context }: Route.LoaderArgs) {
  return { viewer: context.get(pageServices).viewer };
}

/** Who looks changes by signing in and out: after a form, or when a page asks. Moving around asks no server for it. */
export function shouldRevalidate({
  formMethod,
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  const isAsked = currentUrl.href === nextUrl.href || (formMethod !== undefined && formMethod !== 'GET');
  return isAsked && defaultShouldRevalidate;
}

export function Layout({ children }: { children: ReactNode }) {
  const { locale, theme, nonce, catalogue: _, ...rest } = usePageFrame();
  const { pathname } = useLocation();
  const facts: PageFacts = { locale, theme, ...rest };
  if (import.meta.env.SSR) {
    const forMembers = isForMembers(splitLocale(pathname).path);
    for (const file of catalogueFiles(locale, { forMembers })) preloadModule(file, { as: 'script' });
  }
  return (
    <html lang={locale} data-theme={theme === 'system' ? undefined : theme} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#fbfaf9" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0f1116" />
        {/* Before everything: without it nothing is shown. */}
        <link rel="stylesheet" href={css} precedence="app" />
        <FontLink href={latin} />
        {(locale === 'ru' || locale === 'uk') && <FontLink href={cyrillic} />}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        <Meta />
        <Links nonce={nonce} />
      </head>
      <body>
        {children}
        <script
          id={FACTS_ID}
          type="application/json"
          nonce={nonce}
          suppressHydrationWarning
          // It is read by our own script; `<` can't end the element.
          dangerouslySetInnerHTML={{ __html: JSON.stringify(facts).replaceAll('<', String.raw`\u003c`) }}
        />
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

/** Letters have room and a stand-in until they come; what the page looks like goes before them. */
function FontLink({ href }: { href: string }) {
  return (
    <link rel="preload" href={href} as="font" type="font/woff2" crossOrigin="anonymous" fetchPriority="low" />
  );
}

export default function App() {
  return (
    <>
      <Outlet />
      <SignInHost />
      <Toaster />
      <Live />
      <TooltipLayer />
    </>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorPage error={error} />;
}
