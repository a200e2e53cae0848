import { useState } from 'react';
import { Copy, EllipsisVertical, ExternalLink, Link2Off, Pause, Pencil, Play } from 'lucide-react';
import { categoryOf, type FileCategory, type OwnShare } from '@bowerbird/contract';
import { copyText } from '#app/browser/copy-text.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useT, type T } from '#app/i18n/t.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { Badge } from '#app/ui/badge.tsx';
import { FileTile } from '#app/ui/file-tile.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator, MenuTrigger } from '#app/ui/menu/menu.tsx';
import { toast } from '#app/ui/toast/toast.tsx';

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

/** Tile of a single shared file; several items get a folder's. */
function tileOf(share: OwnShare): FileCategory {
  const isFile = Number(share.file_num) === 1 && share.file_kind === 'drive#file';
  return isFile ? categoryOf(share.params['name'] ?? '', share.params['mime_type']) : 'folder';
}

/** One of the member's shares: its state and figures, and the menu that changes it. */
export function ShareRow({
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
