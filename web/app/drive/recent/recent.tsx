import { useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Eraser, FolderOpen, ListX } from 'lucide-react';
import type { File } from '@bowerbird/contract';
import { useCall, call as browserCall } from '#app/api/client.ts';
import { pageServices } from '#app/api/page-services.ts';
import { queryClient } from '#app/api/query.ts';
import { deviceOf } from '#app/browser/platform.ts';
import { useLocalePath } from '#app/i18n/locale.tsx';
import { useIsBrowser } from '#app/i18n/page-frame.tsx';
import { useT } from '#app/i18n/t.ts';
import {
  DEFAULT_DISPLAY_MODE,
  singleId,
  useDisplayMode,
  useEntries,
  type Selection,
} from '#app/node/index.ts';
import { useBusyTitle } from '#app/offline/index.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Button } from '#app/ui/button.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { MenuItem, MenuSeparator } from '#app/ui/menu/menu.tsx';
import { isPhoneScreen, useIsPhone } from '#app/ui/use-is-phone.ts';
import { folderHref, LISTINGS, prefetchEntries, soon } from '../drive-data.ts';
import { FileMenuItems } from '../file-menu.tsx';
import { useDriveKeys } from '../key-help.tsx';
import { ListingView, useListing } from '../listing.tsx';
import { NewMenu } from '../new-menu.tsx';
import { NewFolderDialog } from '../new-folder-dialog.tsx';
import { placeHref } from '../search/search-address.ts';
import { SelectButton } from '../select-button.tsx';
import { PlaceTitle, TopBar } from '../top-bar.tsx';
import type { Route } from './+types/recent';
import { ContinueWatching } from './continue-watching.tsx';
import { FilterChips, recentHref } from './filter-chips.tsx';
import { loadPhoneHome, PhoneHome } from './phone-home.tsx';
import { continueQuery, filterOf, recentEntries, starredQuery } from './recent-data.ts';
import { useRecentColumns } from './recent-columns.tsx';
import { useDays } from './use-days.ts';
import { useRecentActions } from './use-recent-actions.tsx';

export async function loader({ url, request, context }: Route.LoaderArgs) {
  const { call } = context.get(pageServices);
  const filter = filterOf(url.searchParams);
  const isHome = !filter.kind && !filter.types;
  const { isPhone } = deviceOf(request.headers);
  const [first, begun, home] = await Promise.all([
    recentEntries(call, filter).load('', request.signal),
    isHome ? continueQuery(call).queryFn(request) : undefined,
    isHome && isPhone ? loadPhoneHome(call, request.signal) : undefined,
  ]);
  return { first, begun, home, isPhone };
}

export async function clientLoader({ url }: Route.ClientLoaderArgs) {
  const client = queryClient();
  const filter = filterOf(url.searchParams);
  await soon(
    Promise.all([
      prefetchEntries(client, recentEntries(browserCall, filter)),
      client.ensureQueryData(continueQuery(browserCall)),
      isPhoneScreen() && client.ensureQueryData(starredQuery(browserCall)),
    ]),
  );
  return { first: undefined, begun: undefined, home: undefined, isPhone: false };
}

/** Page of the member's files by their latest events; on phones it is the home of the drive. */
export default function Recent({ loaderData }: Route.ComponentProps) {
  const t = useT();
  const call = useCall();
  const navigate = useNavigate();
  const path = useLocalePath();
  const [query] = useSearchParams();
  const filter = filterOf(query);
  const isHome = !filter.kind && !filter.types;
  const mode = useDisplayMode({ scope: 'global', initial: { ...DEFAULT_DISPLAY_MODE, viewType: 'list' } });
  const isNarrow = useIsPhone();
  // The first paint equals the server's.
  const isPhone = useIsBrowser() ? isNarrow : loaderData.isPhone;
  const entries = useEntries({
    ...recentEntries(call, filter),
    ...(loaderData.first ? { initial: loaderData.first } : {}),
  });
  const begun = useQuery({
    ...continueQuery(call),
    ...(loaderData.begun ? { initialData: loaderData.begun } : {}),
  });
  const listing = useListing({
    key: `recent ${recentHref(filter)}`,
    entries,
    mode: { ...mode, viewType: 'list' },
    folderId: undefined,
    openFolder: ({ id }) => void navigate(path(folderHref(id))),
  });
  const { selecting, work, open } = listing;
  const actions = useRecentActions(listing, filter);
  const columns = useRecentColumns();
  const groupOf = useDays();
  const [isNaming, setNaming] = useState(false);
  const home = { id: '', name: t('drive.files') };
  useDriveKeys({ onNewFolder: () => setNaming(true), target: home });

  const place = (selection: Selection): string | undefined => {
    const id = singleId(selection);
    const file = id === undefined ? undefined : entries.fileOf(id);
    return file && placeHref(file);
  };
  useRefreshAfterPreview(listing.preview.id !== undefined);
  const openContinued = (file: File): void => listing.preview.open(file.id);
  const continued = begun.data ?? [];

  return (
    <>
      <PageTitle title={useBusyTitle(t('drive.recent'))} noIndex />
      <TopBar
        tools={
          <>
            {isPhone && (
              <NewMenu
                target={home}
                texts={work.texts}
                onNewFolder={() => setNaming(true)}
                isHidden={selecting.isActive}
                source="home_recent"
              />
            )}
            <SelectButton selecting={selecting} isEmpty={entries.count === 0} />
            {!filter.types && entries.count > 0 && (
              <IconButton label={t('drive.recent.clear')} icon={<Eraser />} onClick={actions.askClear} />
            )}
          </>
        }
      >
        <PlaceTitle>{t('drive.recent')}</PlaceTitle>
      </TopBar>
      <FilterChips filter={filter} />
      <ListingView
        listing={listing}
        home={recentHref(filter)}
        label={t('drive.recent')}
        placeKey={`recent ${recentHref(filter)}`}
        columns={columns}
        groupOf={groupOf}
        keyActions={{ 'toggle-view': () => false }}
        menu={(selection) => (
          <>
            {place(selection) !== undefined && (
              <>
                <MenuItem icon={<FolderOpen />} href={place(selection)!}>
                  {t('search.showInFolder')}
                </MenuItem>
                <MenuSeparator />
              </>
            )}
            <FileMenuItems actions={work.actionsFor(selection)} isStarred={work.allStarred(selection)} />
            <MenuSeparator />
            <MenuItem icon={<ListX />} onAction={() => actions.remove(selection)}>
              {t('drive.recent.remove')}
            </MenuItem>
          </>
        )}
        barActions={(usual) => [
          ...usual.slice(0, 3),
          {
            id: 'forget',
            label: t('drive.recent.remove'),
            icon: <ListX />,
            run: () => actions.remove(selecting.selection),
          },
          ...usual.slice(3),
        ]}
        lead={
          isHome ? (
            <div className="[--inset:24px] max-md:[--inset:16px]">
              <ContinueWatching files={continued} onOpen={openContinued} onRemove={actions.removePlay} />
              {isPhone && <PhoneHome initial={loaderData.home} onOpen={open} />}
            </div>
          ) : undefined
        }
        empty={
          isHome ? (
            <EmptyState title={t('drive.recent.empty.title')} text={t('drive.recent.empty.text')} />
          ) : (
            <EmptyState
              title={t('drive.recent.none.title')}
              text={t('drive.recent.none.text')}
              actions={
                <Button onClick={() => void navigate(path('/drive/recent'), { replace: true })}>
                  {t('drive.recent.all')}
                </Button>
              }
            />
          )
        }
      />
      {actions.dialog}
      {isNaming && (
        <NewFolderDialog
          parent=""
          operations={work.operations}
          onMade={(id) => void navigate(path(folderHref(id)))}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  );
}

const SETTLED_AFTER_MS = 500;

/** Refreshes the lists once a preview was closed: the file was opened or played just now. */
function useRefreshAfterPreview(isOpen: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!isOpen) return undefined;
    return () => {
      setTimeout(() => {
        for (const list of ['recent', 'continue'])
          void client.invalidateQueries({ queryKey: [...LISTINGS, list] });
      }, SETTLED_AFTER_MS);
    };
  }, [isOpen, client]);
}
