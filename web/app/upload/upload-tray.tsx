import { useEffect, useRef, useState } from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronDown, ChevronUp, EllipsisVertical } from 'lucide-react';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { useFloor } from '#app/ui/floor.ts';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Menu, MenuItem, MenuSection, MenuSeparator, MenuTrigger } from '#app/ui/menu.tsx';
import { Meter } from '#app/ui/meter.tsx';
import { PHONE_WIDTH, useIsPhone } from '#app/ui/use-is-phone.ts';
import { isPending, type UploadState } from './upload-item.ts';
import { useUploads, useUploadSnapshot } from './upload-provider.tsx';
import { UploadRow } from './upload-row.tsx';

const ROW = 64;
const AT_ONCE = [1, 2, 3, 5, 8] as const;

/** What goes up and went up, at the bottom right; a sheet at the bottom of phones. Gone when there is nothing to tell. */
export function UploadTray({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  const t = useT();
  const format = useFormat();
  const { queue } = useUploads();
  const { items, totals, speed, secondsLeft, atOnce } = useUploadSnapshot();
  const box = useRef<HTMLElement>(null);
  const isPhone = useIsPhone();
  const isThere = items.length > 0 && queue !== undefined;
  // On wider screens it stands in a corner, where nothing else does.
  useFloor('--tray', box, isThere && isPhone);
  if (!isThere) return null;

  const idsIn = (...states: UploadState[]): number[] =>
    items.filter((item) => states.includes(item.state)).map((item) => item.id);
  const head =
    totals.pending > 0
      ? secondsLeft !== undefined
        ? t('upload.headLeft', { done: totals.done, count: totals.count, left: format.duration(secondsLeft) })
        : t('upload.head', { done: totals.done, count: totals.count })
      : totals.failed > 0
        ? t('upload.headFailed', { count: totals.failed })
        : totals.paused > 0
          ? t('upload.headPaused', { count: totals.paused })
          : t('upload.headDone', { count: totals.done });

  return (
    <section
      ref={box}
      aria-label={t('upload.title')}
      className="fixed right-6 bottom-[max(24px,calc(var(--bar,0px)+12px))] z-30 flex w-95 flex-col overflow-hidden rounded-dialog border border-line bg-card shadow-float transition-[bottom] max-md:inset-x-0 max-md:bottom-(--bar,0px) max-md:w-full max-md:rounded-b-none max-md:pb-[env(safe-area-inset-bottom)]"
    >
      <header className="flex h-13 shrink-0 items-center gap-1 pr-2 pl-4">
        <p className="num min-w-0 flex-1 truncate font-semibold">{head}</p>
        {totals.pending > 0 && speed > 0 && (
          <span className="num shrink-0 text-12 text-ink-3">
            {t('upload.speed', { speed: format.bytes(speed) })}
          </span>
        )}
        <MenuTrigger>
          <IconButton label={t('upload.more')} icon={<EllipsisVertical />} />
          <Menu>
            <MenuItem
              isDisabled={!items.some((item) => isPending(item.state))}
              onAction={() => queue.pause(idsIn('queued', 'preparing', 'uploading'))}
            >
              {t('upload.pauseAll')}
            </MenuItem>
            <MenuItem isDisabled={totals.paused === 0} onAction={() => queue.resume(idsIn('paused'))}>
              {t('upload.resumeAll')}
            </MenuItem>
            <MenuItem isDisabled={totals.failed === 0} onAction={() => queue.resume(idsIn('failed'))}>
              {t('upload.retryFailed')}
            </MenuItem>
            <MenuItem onAction={() => queue.clearOver()}>{t('upload.clearDone')}</MenuItem>
            <MenuSeparator />
            <MenuSection title={t('upload.atOnce')}>
              {AT_ONCE.map((count) => (
                <MenuItem key={count} isSelected={count === atOnce} onAction={() => queue.setAtOnce(count)}>
                  {format.number(count)}
                </MenuItem>
              ))}
            </MenuSection>
          </Menu>
        </MenuTrigger>
        <IconButton
          label={isOpen ? t('upload.fold') : t('upload.unfold')}
          icon={isOpen ? <ChevronDown /> : <ChevronUp />}
          aria-expanded={isOpen}
          onClick={onToggle}
        />
      </header>
      {totals.pending > 0 && (
        <Meter progress value={totals.part} label={t('upload.title')} className="rounded-none!" />
      )}
      {isOpen && <Rows />}
    </section>
  );
}

/** Two thousand uploads are two thousand rows; the screen holds eight. */
function Rows() {
  const { items } = useUploadSnapshot();
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 4,
  });
  return (
    <div
      ref={box}
      role="list"
      // A list that scrolls must be reachable by keys.
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="max-h-85 overflow-y-auto overscroll-contain border-t border-line"
    >
      <div role="presentation" className="relative" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map((row) => (
          <div
            key={items[row.index]!.id}
            ref={rows.measureElement}
            data-index={row.index}
            role="presentation"
            className="absolute inset-x-0 top-0"
            style={{ transform: `translateY(${row.start}px)` }}
          >
            <UploadRow item={items[row.index]!} />
          </div>
        ))}
      </div>
    </div>
  );
}

/** Open when something starts, but on phones, where it would cover the list; folded by hand it stays folded. */
export function useTray(): { isOpen: boolean; toggle: () => void; open: () => void } {
  const [isOpen, setOpen] = useState(true);
  useEffect(() => setOpen(!matchMedia(`(max-width: ${PHONE_WIDTH}px)`).matches), []);
  return { isOpen, toggle: () => setOpen((before) => !before), open: () => setOpen(true) };
}
