import { useEffect, useRef, useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Info, RotateCw } from 'lucide-react';
import { useNavigate } from 'react-router';
import { isApiFailure, type File } from '@bowerbird/contract';
import { useCall, call as browserCall } from '#app/api/client.ts';
import { pageNotFound } from '#app/api/page-not-found.ts';
import { pageServices } from '#app/api/page-services.ts';
import { queryClient } from '#app/api/query.ts';
import { useLocalePath } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import {
  Breadcrumb,
  firstPaintMode,
  isFolder,
  isSelected,
  only,
  SortMenu,
  useAskedDisplay,
  useDisplayMode,
  useEntries,
  ViewToggle,
  type Dragged,
  type ExplorerHandle,
} from '#app/node/index.ts';
import { IconButton } from '#app/ui/icon-button.tsx';
import { PageTitle } from '#app/page/page-title.tsx';
import { toast } from '#app/ui/toast/toast.tsx';
import { useBusyTitle, useOffline } from '#app/offline/index.ts';
import { takeLeftFiles } from '#app/pwa/index.ts';
import { useUploads } from '#app/upload/index.ts';
import type { Route } from './+types/files';
import { clipboard, useClipboard } from './clipboard.ts';
import {
  folderEntries,
  folderHref,
  loadFolder,
  pathQuery,
  prefetchEntries,
  soon,
  type FolderPath,
} from './drive-data.ts';
import { FolderArea } from './folder-area.tsx';
import { useDriveKeys } from './key-help.tsx';
import { ListingView, useListing } from './listing.tsx';
import { NewFolderDialog } from './new-folder-dialog.tsx';
import { NewItems, NewMenu } from './new-menu.tsx';
import { usePageAction } from '#app/embedding/use-page-action.ts';
import { crumbsOf, placeHref } from './people/shared-place.ts';
import { SelectButton } from './select-button.tsx';
import { TopBar } from './top-bar.tsx';
import { usePaste } from './use-paste.ts';
import { EmptyFolder } from './view/empty-folder.tsx';
import { FoldersBeside } from './view/folders-beside.tsx';
import { ListOptions, useColumnsDialog } from './view/list-options.tsx';

export async function loader({ request, url, params, context }: Route.LoaderArgs) {
  const services = context.get(pageServices);
  const folderId = params.folderId ?? '';
  const mode = firstPaintMode(request.headers.get('cookie'), 'global');
  try {
    return { mode, ...(await loadFolder(services.call, folderId, mode)) };
  } catch (error) {
    throw isApiFailure(error) && error.status === 404 ? pageNotFound(url.pathname) : error;
  }
}

/** In the browser the cache answers, or the API; the server renders only the first page. */
export async function clientLoader({ url, params }: Route.ClientLoaderArgs) {
  const folderId = params.folderId ?? '';
  const mode = firstPaintMode(document.cookie, 'global');
  const client = queryClient();
  const failure = await soon(
    Promise.all([
      client.ensureQueryData(pathQuery(browserCall, folderId)),
      prefetchEntries(client, folderEntries(browserCall, folderId, mode)),
    ]),
  );
  if (isApiFailure(failure) && failure.status === 404) throw pageNotFound(url.pathname);
  return {
    mode,
    path: client.getQueryData<FolderPath>(pathQuery(browserCall, folderId).queryKey),
    first: undefined,
  };
}

export default function Files({ params, loaderData }: Route.ComponentProps) {
  return <Folder key={params.folderId ?? ''} folderId={params.folderId ?? ''} loaded={loaderData} />;
}

function Folder({ folderId, loaded }: { folderId: string; loaded: Route.ComponentProps['loaderData'] }) {
  const t = useT();
  const call = useCall();
  const navigate = useNavigate();
  const path = useLocalePath();
  const { pick, take, add } = useUploads();
  const { addLinks } = useOffline();
  const held = useClipboard();
  const mode = useDisplayMode({ scope: 'global', initial: loaded.mode, folderId });
  const source = folderEntries(call, folderId, mode);
  // The server's page fits only the display mode that it was rendered with.
  const isFirstPaint =
    loaded.first !== undefined &&
    mode.order === loaded.mode.order &&
    mode.pinFoldersTop === loaded.mode.pinFoldersTop;
  const entries = useEntries(isFirstPaint ? { ...source, initial: loaded.first } : source);
  const explorer = useRef<ExplorerHandle>(null);
  const [isNaming, setNaming] = useState(false);
  const client = useQueryClient();
  const way = useQuery({
    ...pathQuery(call, folderId),
    ...(loaded.path ? { initialData: loaded.path } : {}),
  });
  const ancestors = (way.data?.ancestors ?? []).filter((ancestor) => ancestor.id !== '');
  const shared = way.data?.shared;
  const isReadOnly = shared !== undefined;
  const crumbs = crumbsOf(t, ancestors, shared !== undefined);
  const here = { id: folderId, name: crumbs.at(-1)!.name };
  const parent = crumbs.at(-2);
  const title = useBusyTitle(here.name);
  const goTo = (id: string): void => void navigate(path(placeHref(id)));
  const openFolder = ({ id, name }: File): void => {
    // The path to a subfolder of this folder is known without a request.
    client.setQueryData<FolderPath>(
      pathQuery(call, id).queryKey,
      (known) => known ?? { ...way.data, ancestors: [...ancestors, { id, name }] },
    );
    goTo(id);
  };
  const listing = useListing({ key: folderId, entries, mode, folderId, role: shared?.role, openFolder });
  const { selecting, details, work } = listing;
  const columns = useColumnsDialog(mode);

  const paste = (): void => {
    if (!held) return;
    if (held.cut) {
      clipboard.hold(undefined);
      void work.operations.move(held.ids, (id) => held.from.get(id) ?? '', folderId);
    } else {
      void work.operations.copy(held.ids, folderId);
    }
  };
  usePaste(here, () => {
    if (!isReadOnly) paste();
    return held !== undefined || isReadOnly;
  });

  // Entries to reveal and select once they are in the list: just created, or requested by the address.
  const [sought, setSought] = useState<readonly string[]>([]);
  useEffect(() => {
    const [first] = sought;
    const row = first === undefined ? undefined : entries.indexOf(first);
    if (row === undefined || !explorer.current) return;
    setSought([]);
    explorer.current.reveal(row);
    selecting.set(only(...sought.map((id) => entries.fileOf(id)).filter((file) => file !== undefined)));
  }, [sought, entries, selecting]);
  const highlight = (ids: readonly string[]): void => {
    setSought(ids);
    if (ids[0] !== undefined) void entries.locate(ids[0]).catch(() => undefined);
  };
  /** Takes over content that another app shared with this one: its files, and its links. */
  const receive = async (links: string): Promise<void> => {
    const files = await takeLeftFiles();
    if (files.length > 0) add(files, here);
    if (links !== '') addLinks({ text: links });
    else if (files.length === 0) toast.show({ text: t('drive.receive.nothing') });
  };
  usePageAction({
    highlight_files: highlight,
    move_files: (ids) => ids.length > 0 && work.askMove(ids),
    create_task: (_, url) => addLinks(folderId === '' ? { text: url } : { text: url, target: here }),
    receive_files: (_, url) => void receive(url),
  });
  useAskedDisplay(mode.change);

  // A folder that sprang open during the drag is not the one that the entries come from.
  const dropInto = (to: string, { ids: idsOf, placeOf }: Dragged, copy: boolean): void =>
    void idsOf().then((ids) => {
      selecting.clear();
      return copy ? work.operations.copy(ids, to) : work.operations.move(ids, placeOf, to);
    });
  const dropFiles = (to: string, data: DataTransfer): void =>
    take(data, {
      id: to,
      name: entries.fileOf(to)?.name ?? crumbs.find((crumb) => crumb.id === to)?.name ?? '',
    });
  const dropping = { onDrop: dropInto, onFiles: dropFiles, onSpring: goTo };
  const drag = {
    folderId,
    ...dropping,
    canDropInto: (folder: File) => isFolder(folder) && !isSelected(selecting.selection, folder.id),
  };
  const newFolder = (): void => setNaming(true);
  const creating = { target: here, texts: work.texts, onNewFolder: newFolder };
  useDriveKeys(isReadOnly ? {} : { onNewFolder: newFolder, target: here });

  return (
    <>
      <PageTitle title={title} noIndex />
      <TopBar
        folder={here}
        tools={
          <>
            {!isReadOnly && <NewMenu {...creating} isHidden={selecting.isActive} />}
            <SortMenu
              isWide
              className="max-md:h-11"
              order={mode.order}
              onSort={mode.setOrder}
              pinFoldersTop={mode.pinFoldersTop}
              onPinFoldersTop={mode.setPinFoldersTop}
              isGlobal={mode.orderSettingGlobal}
              onGlobal={mode.setOrderGlobal}
            />
            <SelectButton selecting={selecting} isEmpty={entries.count === 0} />
            <ViewToggle
              view={mode.viewType}
              views={['list', 'grid'] as const}
              onView={(view) => mode.setView(view)}
              isGlobal={mode.viewSettingGlobal}
              onGlobal={mode.setViewGlobal}
            >
              <ListOptions mode={mode} entries={entries} onColumns={columns.open} />
            </ViewToggle>
            <span className="flex max-md:hidden">
              <IconButton
                label={t('drive.refresh')}
                icon={<RotateCw className={entries.isRefreshing ? 'animate-spin' : undefined} />}
                onClick={() => void entries.refresh()}
              />
              <IconButton
                label={t('drive.menu.details')}
                shortcut="D"
                icon={<Info />}
                aria-pressed={details.isShown}
                onClick={() => details.toggle()}
              />
            </span>
          </>
        }
      >
        <Breadcrumb
          crumbs={crumbs}
          drop={isReadOnly ? undefined : dropping}
          beside={
            shared ? undefined : (above, crumb) => <FoldersBeside parentId={above.id} folderId={crumb.id} />
          }
        />
      </TopBar>
      <ListingView
        listing={listing}
        home={folderHref(folderId)}
        label={here.name}
        placeKey={`folder:${folderId}`}
        keyActions={{
          cut: (selection) => (isReadOnly ? false : work.hold(selection, true)),
          paste: () => (held && !isReadOnly ? paste() : false),
        }}
        frame={(className, children) =>
          isReadOnly ? (
            <div className={className}>{children}</div>
          ) : (
            <FolderArea folder={here} onDrop={dropInto} onFiles={dropFiles} className={className}>
              {children}
            </FolderArea>
          )
        }
        onParent={parent ? () => goTo(parent.id) : undefined}
        order={mode.order}
        onSort={mode.setOrder}
        onColumns={columns.open}
        folderMenu={isReadOnly ? undefined : () => <NewItems {...creating} />}
        handle={explorer}
        dimmed={held?.cut ? new Set(held.ids) : undefined}
        drag={isReadOnly ? undefined : drag}
        empty={
          <EmptyFolder
            isRoot={folderId === ''}
            isReadOnly={isReadOnly}
            onPick={(kind) => pick(kind, here)}
            onLinks={() => addLinks(folderId === '' ? {} : { target: here })}
          />
        }
      />
      {columns.dialog}
      {isNaming && (
        <NewFolderDialog
          parent={folderId}
          operations={work.operations}
          onMade={(id) => highlight([id])}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  );
}
