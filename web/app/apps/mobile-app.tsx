import type { Channel } from '@bowerbird/contract';
import { deviceOf, type Device } from '#app/browser/platform.ts';
import { pageServices } from '#app/api/page-services.ts';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import type { Route } from './+types/mobile-app';
import { AppPage, AppSection } from './app-page.tsx';
import { offers, type Offer } from './downloads.server.ts';
import { Guides, type Guide } from './guide.tsx';
import { useDevice } from './use-device.ts';

export const handle = { layout: 'basic' };

export async function loader({ context, request }: Route.LoaderArgs) {
  return {
    offered: await offers(context.get(pageServices), ['gp', 'android', 'ios']),
    device: deviceOf(request.headers),
  };
}

const HOME_SCREEN: readonly Guide[] = [
  {
    id: 'ios',
    title: 'apps.phone.ios',
    steps: ['apps.open', 'apps.phone.ios.share', 'apps.phone.ios.add'],
  },
  {
    id: 'android',
    title: 'apps.phone.chrome',
    steps: ['apps.open', 'apps.phone.chrome.menu', 'apps.phone.chrome.install'],
  },
  {
    id: 'samsung',
    title: 'apps.phone.samsung',
    steps: ['apps.open', 'apps.phone.samsung.menu', 'apps.phone.samsung.add'],
  },
  {
    id: 'firefox',
    title: 'apps.phone.firefox',
    steps: ['apps.open', 'apps.phone.firefox.menu', 'apps.phone.firefox.add'],
  },
];

const IN_FILES: readonly Guide[] = [
  {
    id: 'ios-files',
    title: 'apps.phone.iosFiles',
    steps: ['apps.drive.password', 'apps.phone.iosFiles.app', 'apps.phone.iosFiles.address'],
  },
  {
    id: 'android-files',
    title: 'apps.phone.androidFiles',
    steps: ['apps.drive.password', 'apps.phone.androidFiles.app', 'apps.phone.androidFiles.address'],
  },
];

function firstFor(platform: Device['platform'], offered: readonly Offer[]): Channel | undefined {
  if (platform === 'ios') return 'ios';
  if (platform !== 'android') return undefined;
  return offered.find(({ channel }) => channel !== 'ios')?.channel;
}

export default function MobileApp({ loaderData: { offered, device: told } }: Route.ComponentProps) {
  const t = useT();
  const { platform, browser, isPhone } = useDevice(told);
  const own =
    platform === 'ios'
      ? 'ios'
      : platform === 'android'
        ? browser === 'samsung' || browser === 'firefox'
          ? browser
          : 'android'
        : undefined;
  return (
    <AppPage
      path="/mobile-app"
      title={t('apps.mobile.title')}
      lead={t('apps.mobile.lead')}
      offers={offered}
      first={firstFor(platform, offered)}
      none={{ title: t('apps.mobile.none'), text: t('apps.mobile.noneText') }}
      isPhone={isPhone}
      below={
        offered.some(({ channel }) => channel === 'android') && (
          <p className="mt-4 text-13 text-ink-2">
            <LocaleLink
              to="/install-apk-troubleshooting"
              className="text-blue-strong underline underline-offset-3"
            >
              {t('apps.apkHelp')}
            </LocaleLink>
          </p>
        )
      }
    >
      <AppSection title={t('apps.phone.home')} text={t('apps.phone.homeText')}>
        <Guides guides={HOME_SCREEN} {...(own === undefined ? {} : { own })} />
      </AppSection>
      <AppSection title={t('apps.phone.files')} text={t('apps.phone.filesText')}>
        <Guides guides={IN_FILES} />
      </AppSection>
    </AppPage>
  );
}
