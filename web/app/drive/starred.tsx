import { useNavigate } from 'react-router';
import { useCall, call as browserCall } from '#app/api/client.ts';
import { pageServices } from '#app/api/page-services.ts';
import { queryClient } from '#app/api/query.ts';
import { useLocalePath } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { firstPaintMode, useAskedDisplay, useDisplayMode, useEntries, ViewToggle } from '#app/node/index.ts';
import { useBusyTitle } from '#app/offline/index.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import type { Route } from './+types/starred';
import { folderHref, NAME_ORDER, prefetchEntries, soon, starredEntries } from './drive-data.ts';
import { useDriveKeys } from './key-help.tsx';
import { ListingView, useListing } from './listing.tsx';
import { SelectButton } from './select-button.tsx';
import { PlaceTitle, TopBar } from './top-bar.tsx';

/** Starred entries come from all folders; the last starred one comes first. */
const MODE = { order: NAME_ORDER, pinFoldersTop: false };

export async function loader({ request, context }: Route.LoaderArgs) {
  const { call } = context.get(pageServices);
  return {
    mode: firstPaintMode(request.headers.get('cookie'), 'global'),
    first: await starredEntries(call, MODE).load('', new AbortController().signal),
  };
}

export async function clientLoader() {
  await soon(prefetchEntries(queryClient(), starredEntries(browserCall, MODE)));
  return { mode: firstPaintMode(document.cookie, 'global'), first: undefined };
}

export default function Starred({ loaderData }: Route.ComponentProps) {
  const t = useT();
  const call = useCall();
  const navigate = useNavigate();
  const path = useLocalePath();
  const mode = useDisplayMode({ scope: 'global', initial: loaderData.mode });
  const entries = useEntries({
    ...starredEntries(call, MODE),
    ...(loaderData.first ? { initial: loaderData.first } : {}),
  });
  const listing = useListing({
    key: 'starred',
    entries,
    mode,
    folderId: undefined,
    openFolder: ({ id }) => void navigate(path(folderHref(id))),
  });
  useDriveKeys();
  useAskedDisplay(({ viewType }) => viewType && mode.setView(viewType));

  return (
    <>
      <PageTitle title={useBusyTitle(t('drive.starred'))} noIndex />
      <TopBar
        tools={
          <>
            <SelectButton selecting={listing.selecting} isEmpty={entries.count === 0} />
            <ViewToggle
              view={mode.viewType}
              views={['list', 'grid'] as const}
              onView={(view) => mode.setView(view)}
            />
          </>
        }
      >
        <PlaceTitle>{t('drive.starred')}</PlaceTitle>
      </TopBar>
      <ListingView
        listing={listing}
        home="/drive/starred"
        label={t('drive.starred')}
        placeKey="starred"
        empty={<EmptyState title={t('drive.starredEmpty.title')} text={t('drive.starredEmpty.text')} />}
      />
    </>
  );
}
