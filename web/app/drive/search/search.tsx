import { useRef } from 'react';
import { FolderOpen } from 'lucide-react';
import { useNavigate, useSearchParams } from 'react-router';
import type { File, SearchHit } from '@bowerbird/contract';
import { useCall, call as browserCall } from '#app/api/client.ts';
import { pageServices } from '#app/api/page-services.ts';
import { queryClient } from '#app/api/query.ts';
import { useViewer } from '#app/api/viewer.ts';
import { browserTimeZone, knownTimeZone } from '#app/i18n/format.ts';
import { useLocalePath } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import {
  firstPaintMode,
  isFolder,
  isSelected,
  marksOf,
  singleId,
  useAskedDisplay,
  useDisplayMode,
  useEntries,
  useHitColumns,
  ViewToggle,
  type Dragged,
  type ExplorerHandle,
  type HitPlace,
  type Selection,
} from '#app/node/index.ts';
import { useBusyTitle } from '#app/offline/index.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { MenuItem, MenuSeparator } from '#app/ui/menu/menu.tsx';
import type { Route } from './+types/search';
import { folderHref, prefetchEntries, soon } from '../drive-data.ts';
import { FileMenuItems } from '../file-menu.tsx';
import { useDriveKeys } from '../key-help.tsx';
import { ListingView, useListing } from '../listing.tsx';
import { SelectButton } from '../select-button.tsx';
import { TopBar } from '../top-bar.tsx';
import { FilterChips } from './filter-chips.tsx';
import { LiveSearch } from './live-search.tsx';
import { rememberSearch } from './recent-searches.ts';
import { placeHref, searchHref, searchIn, type Search } from './search-address.ts';
import { isAsked, searchEntries } from './search-data.ts';
import { NothingFound, SearchStart } from './search-states.tsx';

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const { call, cookies } = context.get(pageServices);
  const search = searchIn(url.searchParams);
  const timeZone = (): string => knownTimeZone(cookies['pp_time_zone']) ?? 'UTC';
  return {
    mode: firstPaintMode(request.headers.get('cookie'), 'global'),
    search,
    first: await searchEntries(call, search, { place: 'drive', timeZone }).load(
      '',
      new AbortController().signal,
    ),
  };
}

export async function clientLoader({ request, url }: Route.ClientLoaderArgs) {
  const client = queryClient();
  const search = searchIn(url.searchParams);
  const source = searchEntries(browserCall, search, { place: 'drive', timeZone: browserTimeZone });
  // Somebody who types on doesn't wait for the results of what was typed before.
  request.signal.addEventListener(
    'abort',
    () => void client.cancelQueries({ queryKey: source.key, exact: true }),
  );
  await soon(prefetchEntries(client, source));
  return { mode: firstPaintMode(document.cookie, 'global'), search, first: undefined };
}

/** Results of a search in the drive, and the field that changes it. */
export default function SearchPage({ loaderData }: Route.ComponentProps) {
  const t = useT();
  const call = useCall();
  const navigate = useNavigate();
  const path = useLocalePath();
  const user = useViewer()?.sub ?? '';
  const [query] = useSearchParams();
  const search = searchIn(query);
  const isStart = !isAsked(search);
  const explorer = useRef<ExplorerHandle>(null);
  const mode = useDisplayMode({ scope: 'global', initial: loaderData.mode });
  const isFirstPaint = loaderData.first !== undefined && searchHref(loaderData.search) === searchHref(search);
  const entries = useEntries({
    ...searchEntries(call, search, { place: 'drive', timeZone: browserTimeZone }),
    ...(isFirstPaint ? { initial: loaderData.first } : {}),
  });
  const openFolder = (id: string): void => {
    rememberSearch(user, search.text);
    void navigate(path(folderHref(id)));
  };
  const key = searchHref(search);
  const listing = useListing({
    key,
    entries,
    mode,
    folderId: undefined,
    openFolder: ({ id }) => openFolder(id),
  });
  const { selecting, work } = listing;
  const { columns, place: hintOf } = useHitColumns(t('drive.files'), inFolder);
  useDriveKeys();
  useAskedDisplay(({ viewType }) => viewType && mode.setView(viewType));

  const go = (next: Search, replace: boolean): void => {
    // The next results are loaded from their start, wherever these were scrolled to.
    entries.want({ from: 0, to: 0 });
    void navigate(path(searchHref(next)), { replace, preventScrollReset: true });
  };
  const place = (selection: Selection): File | undefined => {
    const id = singleId(selection);
    return id === undefined ? undefined : entries.fileOf(id);
  };
  const dropInto = (to: string, { ids: idsOf, placeOf }: Dragged, copy: boolean): void =>
    void idsOf().then((ids) => {
      selecting.clear();
      return copy ? work.operations.copy(ids, to) : work.operations.move(ids, placeOf, to);
    });

  return (
    <>
      <PageTitle
        title={useBusyTitle(isStart ? t('search.label') : t('search.title', { query: search.text }))}
        noIndex
      />
      <TopBar
        search={null}
        tools={
          <>
            <SelectButton selecting={selecting} isEmpty={entries.count === 0} />
            <ViewToggle
              view={mode.viewType}
              views={['list', 'grid'] as const}
              onView={(view) => mode.setView(view)}
            />
          </>
        }
      >
        <h1 className="sr-only">{t('search.label')}</h1>
        <LiveSearch
          label={t('search.drive')}
          text={search.text}
          takesFocus={isStart}
          onText={(text) => go({ ...search, text }, true)}
          onDone={(text) => rememberSearch(user, text)}
          onLeave={() => explorer.current?.focus()}
          className="max-w-160"
        />
      </TopBar>
      <FilterChips search={search} onSearch={(next) => go(next, false)} />
      <ListingView
        listing={listing}
        home="/drive/search"
        label={t('search.results')}
        placeKey={key}
        handle={explorer}
        columns={columns}
        marksOf={marksOf}
        tileHint={hintOf}
        hrefOf={(file) =>
          path(
            isFolder(file)
              ? folderHref(file.id)
              : `${folderHref(file.parent_id)}?open_file=${encodeURIComponent(file.id)}`,
          )
        }
        keyActions={{ cut: (selection) => work.hold(selection, true) }}
        menu={(selection) => {
          const file = place(selection);
          return (
            <>
              {file && (
                <>
                  <MenuItem icon={<FolderOpen />} href={placeHref(file)}>
                    {t('search.showInFolder')}
                  </MenuItem>
                  <MenuSeparator />
                </>
              )}
              <FileMenuItems actions={work.actionsFor(selection)} isStarred={work.allStarred(selection)} />
            </>
          );
        }}
        drag={{
          folderId: undefined,
          canDropInto: (folder) => isFolder(folder) && !isSelected(selecting.selection, folder.id),
          onDrop: dropInto,
          onSpring: openFolder,
        }}
        empty={
          isStart ? (
            <SearchStart user={user} />
          ) : (
            <NothingFound search={search} onSearch={(next) => go(next, false)} />
          )
        }
      />
    </>
  );
}

const inFolder = (hit: SearchHit): HitPlace => ({ href: placeHref(hit), path: hit.path });
