import { useEffect, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { CopyCheck, Download, FolderDown, Search, X } from 'lucide-react';
import { useNavigate } from 'react-router';
import { shareApi, type File } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { QueryScope } from '#app/api/query-scope.tsx';
import { useT } from '#app/i18n/t.ts';
import {
  Breadcrumb,
  Explorer,
  isFolder,
  marksOf,
  only,
  otherView,
  Preview,
  SelectionBar,
  singleId,
  SortMenu,
  useAskedDisplay,
  useDisplayMode,
  useEntries,
  useOpenFile,
  useSelecting,
  ViewToggle,
  type DisplayMode,
  type EntriesSource,
  type ExplorerView,
  type Selection,
} from '#app/node/index.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { Button } from '#app/ui/button.tsx';
import { cx } from '#app/ui/class-names.ts';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { MenuItem } from '#app/ui/menu/menu.tsx';
import { useIsBrowser } from '#app/i18n/page-frame.tsx';
import { Readme, readmeOf } from './readme.tsx';
import { loadShareFile, pageQuery, type OpenShare, type ShareListing } from './share-data.ts';
import { folderPath, wayOf } from './share-paths.ts';
import {
  hitPath,
  searchSource,
  ShareSearchField,
  useShareHitColumns,
  useShareSearch,
} from './share-search.tsx';
import { entriesKey, rememberListing } from './walk-share.ts';

interface ShareFilesProps {
  readonly share: OpenShare;
  readonly listing: ShareListing;
  readonly mode: DisplayMode;
  /** Undefined if saving makes no sense: the share is the viewer's own. */
  readonly onSave: ((ids: readonly string[], count: number) => void) | undefined;
  readonly onDownload: (ids: readonly string[], file?: File) => void;
}

/** Files of a share: a folder to view, navigate, and download or save from. */
export default function ShareFiles(props: ShareFilesProps) {
  return (
    <QueryScope>
      <Folder {...props} />
    </QueryScope>
  );
}

function Folder({ share, listing, mode: initialMode, onSave, onDownload }: ShareFilesProps) {
  const t = useT();
  const navigate = useNavigate();
  const textOf = useErrorText();
  const isBrowser = useIsBrowser();
  const { folderId } = listing;
  const mode = useDisplayMode({ scope: 'shared', initial: initialMode });
  useAskedDisplay(mode.change);
  const [isFlow, setFlow] = useState(false);
  const view: ExplorerView = isFlow ? 'flow' : mode.viewType;
  const call = useCall();
  const { load, source } = useShareEntries(share, listing, mode, initialMode);
  const search = useShareSearch();
  const isSearch = search.text !== '';
  const entries = useEntries(isSearch ? searchSource(call, share, search.text) : source);
  const selecting = useSelecting(entries, `${folderId} ${search.text}`);
  const hits = useShareHitColumns(share);
  const preview = useOpenFile();
  const readme = isSearch ? undefined : readmeOf(listing.first.files);

  const hrefOf = (id: string): string => {
    const hit = isSearch ? entries.fileOf(id) : undefined;
    return hit ? hitPath(share, { path: [], ...hit }, true) : folderPath(share, listing, id);
  };
  const goTo = (id: string): void => void navigate(hrefOf(id));
  const crumbs = [
    { id: share.entrance, name: share.opening.title, href: hrefOf(share.entrance) },
    ...wayOf(share, listing).map(({ id, name }) => ({ id, name, href: hrefOf(id) })),
  ];
  const parent = crumbs.at(-2);

  const saveSelected = (selection: Selection): void =>
    void entries.idsOf(selection).then((ids) => onSave?.(ids, ids.length));
  const downloadSelected = (selection: Selection): void => {
    const id = singleId(selection);
    void entries
      .idsOf(selection)
      .then((ids) => onDownload(ids, id === undefined ? undefined : entries.fileOf(id)));
  };

  return (
    <>
      {(parent || entries.count > 0 || search.isOpen) && (
        <div className="mt-5 mb-2 flex min-h-11 items-center gap-1 max-md:mt-3">
          <div className="flex min-w-0 flex-1">
            {search.isOpen ? (
              <ShareSearchField search={search} />
            ) : (
              parent && <Breadcrumb crumbs={crumbs} className="-ms-1.5 max-md:ms-0" />
            )}
          </div>
          {(entries.count > 0 || search.isOpen) && (
            <div className="flex items-center gap-1 noscript:hidden">
              <IconButton
                label={search.isOpen ? t('ui.close') : t('share.search')}
                icon={search.isOpen ? <X /> : <Search />}
                onClick={search.isOpen ? search.close : search.open}
              />
              <IconButton
                label={t('share.select')}
                icon={<CopyCheck />}
                onClick={selecting.begin}
                className="pointer-fine:hidden"
              />
              {!isSearch && (
                <SortMenu
                  order={mode.order}
                  onSort={mode.setOrder}
                  pinFoldersTop={mode.pinFoldersTop}
                  onPinFoldersTop={mode.setPinFoldersTop}
                />
              )}
              <ViewToggle
                view={view}
                views={['list', 'grid', 'flow'] as const}
                onView={(next) => {
                  setFlow(next === 'flow');
                  if (next !== 'flow') mode.setView(next);
                }}
              />
            </div>
          )}
        </div>
      )}
      <div
        className={cx(
          // Without scripts, nothing can be selected and no menu opens.
          'noscript:[&_[data-part=check]]:hidden noscript:[&_[data-part=menu]]:hidden',
          view === 'list' &&
            entries.count > 0 &&
            'overflow-clip rounded-card border border-line bg-card [--explorer-ground:var(--card)] [&_[role=rowgroup]]:-mb-px',
        )}
      >
        <Explorer
          label={crumbs.at(-1)!.name}
          entries={entries}
          selecting={selecting}
          view={view}
          scroll="page"
          placeKey={`share:${share.id}:${folderId}:${search.text}`}
          canStar={false}
          onOpen={(entry) => (isFolder(entry) ? goTo(entry.id) : preview.open(entry.id))}
          hrefOf={(entry) =>
            isFolder(entry) ? hrefOf(entry.id) : `${hrefOf(folderId)}?open_file=${entry.id}`
          }
          columns={isSearch ? hits.columns : undefined}
          marksOf={marksOf}
          tileHint={isSearch ? hits.place : undefined}
          onParent={parent ? () => goTo(parent.id) : undefined}
          onAction={(action, selection) => {
            if (action === 'toggle-view') return mode.setView(otherView(mode.viewType));
            if (action === 'download') return downloadSelected(selection);
            return false;
          }}
          {...(isSearch ? {} : { order: mode.order, onSort: mode.setOrder })}
          menu={(selection) => (
            <>
              <MenuItem icon={<Download />} onAction={() => downloadSelected(selection)}>
                {t('share.download')}
              </MenuItem>
              {onSave && (
                <MenuItem icon={<FolderDown />} onAction={() => saveSelected(selection)}>
                  {t('share.save')}
                </MenuItem>
              )}
            </>
          )}
          empty={
            <EmptyState
              title={isSearch ? t('search.none.title', { query: shownName(search.text) }) : t('share.empty')}
            />
          }
          failed={(failure, retry) => (
            <EmptyState
              title={t('share.failed')}
              text={textOf(failure)}
              actions={<Button onClick={retry}>{t('ui.retry')}</Button>}
            />
          )}
        />
      </div>
      {isBrowser && readme && <Readme file={readme} load={load} />}
      <SelectionBar
        selecting={selecting}
        total={entries.total}
        actions={[
          ...(onSave
            ? [
                {
                  id: 'save',
                  label: t('share.save'),
                  icon: <FolderDown />,
                  run: () => saveSelected(selecting.selection),
                },
              ]
            : []),
          {
            id: 'download',
            label: t('share.download'),
            icon: <Download />,
            run: () => downloadSelected(selecting.selection),
          },
        ]}
      />
      {isBrowser && preview.id !== undefined && (
        <Preview
          id={preview.id}
          entries={entries}
          load={load}
          onTurn={preview.turnTo}
          onClose={preview.close}
          actions={(opened) =>
            onSave && (
              <IconButton
                label={t('share.save')}
                icon={<FolderDown />}
                onClick={() => saveSelected(only(opened))}
              />
            )
          }
        />
      )}
    </>
  );
}

/** Source of the rows. The server's listing is the first page, as long as it has the requested order. */
function useShareEntries(
  { id, opening: { pass_code_token: token } }: OpenShare,
  listing: ShareListing,
  mode: DisplayMode,
  initialMode: DisplayMode,
): { load: (id: string) => Promise<File>; source: EntriesSource } {
  const call = useCall();
  const client = useQueryClient();
  const { folderId, first } = listing;
  useEffect(() => rememberListing(client, id, listing, initialMode), [client, id, listing, initialMode]);
  const isFirstPaint = mode.order === initialMode.order && mode.pinFoldersTop === initialMode.pinFoldersTop;
  return {
    load: (fileId) => loadShareFile(call, id, token, fileId),
    source: {
      key: entriesKey(id, folderId, mode),
      load: (pageToken, signal) =>
        call(
          shareApi.detail,
          {
            query: {
              share_id: id,
              pass_code_token: token,
              parent_id: folderId,
              ...pageQuery(mode, pageToken),
            },
          },
          { signal },
        ),
      ...(isFirstPaint ? { initial: first } : {}),
    },
  };
}
