import { useSearchParams } from 'react-router';
import { pageServices } from '#app/api/page-services.ts';
import { said } from '#app/browser/page-query.ts';
import { useT } from '#app/i18n/t.ts';
import { useBusyTitle } from '#app/offline/index.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { loadOwnShares, OwnShares } from '#app/share/own/index.ts';
import type { Route } from './+types/shares';
import { useDriveKeys } from './key-help.tsx';
import { PlaceTitle, TopBar } from './top-bar.tsx';

export async function loader({ context, url }: Route.LoaderArgs) {
  const shareId = said(url.searchParams, 'share_id');
  return { first: await loadOwnShares(context.get(pageServices).call, shareId) };
}

export function clientLoader() {
  return { first: undefined };
}

/** Own shares: all of them, or the one in the address. */
export default function SharesPage({ loaderData }: Route.ComponentProps) {
  const t = useT();
  const [search] = useSearchParams();
  const title = useBusyTitle(t('drive.shares'));
  useDriveKeys();
  return (
    <>
      <PageTitle title={title} noIndex />
      <TopBar>
        <PlaceTitle>{t('drive.shares')}</PlaceTitle>
      </TopBar>
      <OwnShares shareId={said(search, 'share_id')} first={loaderData.first} />
    </>
  );
}
