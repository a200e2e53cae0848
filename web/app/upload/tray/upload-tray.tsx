import { useEffect, useMemo, useRef, useState } from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronDown, ChevronUp, EllipsisVertical, X } from 'lucide-react';
import { useFormat } from '#app/i18n/format.ts';
import { useT, type T } from '#app/i18n/t.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { Button } from '#app/ui/button.tsx';
import { useBottomInset } from '#app/ui/bottom-inset.ts';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Menu, MenuItem, MenuSection, MenuSeparator, MenuTrigger } from '#app/ui/menu/menu.tsx';
import { Meter } from '#app/ui/meter.tsx';
import { PHONE_WIDTH, useIsPhone } from '#app/ui/use-is-phone.ts';
import { trayRows } from './tray-rows.ts';
import { UploadFolderRow } from './upload-folder-row.tsx';
import { isAboutBytes, isOver, isPending, type UploadState } from '../upload-item.ts';
import { useUploads, useUploadSnapshot } from '../upload-provider.tsx';
import type { UploadSnapshot } from '../upload-snapshot.ts';
import { UploadRow } from './upload-row.tsx';

const ROW = 64;
const AT_ONCE = [1, 2, 3, 5, 8] as const;

/** Header of the tray: the current work on one line, the progress on another. */
function headOf(t: T, { items, totals, current }: UploadSnapshot): string {
  if (totals.pending > 0) {
    const { done, count } = current;
    const only = items.find((item) => isPending(item.state));
    return only && count === 1
      ? t('upload.headOne', { name: shownName(only.name) })
      : t('upload.head', { done, count });
  }
  if (totals.failed > 0) return t('upload.headFailed', { count: totals.failed });
  if (totals.paused > 0) return t('upload.headPaused', { count: totals.paused });
  return t('upload.headDone', { count: totals.done });
}

function useProgressLine({ totals, current, speed, secondsLeft }: UploadSnapshot): string | undefined {
  const t = useT();
  const format = useFormat();
  if (totals.pending === 0) return undefined;
  return [
    t('upload.amount', { loaded: format.bytes(current.loaded), size: format.bytes(current.size) }),
    ...(speed > 0 && isAboutBytes(current) ? [t('upload.speed', { speed: format.bytes(speed) })] : []),
    ...(secondsLeft === undefined ? [] : [t('upload.left', { left: format.duration(secondsLeft) })]),
  ].join(' · ');
}

/**
 * Running and finished uploads, at the bottom right; a sheet at the bottom of phones. Removed when it is empty.
 */
export function UploadTray({ tray }: { tray: Tray }) {
  const t = useT();
  const format = useFormat();
  const { queue } = useUploads();
  const snapshot = useUploadSnapshot();
  const { items, totals, current, atOnce } = snapshot;
  const progress = useProgressLine(snapshot);
  const box = useRef<HTMLElement>(null);
  const isPhone = useIsPhone();
  const { isOpen } = tray;
  const lastId = items.at(-1)?.id ?? 0;
  const isThere = items.length > 0 && queue !== undefined && tray.closedAt < lastId;
  // On wider screens it is in a corner that nothing else uses.
  useBottomInset('--tray', box, isThere && isPhone);
  if (!isThere) return null;

  const idsIn = (...states: UploadState[]): number[] =>
    items.filter((item) => states.includes(item.state)).map((item) => item.id);
  const over = items.filter((item) => isOver(item.state)).length;
  const close = (): void => {
    queue.clearOver();
    tray.close(lastId);
  };

  return (
    <section
      ref={box}
      aria-label={t('upload.title')}
      className="fixed right-6 bottom-[max(24px,calc(var(--bar,0px)+12px))] z-30 flex w-95 flex-col overflow-hidden rounded-dialog border border-line bg-card shadow-float transition-[bottom] max-md:inset-x-0 max-md:bottom-(--bar,0px) max-md:w-full max-md:rounded-b-none max-md:pb-[env(safe-area-inset-bottom)]"
    >
      <header className="flex min-h-13 shrink-0 items-center gap-1 py-1.5 pr-2 pl-4">
        <div className="num min-w-0 flex-1">
          <p className="truncate font-semibold">{headOf(t, snapshot)}</p>
          {progress !== undefined && <p className="truncate text-12 text-ink-3">{progress}</p>}
        </div>
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
            <MenuItem isDisabled={over === 0} onAction={() => queue.clearOver()}>
              {t('upload.clearDone')}
            </MenuItem>
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
          onClick={tray.toggle}
        />
        <IconButton label={t('upload.close')} icon={<X />} onClick={close} />
      </header>
      {totals.pending > 0 && (
        <Meter progress value={current.part} label={t('upload.title')} className="rounded-none!" />
      )}
      {isOpen && <Rows />}
      {isOpen && over > 0 && over < items.length && (
        <footer className="flex shrink-0 justify-end border-t border-line px-2 py-1.5">
          <Button variant="plain" size="s" onClick={() => queue.clearOver()}>
            {t('upload.clearDone')}
          </Button>
        </footer>
      )}
    </section>
  );
}

/** Virtualized rows: of ten thousand uploads only those near the screen are rendered. */
function Rows() {
  const { items } = useUploadSnapshot();
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const box = useRef<HTMLDivElement>(null);
  const shown = useMemo(() => trayRows(items, opened), [items, opened]);
  const toggle = (key: string): void => setOpened(opened.symmetricDifference(new Set([key])));
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    getItemKey: (at) => shown[at]!.key,
    overscan: 4,
  });
  return (
    <div
      ref={box}
      role="list"
      // A scrollable list must be reachable by keyboard.
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="max-h-85 overflow-y-auto overscroll-contain border-t border-line"
    >
      <div role="presentation" className="relative" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ key, index, start }) => {
          const row = shown[index]!;
          return (
            <div
              key={key}
              ref={rows.measureElement}
              data-index={index}
              role="presentation"
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              {row.kind === 'file' ? (
                <UploadRow item={row.item} depth={row.depth} />
              ) : (
                <UploadFolderRow
                  group={row.group}
                  isOpen={row.isOpen}
                  depth={row.depth}
                  onToggle={() => toggle(row.key)}
                />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface Tray {
  readonly isOpen: boolean;
  /** Last upload at the time of closing: later ones open the tray again. */
  readonly closedAt: number;
  readonly toggle: () => void;
  readonly open: () => void;
  readonly close: (lastId: number) => void;
}

/**
 * Opens when an upload starts, except on phones, where it would cover the list; if collapsed by the user, it
 * stays collapsed.
 */
export function useTray(): Tray {
  const [isOpen, setOpen] = useState(true);
  const [closedAt, setClosedAt] = useState(0);
  useEffect(() => setOpen(!matchMedia(`(max-width: ${PHONE_WIDTH}px)`).matches), []);
  return {
    isOpen,
    closedAt,
    toggle: () => setOpen((before) => !before),
    open: () => {
      setOpen(true);
      setClosedAt(0);
    },
    close: setClosedAt,
  };
}
