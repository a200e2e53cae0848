import { useRef } from 'react';
import { CircleCheck, CircleX, FileUp, FolderOpen, Pause, Play, RotateCcw, X } from 'lucide-react';
import { categoryOf } from '@bowerbird/contract';
import { useFormat } from '#app/i18n/format.ts';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT, type T } from '#app/i18n/t.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { SeePlans } from '#app/page/see-plans.tsx';
import { cx } from '#app/ui/class-names.ts';
import { FileTile } from '#app/ui/file-tile.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Meter } from '#app/ui/meter.tsx';
import { toast } from '#app/ui/toast/toast.tsx';
import { isActive, isOver, type UploadItem } from '../upload-item.ts';
import { failureText } from './failure-text.ts';
import { indentOf } from './indent.ts';
import { useUploads } from '../upload-provider.tsx';

function stateText(t: T, item: UploadItem): string {
  switch (item.state) {
    case 'queued':
      return t('upload.state.queued');
    case 'preparing':
      return t('upload.state.preparing');
    case 'uploading':
      return t('upload.state.uploading');
    case 'finishing':
      return t('upload.state.finishing');
    case 'done':
      return t('upload.state.done');
    case 'paused':
      return t('upload.state.paused');
    case 'cancelled':
      return t('upload.state.cancelled');
    case 'skipped':
      return t('upload.state.skipped');
    case 'waiting':
      return t('upload.state.waiting');
    case 'failed':
      return failureText(t, item);
  }
}

/** Upload with its name, target, progress and actions. */
export function UploadRow({ item, depth }: { item: UploadItem; depth: number }) {
  const t = useT();
  const format = useFormat();
  const { queue } = useUploads();
  const again = useRef<HTMLInputElement>(null);
  const running =
    item.state === 'uploading' ||
    item.state === 'finishing' ||
    item.state === 'preparing' ||
    item.state === 'paused' ||
    (item.state === 'waiting' && item.loaded > 0);
  const amount =
    running && item.size > 0
      ? t('upload.amount', { loaded: format.bytes(item.loaded), size: format.bytes(item.size) })
      : format.bytes(item.size);
  const name = shownName(item.name);
  const place = shownName([item.targetName, ...item.folders].join(' / '));

  return (
    <div
      role="listitem"
      className="grid grid-cols-[36px_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1.5 py-2.5 pr-4"
      style={{ paddingLeft: indentOf(depth) }}
    >
      <FileTile category={categoryOf(item.name)} size={36} />
      <div className="min-w-0">
        <p className="truncate font-medium" title={name}>
          <bdi>{name}</bdi>
        </p>
        <p
          // The reason and the remedy must be readable as a whole.
          className={cx('num text-12 text-ink-3', item.state === 'failed' ? 'wrap-anywhere' : 'truncate')}
          title={place}
        >
          {item.state === 'waiting' && `${amount} · `}
          <span className={item.state === 'failed' ? 'text-danger' : undefined}>{stateText(t, item)}</span>
          {item.state === 'failed' && <SeePlans error={item.error} className="ms-1.5" />}
          {item.state !== 'failed' && item.state !== 'waiting' && ` · ${amount}`}
        </p>
      </div>
      <div className="flex items-center">
        {(item.state === 'queued' || item.state === 'preparing' || item.state === 'uploading') && (
          <IconButton
            label={t('upload.pauseOne', { name })}
            icon={<Pause />}
            onClick={() => queue?.pause([item.id])}
          />
        )}
        {item.state === 'paused' && (
          <IconButton
            label={t('upload.resumeOne', { name })}
            icon={<Play />}
            onClick={() => queue?.resume([item.id])}
          />
        )}
        {item.state === 'failed' && (
          <IconButton
            label={t('upload.retryOne', { name })}
            icon={<RotateCcw />}
            onClick={() => queue?.resume([item.id])}
          />
        )}
        {item.state === 'waiting' && (
          <>
            <IconButton
              label={t('upload.chooseAgain', { name })}
              icon={<FileUp />}
              onClick={() => again.current?.click()}
            />
            <input
              ref={again}
              type="file"
              hidden
              tabIndex={-1}
              aria-hidden="true"
              onChange={(event) => {
                const file = event.currentTarget.files?.[0];
                event.currentTarget.value = '';
                if (file && !queue?.reattach(item.id, file))
                  toast.show({ text: t('upload.notTheSame'), tone: 'danger' });
              }}
            />
          </>
        )}
        {item.state === 'done' && item.folderId !== undefined && (
          <LocaleLink
            to={item.folderId === '' ? '/drive/all' : `/drive/all/${item.folderId}`}
            aria-label={t('upload.showInFolder', { name })}
            className="grid size-9 place-items-center rounded-control text-ink-2 hover:bg-hover hover:text-ink"
          >
            <FolderOpen />
          </LocaleLink>
        )}
        {item.state === 'done' && <CircleCheck className="mx-2 text-success" aria-hidden="true" />}
        {item.state === 'cancelled' && <CircleX className="mx-2 text-ink-3" aria-hidden="true" />}
        {!isOver(item.state) && item.state !== 'finishing' && (
          <IconButton
            label={t('upload.cancelOne', { name })}
            icon={<X />}
            onClick={() => queue?.cancel([item.id])}
          />
        )}
      </div>
      {isActive(item.state) && (
        <Meter
          className="col-start-2 -col-end-1"
          progress
          value={item.size > 0 ? item.loaded / item.size : undefined}
          label={name}
        />
      )}
    </div>
  );
}
