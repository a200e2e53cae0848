import { useEffect, useState } from 'react';
import type { Channel } from '@bowerbird/contract';
import { deviceOf, type Device } from '#app/browser/platform.ts';
import { pageServices } from '#app/api/page-services.ts';
import { usePageFrame } from '#app/i18n/page-frame.tsx';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import type { Route } from './+types/desktop-app';
import { AppPage, AppSection } from './app-page.tsx';
import { CopyLine } from './copy-line.tsx';
import { offers } from './downloads.server.ts';
import { Guides, type Guide } from './guide.tsx';
import { useDevice } from './use-device.ts';

export const handle = { layout: 'basic' };

export async function loader({ context, request }: Route.LoaderArgs) {
  return {
    offered: await offers(context.get(pageServices), ['windows', 'mac_arm64', 'mac_x64', 'linux']),
    device: deviceOf(request.headers),
  };
}

const AS_FOLDER: readonly Guide[] = [
  {
    id: 'windows',
    title: 'apps.desktop.windows',
    steps: ['apps.drive.password', 'apps.desktop.windows.map', 'apps.desktop.windows.address'],
  },
  {
    id: 'mac',
    title: 'apps.desktop.mac',
    steps: ['apps.drive.password', 'apps.desktop.mac.connect', 'apps.desktop.mac.address'],
  },
  {
    id: 'linux',
    title: 'apps.desktop.linux',
    steps: ['apps.drive.password', 'apps.desktop.linux.connect', 'apps.desktop.linux.address'],
  },
];

const AS_WINDOW: readonly Guide[] = [
  {
    id: 'chrome',
    title: 'apps.desktop.chrome',
    steps: ['apps.open', 'apps.desktop.chrome.install', 'apps.desktop.chrome.pin'],
  },
  {
    id: 'edge',
    title: 'apps.desktop.edge',
    steps: ['apps.open', 'apps.desktop.edge.install', 'apps.desktop.edge.pin'],
  },
  {
    id: 'safari',
    title: 'apps.desktop.safari',
    steps: ['apps.open', 'apps.desktop.safari.install', 'apps.desktop.safari.pin'],
  },
  {
    id: 'firefox',
    title: 'apps.desktop.firefox',
    steps: ['apps.open', 'apps.desktop.firefox.pin'],
  },
];

export default function DesktopApp({ loaderData: { offered, device: told } }: Route.ComponentProps) {
  const t = useT();
  const { origin } = usePageFrame();
  const device = useDevice(told);
  const macChannel = useMacChannel(device);
  const first: Channel | undefined = {
    windows: 'windows' as const,
    linux: 'linux' as const,
    mac: macChannel,
  }[device.platform as 'windows' | 'linux' | 'mac'];
  return (
    <AppPage
      path="/desktop-app"
      title={t('apps.desktop.title')}
      lead={t('apps.desktop.lead')}
      offers={offered}
      first={first}
      none={{ title: t('apps.desktop.none'), text: t('apps.desktop.noneText') }}
      isPhone={device.isPhone}
      below={
        offered.some(({ channel }) => channel.startsWith('mac_')) && (
          <p className="mt-4 max-w-[44em] text-13 text-ink-2">{t('apps.desktop.whichMac')}</p>
        )
      }
    >
      <AppSection title={t('apps.desktop.folder')} text={t('apps.desktop.folderText')}>
        <CopyLine text={`${origin}/dav/`} label={t('apps.drive.address')} />
        <Guides guides={AS_FOLDER} own={device.platform} />
        <div className="mt-5">
          <Button href="/drive/account/apps">{t('apps.drive.makePassword')}</Button>
        </div>
      </AppSection>
      <AppSection title={t('apps.desktop.window')} text={t('apps.desktop.windowText')}>
        <Guides guides={AS_WINDOW} own={device.isPhone ? '' : device.browser} />
      </AppSection>
      <AppSection title={t('apps.desktop.rclone')} text={t('apps.desktop.rcloneText')}>
        <CopyLine text={rclone(origin)} label={t('apps.desktop.rclone')} />
      </AppSection>
    </AppPage>
  );
}

const rclone = (origin: string): string =>
  `rclone config create drive webdav url=${origin}/dav vendor=owncloud user=you@example.org pass=APP-PASSWORD --obscure`;

interface AgentData {
  readonly platform: string;
  getHighEntropyValues(hints: readonly string[]): Promise<{ architecture?: string }>;
}

/**
 * Returns the channel for the visitor's Mac. Every Mac identifies as Intel in its user agent; only some
 * browsers report the real architecture on request.
 */
function useMacChannel({ platform }: Device): Channel {
  const [isIntel, setIntel] = useState(false);
  useEffect(() => {
    const { userAgentData } = navigator as Navigator & { userAgentData?: AgentData };
    if (platform !== 'mac' || userAgentData?.platform !== 'macOS') return;
    void userAgentData
      .getHighEntropyValues(['architecture'])
      .then(({ architecture }) => setIntel(architecture === 'x86'))
      .catch(() => undefined);
  }, [platform]);
  return isIntel ? 'mac_x64' : 'mac_arm64';
}
