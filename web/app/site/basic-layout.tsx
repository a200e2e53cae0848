import { lazy, Suspense } from 'react';
import { Outlet } from 'react-router';
import { useIsBrowser, usePageFrame } from '#app/i18n/page-frame.tsx';
import { useT } from '#app/i18n/t.ts';
import { SiteFooter } from './site-footer.tsx';
import { SiteHeader } from './site-header.tsx';

const CookieNotice = lazy(() => import('./cookie-notice.tsx'));

/** Layout of public pages: header, content, footer. In print, only the content. */
export function BasicLayout() {
  const t = useT();
  const { isCounting } = usePageFrame();
  const isBrowser = useIsBrowser();
  return (
    <div className="flex min-h-dvh flex-col print:block">
      <a
        href="#content"
        className="sr-only z-10 rounded-control bg-card px-4 py-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2 print:hidden"
      >
        {t('ui.skip')}
      </a>
      <div className="bare:hidden print:hidden">
        <SiteHeader />
      </div>
      <main id="content" className="flex-1">
        <Outlet />
      </main>
      <div className="bare:hidden print:hidden">
        <SiteFooter />
      </div>
      {isBrowser && isCounting && (
        <Suspense>
          <CookieNotice />
        </Suspense>
      )}
    </div>
  );
}
