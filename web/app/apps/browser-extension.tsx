import { redirect } from 'react-router';
import { splitLocale } from '@bowerbird/contract';
import { pageNotFound } from '#app/api/page-not-found.ts';
import { deviceOf } from '#app/browser/platform.ts';
import { pageServices } from '#app/api/page-services.ts';
import { withPrefix } from '#app/i18n/locale.tsx';
import { usePageFrame } from '#app/i18n/page-frame.tsx';
import { useT } from '#app/i18n/t.ts';
import type { Route } from './+types/browser-extension';
import { AppPage, AppSection } from './app-page.tsx';
import { CopyLine } from './copy-line.tsx';
import { offers } from './downloads.server.ts';
import { Guides, type Guide } from './guide.tsx';

export const handle = { layout: 'basic' };

/** Phone browsers have no extensions, so visitors on phones are redirected to the page for phones. */
export const middleware: Route.MiddlewareFunction[] = [
  ({ request, url }, next) => {
    if (!deviceOf(request.headers).isPhone) return next();
    throw redirect(withPrefix(splitLocale(url.pathname).prefix, '/mobile-app'));
  },
];

export async function loader({ context, request, url }: Route.LoaderArgs) {
  // Addresses below this page exist only for the redirect of phones.
  if (splitLocale(url.pathname).path.replace(/\/$/, '') !== '/browser-extension')
    throw pageNotFound(url.pathname);
  return {
    offered: await offers(context.get(pageServices), ['chrome', 'edge', 'firefox']),
    device: deviceOf(request.headers),
  };
}

const WAYS: readonly Guide[] = [
  {
    id: 'bookmark',
    title: 'apps.browser.bookmark',
    steps: ['apps.browser.bookmark.make', 'apps.browser.bookmark.paste', 'apps.browser.bookmark.use'],
  },
  {
    id: 'keyword',
    title: 'apps.browser.keyword',
    steps: ['apps.browser.keyword.open', 'apps.browser.keyword.make', 'apps.browser.keyword.use'],
  },
];

export default function BrowserExtension({ loaderData: { offered, device } }: Route.ComponentProps) {
  const t = useT();
  const { origin } = usePageFrame();
  const { browser } = device;
  return (
    <AppPage
      path="/browser-extension"
      title={t('apps.browser.title')}
      lead={t('apps.browser.lead')}
      offers={offered}
      first={browser === 'edge' || browser === 'firefox' ? browser : 'chrome'}
      none={{ title: t('apps.browser.none'), text: t('apps.browser.noneText') }}
    >
      <AppSection title={t('apps.browser.oneClick')} text={t('apps.browser.oneClickText')}>
        <Guides guides={WAYS}>
          {({ id, title }) => (
            <CopyLine
              text={id === 'bookmark' ? bookmarkOf(origin) : `${origin}/url-checker?url=%s`}
              label={t.find(title) ?? ''}
            />
          )}
        </Guides>
      </AppSection>
    </AppPage>
  );
}

/** Returns a bookmarklet that opens the link checker with the address of the current page. */
function bookmarkOf(origin: string): string {
  return `javascript:void(location.href='${origin}/url-checker?url='+encodeURIComponent(location.href))`;
}
