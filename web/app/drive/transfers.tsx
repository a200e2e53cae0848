import { Plus, Rss } from 'lucide-react';
import { pageServices } from '#app/api/page-services.ts';
import { useT } from '#app/i18n/t.ts';
import {
  loadCounts,
  loadPage,
  TABS,
  Transfers,
  useBusyTitle,
  useOffline,
  type Tab,
} from '#app/offline/index.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { Button } from '#app/ui/button.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import type { Route } from './+types/transfers';
import { useDriveFrame } from './drive-frame.tsx';
import { useDriveKeys } from './key-help.tsx';
import { PlaceTitle, TopBar } from './top-bar.tsx';

const SUBSCRIPTIONS = '/drive/transfers/subscriptions';

const tabOf = (url: URL): Tab => TABS.find((tab) => tab === url.searchParams.get('tab')) ?? 'running';

export async function loader({ url, context }: Route.LoaderArgs) {
  const { call } = context.get(pageServices);
  const tab = tabOf(url);
  const [page, counts] = await Promise.all([loadPage(call, tab, ''), loadCounts(call)]);
  return { first: { tab, page, counts } };
}

export function clientLoader() {
  return { first: undefined };
}

/** Transfers: cloud downloads of the member. */
export default function TransfersPage({ loaderData }: Route.ComponentProps) {
  const t = useT();
  const { openStorage } = useDriveFrame();
  const { addLinks } = useOffline();
  const title = useBusyTitle(t('drive.transfers'));
  useDriveKeys();
  return (
    <>
      <PageTitle title={title} noIndex />
      <TopBar>
        <PlaceTitle>{t('drive.transfers')}</PlaceTitle>
        <span className="mr-2 ml-auto flex gap-2 max-md:hidden">
          <Button href={SUBSCRIPTIONS} icon={<Rss />}>
            {t('subscription.title')}
          </Button>
          <Button variant="primary" icon={<Plus />} onClick={() => addLinks()}>
            {t('drive.new.links')}
          </Button>
        </span>
        <span className="ml-auto md:hidden">
          <IconButton label={t('subscription.title')} icon={<Rss />} href={SUBSCRIPTIONS} size="l" />
        </span>
      </TopBar>
      <Transfers first={loaderData.first} onFreeSpace={openStorage} />
    </>
  );
}
