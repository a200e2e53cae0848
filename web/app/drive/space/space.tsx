import { useCallback, useRef } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FolderOpen } from 'lucide-react';
import { useNavigate } from 'react-router';
import { driveApi, isApiFailure, type File } from '@bowerbird/contract';
import { useCall, call as browserCall } from '#app/api/client.ts';
import { pageNotFound } from '#app/api/page-not-found.ts';
import { pageServices } from '#app/api/page-services.ts';
import { queryClient } from '#app/api/query.ts';
import { useFormat } from '#app/i18n/format.ts';
import { useLocalePath } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import {
  isFolder,
  only,
  singleId,
  useDisplayMode,
  useEntries,
  type ExplorerHandle,
  type Selection,
} from '#app/node/index.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { MenuItem, MenuSeparator } from '#app/ui/menu/menu.tsx';
import { Tabs } from '#app/ui/tabs.tsx';
import { pathQuery, prefetchEntries, soon, type FolderPath } from '../drive-data.ts';
import { FileMenuItems } from '../file-menu.tsx';
import { useDriveKeys } from '../key-help.tsx';
import { ListingView, useListing } from '../listing.tsx';
import { placeHref } from '../search/search-address.ts';
import { SelectButton } from '../select-button.tsx';
import { PlaceTitle, TopBar } from '../top-bar.tsx';
import type { Route } from './+types/space';
import { shownIn, spaceEntries, spaceHref, sumsKey, VIEWS, type Shown, type Sums } from './space-data.ts';
import { SpaceSummary } from './space-summary.tsx';
import { useSpaceColumns } from './use-space-columns.tsx';

export async function loader({ url, context }: Route.LoaderArgs) {
  const { call } = context.get(pageServices);
  const shown = shownIn(url);
  let sums: Sums | undefined;
  try {
    const [first, path] = await Promise.all([
      spaceEntries(call, shown, (told) => (sums = told)).load('', new AbortController().signal),
      pathQuery(call, shown.folderId).queryFn(),
    ]);
    return { shown, first, path, sums };
  } catch (error) {
    throw isApiFailure(error) && error.status === 404 ? pageNotFound(url.pathname) : error;
  }
}

export async function clientLoader({ url }: Route.ClientLoaderArgs) {
  const shown = shownIn(url);
  const client = queryClient();
  const failure = await soon(
    Promise.all([
      client.ensureQueryData(pathQuery(browserCall, shown.folderId)),
      prefetchEntries(
        client,
        spaceEntries(browserCall, shown, (sums) => client.setQueryData(sumsKey(shown.view), sums)),
      ),
    ]),
  );
  if (isApiFailure(failure) && failure.status === 404) throw pageNotFound(url.pathname);
  return {
    shown,
    first: undefined,
    path: client.getQueryData<FolderPath>(pathQuery(browserCall, shown.folderId).queryKey),
    sums: client.getQueryData<Sums>(sumsKey(shown.view)),
  };
}

/** Everything in the drive by size, and lists of what could be tidied up. */
export default function SpacePage({ loaderData }: Route.ComponentProps) {
  return <Space key={spaceHref(loaderData.shown)} shown={loaderData.shown} loaded={loaderData} />;
}

function Space({ shown, loaded }: { shown: Shown; loaded: Route.ComponentProps['loaderData'] }) {
  const t = useT();
  const call = useCall();
  const client = useQueryClient();
  const navigate = useNavigate();
  const path = useLocalePath();
  const mode = useDisplayMode({ scope: 'global' });
  const { view, folderId } = shown;
  const entries = useEntries({
    ...spaceEntries(call, shown, (sums) => client.setQueryData(sumsKey(view), sums)),
    ...(loaded.first ? { initial: loaded.first } : {}),
  });
  const sums = useQuery<Sums>({
    queryKey: sumsKey(view),
    enabled: false,
    queryFn: () => Promise.reject(new Error('the list sets it')),
    ...(loaded.sums ? { initialData: loaded.sums } : {}),
  });
  const whole = useQuery({
    queryKey: ['files', 'space', 'whole', folderId],
    queryFn: () => wholeOf(call, folderId),
    enabled: view === 'folders',
  });
  const way = useQuery({
    ...pathQuery(call, folderId),
    ...(loaded.path ? { initialData: loaded.path } : {}),
  });
  const ancestors = (way.data?.ancestors ?? []).filter(({ id }) => id !== '');
  const hrefOf = (file: File): string =>
    isFolder(file) && view === 'folders'
      ? spaceHref({ view, folderId: file.id })
      : isFolder(file)
        ? `/drive/all/${file.id}`
        : `${spaceHref(shown)}${spaceHref(shown).includes('?') ? '&' : '?'}open_file=${file.id}`;
  const listing = useListing({
    key: spaceHref(shown),
    entries,
    mode,
    folderId: view === 'folders' ? folderId : undefined,
    openFolder: (folder) => void navigate(path(hrefOf(folder))),
  });
  const explorer = useRef<ExplorerHandle>(null);
  const columns = useSpaceColumns(view, whole.data?.bytes);
  const groupOf = useCopies();
  const { work } = listing;
  const menu = (selection: Selection) => {
    const id = singleId(selection);
    const file = id === undefined ? undefined : entries.fileOf(id);
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
  };
  useDriveKeys();
  const title = t('space.title');
  const parent = ancestors.at(-2)?.id ?? '';
  return (
    <>
      <PageTitle title={title} noIndex />
      <TopBar tools={<SelectButton selecting={listing.selecting} isEmpty={entries.count === 0} />}>
        <PlaceTitle>{title}</PlaceTitle>
      </TopBar>
      <Tabs
        className="mx-6 shrink-0 max-md:mx-2"
        label={title}
        tabs={VIEWS.map((id) => ({ id, label: t(`space.view.${id}`) }))}
        selected={view}
        onSelect={(id) => void navigate(path(spaceHref({ view: id, folderId: '' })))}
      />
      <SpaceSummary
        shown={shown}
        ancestors={ancestors}
        whole={whole.data}
        sums={sums.data}
        entries={entries}
        onSelect={(files) => {
          listing.selecting.set(only(...files));
          // Keys act on what was selected.
          explorer.current?.focus();
        }}
      />
      <ListingView
        listing={listing}
        home="/drive/space"
        view="list"
        hrefOf={(file) => path(hrefOf(file))}
        keyActions={{ 'toggle-view': () => false }}
        label={t(`space.view.${view}`)}
        placeKey={`space ${spaceHref(shown)}`}
        handle={explorer}
        columns={columns}
        {...(view === 'duplicates' ? { groupOf } : {})}
        {...(view === 'folders' ? {} : { menu })}
        empty={<EmptyState title={t(`space.none.${view}`)} />}
        {...(folderId === ''
          ? {}
          : { onParent: () => void navigate(path(spaceHref({ view, folderId: parent }))) })}
      />
    </>
  );
}

/** Returns the content of each duplicate, with a heading for its copies. */
function useCopies(): (file: File) => { id: string; label: string } | undefined {
  const t = useT();
  const format = useFormat();
  return useCallback(
    ({ hash, size, params }) => {
      const count = Number(params['copies'] ?? 0);
      return count > 1
        ? { id: `${hash} ${size}`, label: t('space.copies', { count, size: format.bytes(Number(size)) }) }
        : undefined;
    },
    [t, format],
  );
}

/** Sums of a folder, or of everything outside the trash; the drive itself has no numbers of files. */
async function wholeOf(
  call: ReturnType<typeof useCall>,
  folderId: string,
): Promise<{ bytes: number; folder?: File }> {
  if (folderId !== '') {
    const folder = await call(driveApi.get, { params: { id: folderId }, query: {} });
    return { bytes: Number(folder.folder_size ?? 0), folder };
  }
  const { quota } = await call(driveApi.about, { query: {} });
  return { bytes: Math.max(0, Number(quota.usage) - Number(quota.usage_in_trash)) };
}
