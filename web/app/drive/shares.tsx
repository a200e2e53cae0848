import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Copy, EllipsisVertical, ExternalLink, Link2Off, Pause, Pencil, Play } from 'lucide-react';
import { categoryOf, shareApi, type FileCategory, type OwnShare } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { randomHex } from '#app/api/device.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { said } from '#app/api/page-query.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { pageServices } from '#app/api/page-services.ts';
import { useT, type T } from '#app/i18n/t.ts';
import { shownName } from '#app/node/shown-name.ts';
import { useBusyTitle } from '#app/offline/index.ts';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { copyText } from '#app/ui/copy-text.ts';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { FileTile } from '#app/ui/file-tile.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator, MenuTrigger } from '#app/ui/menu.tsx';
import { PageTitle } from '#app/ui/page-title.tsx';
import { toast } from '#app/ui/toast.tsx';
import type { Route } from './+types/shares';
import { useDriveKeys } from './key-help.tsx';
import { OWN_SHARES, ShareDialog } from './share-dialog.tsx';
import { PlaceTitle, TopBar } from './top-bar.tsx';

const PAGE = 50;

const pageOf = (shareId: string, token = '') => ({
  query: {
    limit: PAGE,
    page_token: token,
    thumbnail_size: 'SIZE_SMALL' as const,
    ...(shareId === '' ? {} : { share_id: shareId }),
  },
});

export async function loader({ context, url }: Route.LoaderArgs) {
  const shareId = said(url.searchParams, 'share_id');
  return { first: await context.get(pageServices).call(shareApi.listOwn, pageOf(shareId)) };
}

export function clientLoader() {
  return { first: undefined };
}

/** My shares, or the one that the address names: what is out there, how it is used, and how to change or end it. */
export default function Shares({ loaderData }: Route.ComponentProps) {
  const t = useT();
  const call = useCall();
  const client = useQueryClient();
  const text = useErrorText();
  const [edited, setEdited] = useState<OwnShare>();
  const [cancelled, setCancelled] = useState<OwnShare>();
  useDriveKeys();
  const [search] = useSearchParams();
  const shareId = said(search, 'share_id');
  const shares = useInfiniteQuery({
    queryKey: [...OWN_SHARES, shareId],
    queryFn: ({ pageParam }) => call(shareApi.listOwn, pageOf(shareId, pageParam)),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_page_token || undefined,
    ...(loaderData.first ? { initialData: { pages: [loaderData.first], pageParams: [''] } } : {}),
  });
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: OWN_SHARES });
  const told = {
    onError: (error: unknown) => void toast.show({ text: text(error), tone: 'danger' }),
    onSettled: refresh,
  };
  const cancel = useMutation({
    mutationFn: (share: OwnShare) =>
      call(shareApi.cancel, { params: { id: share.share_id } }, { idempotencyKey: randomHex() }),
    onSuccess: () => void toast.show({ text: t('drive.shares.cancelled') }),
    ...told,
  });
  const pause = useMutation({
    mutationFn: ({ share, paused }: { share: OwnShare; paused: boolean }) =>
      call(shareApi.edit, { body: { share_id: share.share_id, paused } }, { idempotencyKey: randomHex() }),
    onSuccess: (_, { share, paused }) =>
      void toast.show({
        text: paused ? t('drive.shares.paused') : t('drive.shares.resumed'),
        undo: { label: t('drive.undo'), run: () => pause.mutate({ share, paused: !paused }) },
      }),
    ...told,
  });
  const rows = shares.data?.pages.flatMap((page) => page.data) ?? [];

  return (
    <>
      <PageTitle title={useBusyTitle(t('drive.shares'))} noIndex />
      <TopBar>
        <PlaceTitle>{t('drive.shares')}</PlaceTitle>
      </TopBar>
      <div className="min-h-0 flex-1 overflow-y-auto px-6 pb-24 max-md:px-4">
        {shares.isError && (
          <EmptyState
            title={t('drive.failed.title')}
            text={text(shares.error)}
            actions={<Button onClick={() => void shares.refetch()}>{t('ui.retry')}</Button>}
          />
        )}
        {shares.isSuccess && rows.length === 0 && shareId === '' && (
          <EmptyState title={t('drive.shares.emptyTitle')} text={t('drive.shares.emptyText')} />
        )}
        {shares.isSuccess && rows.length === 0 && shareId !== '' && (
          <EmptyState title={t('drive.shares.cancelled')} actions={<AllShares />} />
        )}
        {rows.length > 0 && (
          <ul className="overflow-hidden rounded-card border border-line bg-card">
            {rows.map((share) => (
              <ShareRow
                key={share.share_id}
                share={share}
                onEdit={() => setEdited(share)}
                onPause={() => pause.mutate({ share, paused: !share.paused })}
                onCancel={() => setCancelled(share)}
              />
            ))}
          </ul>
        )}
        {rows.length > 0 && shareId !== '' && (
          <p className="py-6 text-center">
            <AllShares />
          </p>
        )}
        {shares.hasNextPage && (
          <div className="grid justify-center py-6">
            <Button busy={shares.isFetchingNextPage} onClick={() => void shares.fetchNextPage()}>
              {t('drive.shares.more')}
            </Button>
          </div>
        )}
      </div>
      {edited && <ShareDialog subject={{ share: edited }} onClose={() => setEdited(undefined)} />}
      <ConfirmDialog
        isOpen={cancelled !== undefined}
        onClose={() => setCancelled(undefined)}
        isDanger
        title={t('drive.shares.cancelTitle')}
        text={t('drive.shares.cancelText', { title: cancelled?.title ?? '' })}
        confirmLabel={t('drive.shares.cancel')}
        cancelLabel={t('drive.shares.keep')}
        onConfirm={() => {
          if (cancelled) cancel.mutate(cancelled);
          setCancelled(undefined);
        }}
      />
    </>
  );
}

function AllShares() {
  const t = useT();
  return <Button href="/drive/shares">{t('drive.shares.all')}</Button>;
}

function statusOf(
  t: T,
  share: OwnShare,
): { text: string; tone: 'neutral' | 'success' | 'warning' | 'danger' } {
  if (share.paused) return { text: t('drive.shares.status.paused'), tone: 'warning' };
  switch (share.share_status) {
    case 'OK':
      return { text: t('drive.shares.status.ok'), tone: 'success' };
    case 'EXPIRED':
      return { text: t('drive.shares.status.expired'), tone: 'neutral' };
    case 'MAX_RESTORE_COUNT':
      return { text: t('drive.shares.status.full'), tone: 'neutral' };
    case 'DELETED':
      return { text: t('drive.shares.status.deleted'), tone: 'neutral' };
    default:
      return { text: t('drive.shares.status.blocked'), tone: 'danger' };
  }
}

/** The tile of the one shared file; several things are a folder. */
function tileOf(share: OwnShare): FileCategory {
  const isFile = Number(share.file_num) === 1 && share.file_kind === 'drive#file';
  return isFile ? categoryOf(share.params['name'] ?? '', share.params['mime_type']) : 'folder';
}

function ShareRow({
  share,
  onEdit,
  onPause,
  onCancel,
}: {
  share: OwnShare;
  onEdit: () => void;
  onPause: () => void;
  onCancel: () => void;
}) {
  const t = useT();
  const [showsCode, setShowsCode] = useState(false);
  const status = statusOf(t, share);
  const saves =
    share.restore_limit === '-1'
      ? t('drive.shares.saves', { count: Number(share.restore_count) })
      : t('drive.shares.savesOf', { count: Number(share.restore_count), limit: Number(share.restore_limit) });
  const facts = [
    t.rich('drive.shares.created', { date: <DateTime at={share.create_time} /> }),
    share.expiration_at === '-1'
      ? t('drive.share.never')
      : t.rich('drive.shares.expires', { date: <DateTime at={share.expiration_at} /> }),
    t('drive.shares.views', { count: Number(share.view_count) }),
    t('drive.shares.downloads', { count: Number(share.download_count) }),
    saves,
  ];
  const sentence =
    share.pass_code === ''
      ? share.share_url
      : t('drive.share.sentence', { url: share.share_url, passcode: share.pass_code });
  const copy = (): void => {
    copyText(sentence).then(
      () => toast.show({ text: t('drive.share.copied') }),
      () => toast.show({ text: t('drive.share.copyFailed'), tone: 'danger' }),
    );
  };
  return (
    <li className="flex items-center gap-4 border-t border-line px-4 py-3 first:border-t-0">
      <FileTile
        category={tileOf(share)}
        size={40}
        {...(share.thumbnail_link === '' ? {} : { thumbnail: share.thumbnail_link })}
      />
      <div className="min-w-0 flex-1">
        <div className="flex min-w-0 items-center gap-2 max-md:flex-wrap">
          <a
            href={share.share_url}
            className="truncate font-medium hover:underline max-md:line-clamp-2 max-md:whitespace-normal"
          >
            <bdi>{shownName(share.title)}</bdi>
          </a>
          <Badge tone={status.tone}>{status.text}</Badge>
        </div>
        <p className="num mt-0.5 flex flex-wrap gap-x-3 text-13 text-ink-3">
          {facts.map((fact, at) => (
            // eslint-disable-next-line react/no-array-index-key
            <span key={at}>{fact}</span>
          ))}
          {share.pass_code !== '' && (
            <button
              type="button"
              onClick={() => setShowsCode(!showsCode)}
              className="rounded-small font-medium text-blue-strong hover:underline"
            >
              {showsCode ? share.pass_code : t('drive.shares.showPasscode')}
            </button>
          )}
        </p>
      </div>
      <span className="flex max-md:hidden">
        <IconButton
          label={t('drive.shares.copyOne', { title: shownName(share.title) })}
          icon={<Copy />}
          onClick={copy}
        />
      </span>
      <MenuTrigger>
        <IconButton
          label={t('drive.shares.menu', { title: shownName(share.title) })}
          icon={<EllipsisVertical />}
        />
        <Menu>
          <MenuItem icon={<ExternalLink />} href={share.share_url}>
            {t('drive.menu.open')}
          </MenuItem>
          <MenuItem icon={<Copy />} onAction={copy}>
            {share.pass_code === '' ? t('drive.share.copyLink') : t('drive.share.copyBoth')}
          </MenuItem>
          <MenuItem icon={<Pencil />} onAction={onEdit}>
            {t('drive.shares.edit')}
          </MenuItem>
          <MenuItem icon={share.paused ? <Play /> : <Pause />} onAction={onPause}>
            {share.paused ? t('drive.shares.resume') : t('drive.shares.pause')}
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={<Link2Off />} isDanger onAction={onCancel}>
            {t('drive.shares.cancel')}
          </MenuItem>
        </Menu>
      </MenuTrigger>
    </li>
  );
}
