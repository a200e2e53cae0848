import { deviceOf } from '#app/browser/platform.ts';
import { pageServices } from '#app/api/page-services.ts';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { usePageFrame } from '#app/i18n/page-frame.tsx';
import { useT } from '#app/i18n/t.ts';
import type { Route } from './+types/tv';
import { AppPage, AppSection } from './app-page.tsx';
import { CopyLine } from './copy-line.tsx';
import { offers } from './downloads.server.ts';
import { Guides, type Guide } from './guide.tsx';

export const handle = { layout: 'basic' };

export async function loader({ context, request }: Route.LoaderArgs) {
  return {
    offered: await offers(context.get(pageServices), ['tv']),
    device: deviceOf(request.headers),
  };
}

const WAYS: readonly Guide[] = [
  {
    id: 'browser',
    title: 'apps.tv.browser',
    steps: ['apps.tv.browser.open', 'apps.tv.browser.signIn', 'apps.tv.browser.play'],
  },
  {
    id: 'kodi',
    title: 'apps.tv.kodi',
    steps: ['apps.drive.password', 'apps.tv.kodi.add', 'apps.tv.kodi.address'],
  },
  {
    id: 'infuse',
    title: 'apps.tv.infuse',
    steps: ['apps.drive.password', 'apps.tv.infuse.add', 'apps.tv.infuse.address'],
  },
];

export default function TvApp({ loaderData: { offered, device } }: Route.ComponentProps) {
  const t = useT();
  const { origin } = usePageFrame();
  return (
    <AppPage
      path="/tv"
      title={t('apps.tv.title')}
      lead={t('apps.tv.lead')}
      offers={offered}
      first="tv"
      none={{ title: t('apps.tv.none'), text: t('apps.tv.noneText') }}
      isPhone={device.isPhone}
    >
      <AppSection title={t('apps.tv.ways')} text={t('apps.tv.waysText')}>
        <CopyLine text={`${origin}/dav/`} label={t('apps.drive.address')} />
        <Guides guides={WAYS} {...(device.platform === 'tv' ? { own: 'browser' } : {})} />
        <p className="mt-5">
          <LocaleLink to="/tv-help" className="text-blue-strong underline underline-offset-3">
            {t('apps.tv.help')}
          </LocaleLink>
        </p>
      </AppSection>
    </AppPage>
  );
}
