import { ChevronDown, ChevronRight, CircleCheck, FolderOpen, Pause, Play, RotateCcw, X } from 'lucide-react';
import { useFormat } from '#app/i18n/format.ts';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { FileTile } from '#app/ui/file-tile.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Meter } from '#app/ui/meter.tsx';
import type { UploadGroup } from './tray-rows.ts';
import { isOver, isPending } from '../upload-item.ts';
import { failureText } from './failure-text.ts';
import { indentOf } from './indent.ts';
import { useUploads } from '../upload-provider.tsx';

const UNFINISHED = ['queued', 'preparing', 'uploading', 'finishing', 'failed', 'paused', 'waiting'] as const;

/** Folder being uploaded: its progress, and the actions on all of it. */
export function UploadFolderRow({
  group,
  isOpen,
  depth,
  onToggle,
}: {
  group: UploadGroup;
  isOpen: boolean;
  /** Number of opened folders above it. */
  depth: number;
  onToggle: () => void;
}) {
  const t = useT();
  const format = useFormat();
  const { queue } = useUploads();
  const { state, totals, failure, targetId, idsIn } = group;
  const name = shownName(group.path.join(' / '));
  const isRunning = isPending(state);
  const Chevron = isOpen ? ChevronDown : ChevronRight;

  return (
    <div
      role="listitem"
      className="grid grid-cols-[36px_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1.5 py-2.5 pr-4"
      style={{ paddingLeft: indentOf(depth) }}
    >
      <FileTile category="folder" size={36} />
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onToggle}
        className="grid min-w-0 grid-cols-[minmax(0,1fr)] rounded-small text-start"
      >
        <span className="flex min-w-0 items-center gap-1 font-medium">
          <span className="truncate" title={name}>
            <bdi>{name}</bdi>
          </span>
          <Chevron aria-hidden="true" className="size-4 shrink-0 text-ink-3 rtl:-scale-x-100" />
        </span>
        <span className="num truncate text-12 text-ink-3">
          {t('upload.folder', { done: totals.done, count: totals.count })}
          {` · ${
            isRunning
              ? t('upload.amount', { loaded: format.bytes(totals.loaded), size: format.bytes(totals.size) })
              : format.bytes(totals.size)
          }`}
        </span>
        {failure && (
          <span className="num text-12 wrap-anywhere text-danger">
            {t('upload.folderFailed', {
              failed: totals.failed,
              count: totals.count,
              reason: failureText(t, failure),
            })}
          </span>
        )}
      </button>
      <div className="flex items-center">
        {isRunning && (
          <IconButton
            label={t('upload.pauseOne', { name })}
            icon={<Pause />}
            onClick={() => queue?.pause(idsIn('queued', 'preparing', 'uploading'))}
          />
        )}
        {!isRunning && totals.paused > 0 && (
          <IconButton
            label={t('upload.resumeOne', { name })}
            icon={<Play />}
            onClick={() => queue?.resume(idsIn('paused'))}
          />
        )}
        {totals.failed > 0 && (
          <IconButton
            label={t('upload.retryOne', { name })}
            icon={<RotateCcw />}
            onClick={() => queue?.resume(idsIn('failed'))}
          />
        )}
        {state === 'done' && (
          <>
            <LocaleLink
              to={targetId === '' ? '/drive/all' : `/drive/all/${targetId}`}
              aria-label={t('upload.showInFolder', { name })}
              className="grid size-9 place-items-center rounded-control text-ink-2 hover:bg-hover hover:text-ink"
            >
              <FolderOpen />
            </LocaleLink>
            <CircleCheck className="mx-2 text-success" aria-hidden="true" />
          </>
        )}
        {!isOver(state) && (
          <IconButton
            label={t('upload.cancelOne', { name })}
            icon={<X />}
            onClick={() => queue?.cancel(idsIn(...UNFINISHED))}
          />
        )}
      </div>
      {isRunning && <Meter className="col-start-2 -col-end-1" progress value={totals.part} label={name} />}
    </div>
  );
}
