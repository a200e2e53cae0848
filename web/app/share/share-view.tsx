import { lazy, Suspense, useState } from 'react';
import { Download, EllipsisVertical, Link2, QrCode, Settings2, FolderDown } from 'lucide-react';
import { useNavigate } from 'react-router';
import { archiveApi, isApiFailure, type File } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { usePageFrame } from '#app/i18n/page-frame.tsx';
import { useT } from '#app/i18n/t.ts';
import {
  Breadcrumb, contentUrl, Explorer, isFolder, only, otherView, Preview, SelectionBar, SinglePreview, SortMenu, useDisplayMode, useEntries, useOpenFile, useSelecting, ViewToggle,
  type DisplayMode, type ExplorerView, type Selection,
} from '#app/node/index.ts';
import { Button } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Mark } from '#app/ui/mark.tsx';
import { Menu, MenuItem, MenuTrigger } from '#app/ui/menu.tsx';
import { toast } from '#app/ui/toast.tsx';
import { copyText } from '#app/ui/copy-text.ts';
import { fetchFile } from '#app/ui/fetch-file.ts';
import { SensitiveCover } from './share-closed.tsx';
import { loadShareFile, shareEntries, type Opening, type ShareListing } from './share-data.ts';
import { ShareHead } from './share-head.tsx';
import { useSaving } from './use-saving.tsx';

const QrDialog = lazy(() => import('./qr-dialog.tsx'));

export interface ShareViewProps {
  readonly shareId: string;
  /** "" is the share's root. */
  readonly folderId: string;
  readonly opening: Opening;
  readonly listing: ShareListing;
  readonly mode: DisplayMode;
  /** With its links: the share's only file, or the one that the address opens. */
  readonly file: File | undefined;
}

/** An open share: what it is, and its files to walk, look at, take along or save. */
export function ShareView(props: ShareViewProps) {
  const isCovered = props.opening.share_status === 'SENSITIVE_RESOURCE' || props.opening.share_status === 'SENSITIVE_WORD';
  if (!isCovered) return <Contents {...props} />;
  return (
    <SensitiveCover shareId={props.shareId}>
      <Contents {...props} />
    </SensitiveCover>
  );
}

function Contents({ shareId, folderId, opening, listing, mode: initialMode, file }: ShareViewProps) {
  const t = useT();
  const call = useCall();
  const navigate = useNavigate();
  const textOf = useErrorText();
  const { origin } = usePageFrame();
  const mode = useDisplayMode({ scope: 'shared', initial: initialMode });
  const [isFlow, setFlow] = useState(false);
  const view: ExplorerView = isFlow ? 'flow' : mode.viewType;
  const token = opening.pass_code_token;
  const source = shareEntries(call, shareId, token, folderId, mode);
  const isFirstPaint = mode.order === initialMode.order && mode.pinFoldersTop === initialMode.pinFoldersTop;
  const entries = useEntries(isFirstPaint ? { ...source, initial: listing.first } : source);
  const selecting = useSelecting(entries, folderId);
  const preview = useOpenFile();
  const saving = useSaving(shareId, opening);
  const [showsQr, setShowsQr] = useState(false);
  const load = (id: string): Promise<File> => loadShareFile(call, shareId, token, id);
  const single = folderId === '' && listing.first.files.length === 1 && !isFolder(listing.first.files[0]!) ? listing.first.files[0] : undefined;

  const hrefOf = (id: string): string => `/s/${shareId}${pathTo(listing, id)}`;
  const goTo = (id: string): void => void navigate(hrefOf(id));
  const crumbs = [{ id: '', name: opening.title, href: `/s/${shareId}` }, ...listing.ancestors.filter(({ id }) => id !== '').map(({ id, name }) => ({ id, name, href: hrefOf(id) }))];
  const parent = crumbs.at(-2);
  const open = (entry: File): void => (isFolder(entry) ? goTo(entry.id) : preview.open(entry.id));

  /** One file by its own link; several, or folders, as one zip. */
  async function download(ids: readonly string[]): Promise<void> {
    try {
      const [id] = ids;
      const known = id === undefined ? undefined : entries.fileOf(id);
      if (ids.length === 1 && known && !isFolder(known)) {
        fetchFile(contentUrl(await load(known.id)) ?? '');
        return;
      }
      const pack = await call(archiveApi.packShare, { body: { share_id: shareId, pass_code_token: token, file_ids: [...ids] } });
      if (pack.url === '') throw new Error('the share closed meanwhile');
      fetchFile(pack.url);
    } catch (error) {
      toast.show({ text: isApiFailure(error) ? textOf(error) : t('share.gone'), tone: 'danger' });
    }
  }
  const wholeIds = async (): Promise<readonly string[]> => (folderId === '' ? [] : [folderId]);
  const downloadSelected = (selection: Selection): void => void entries.idsOf(selection).then(download);
  const saveSelected = (selection: Selection): void => void entries.idsOf(selection).then((ids) => saving.save(ids, ids.length));
  const saveAll = (): void => void wholeIds().then((ids) => saving.save(ids, ids.length || Number(opening.file_num)));
  const downloadAll = (): void => void (single ? download([single.id]) : wholeIds().then(download));
  const address = `${origin}/s/${shareId}`;

  return (
    <div className="mx-auto w-full max-w-240 px-6 py-9 pb-24 max-md:px-4 max-md:py-6 max-md:pb-30">
      <ShareHead
        opening={opening}
        only={single}
        actions={
          <>
            <Button size="l" icon={<Download />} onClick={downloadAll}>
              {t('share.download')}
            </Button>
            {opening.own ? (
              <Button size="l" variant="primary" icon={<Settings2 />} href="/drive/shares">
                {t('share.manage')}
              </Button>
            ) : (
              <Button size="l" variant="primary" icon={<Mark size={20} />} busy={saving.isBusy} onClick={saveAll}>
                {t('share.save')}
              </Button>
            )}
            <span data-icon className="flex items-center">
              <MenuTrigger>
                <IconButton label={t('share.more')} icon={<EllipsisVertical />} />
                <Menu>
                  <MenuItem
                    icon={<Link2 />}
                    onAction={() =>
                      copyText(address).then(
                        () => toast.show({ text: t('share.copied') }),
                        () => toast.show({ text: t('share.copyFailed'), tone: 'danger' }),
                      )
                    }
                  >
                    {t('share.copyLink')}
                  </MenuItem>
                  <MenuItem icon={<QrCode />} onAction={() => setShowsQr(true)}>
                    {t('share.qr')}
                  </MenuItem>
                </Menu>
              </MenuTrigger>
            </span>
          </>
        }
      />
      {file && contentUrl(file) !== undefined && (
        <noscript>
          <p className="mb-5 rounded-card border border-line bg-card p-4">
            <a href={contentUrl(file)} download className="font-medium text-blue-strong underline">
              {t('share.downloadFile', { name: file.name })}
            </a>
          </p>
        </noscript>
      )}
      {single ? (
        <SinglePreview file={file ?? single} load={load} />
      ) : (
        <>
          <div className="mb-2 flex min-h-11 items-center gap-1">
            <div className="flex min-w-0 flex-1">{folderId !== '' && <Breadcrumb crumbs={crumbs} />}</div>
            <SortMenu order={mode.order} onSort={mode.setOrder} pinFoldersTop={mode.pinFoldersTop} onPinFoldersTop={mode.setPinFoldersTop} />
            <ViewToggle
              view={view}
              views={['list', 'grid', 'flow'] as const}
              onView={(next) => {
                setFlow(next === 'flow');
                if (next !== 'flow') mode.setView(next);
              }}
            />
          </div>
          <Explorer
            label={crumbs.at(-1)!.name}
            entries={entries}
            selecting={selecting}
            view={view}
            scroll="page"
            placeKey={`share:${shareId}:${folderId}`}
            canStar={false}
            onOpen={open}
            hrefOf={(entry) => (isFolder(entry) ? hrefOf(entry.id) : `${hrefOf(folderId)}?open_file=${entry.id}`)}
            onParent={parent ? () => goTo(parent.id) : undefined}
            onAction={(action, selection) => {
              if (action === 'toggle-view') return mode.setView(otherView(mode.viewType));
              if (action === 'download') return downloadSelected(selection);
              return false;
            }}
            order={mode.order}
            onSort={mode.setOrder}
            menu={(selection) => (
              <>
                <MenuItem icon={<Download />} onAction={() => downloadSelected(selection)}>
                  {t('share.download')}
                </MenuItem>
                {!opening.own && (
                  <MenuItem icon={<FolderDown />} onAction={() => saveSelected(selection)}>
                    {t('share.save')}
                  </MenuItem>
                )}
              </>
            )}
            empty={<EmptyState title={t('share.empty')} />}
            failed={(failure, retry) => <EmptyState title={t('share.failed')} text={textOf(failure)} actions={<Button onClick={retry}>{t('ui.retry')}</Button>} />}
          />
        </>
      )}
      {Number(opening.expiration_left_seconds) < 0 && <p className="mt-5 text-13 text-ink-3">{t('share.forEver')}</p>}
      <SelectionBar
        selecting={selecting}
        total={entries.total}
        actions={[
          ...(opening.own ? [] : [{ id: 'save', label: t('share.save'), icon: <FolderDown />, run: () => saveSelected(selecting.selection) }]),
          { id: 'download', label: t('share.download'), icon: <Download />, run: () => downloadSelected(selecting.selection) },
        ]}
      />
      {preview.id !== undefined && !single && (
        <Preview
          id={preview.id}
          entries={entries}
          load={load}
          onTurn={preview.turnTo}
          onClose={preview.close}
          actions={(opened) => !opening.own && <IconButton label={t('share.save')} icon={<FolderDown />} onClick={() => saveSelected(only(opened))} />}
        />
      )}
      {saving.dialogs}
      {showsQr && (
        <Suspense>
          <QrDialog url={address} onClose={() => setShowsQr(false)} />
        </Suspense>
      )}
    </div>
  );
}

/** The folders of the address, down to `id`: an ancestor's own way, or one step further. */
function pathTo(listing: ShareListing, id: string): string {
  if (id === '') return '';
  const way = listing.ancestors.filter((ancestor) => ancestor.id !== '').map((ancestor) => ancestor.id);
  const at = way.indexOf(id);
  return `/${[...(at < 0 ? way : way.slice(0, at)), id].join('/')}`;
}
