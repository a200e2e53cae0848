import {
  type KeyboardEvent,
  type ReactNode,
  type TouchEvent,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { ArrowLeft, ChevronLeft, ChevronRight, Download, FilePen, Info, X } from 'lucide-react';
import type { File } from '@bowerbird/contract';
import { useT } from '#app/i18n/t.ts';
import { cx } from '#app/ui/class-names.ts';
import { IconButton } from '#app/ui/icon-button.tsx';
import { announce } from '#app/ui/live-region.tsx';
import { lockScroll } from '#app/ui/scroll-lock.ts';
import { Spinner } from '#app/ui/spinner.tsx';
import type { Entries } from '../entries/entries.ts';
import { contentUrl, isFolder, kindOf } from '../file-facts.ts';
import { SmallTile } from '../entry-parts.tsx';
import { MiddleName } from '../name/middle-name.tsx';
import { shownName } from '../name/shown-name.ts';
import { mayTurn, neighbour, placeAmongFiles } from './siblings.ts';
import { useOpenedFile } from './use-opened-file.ts';
import { Viewer } from './viewer.tsx';
import './dark-stage.css';

export interface PreviewProps {
  readonly id: string;
  /** Listing that the file was opened from: arrow keys move through it. */
  readonly entries: Entries;
  /** Loads one file with fresh links and its large thumbnail; rejects if it is gone. */
  readonly load: (id: string) => Promise<File>;
  readonly onTurn: (id: string) => void;
  readonly onClose: () => void;
  /** `IconButton`s of the bar: share, save. */
  readonly actions?: ((file: File) => ReactNode) | undefined;
  /** Side panel (`d`). */
  readonly details?: ((file: File) => ReactNode) | undefined;
  /** Returns what opens the editor of a file (`e`); undefined if it can't be edited. */
  readonly onEdit?: ((file: File) => (() => void) | undefined) | undefined;
  /** Viewer of the page itself for some files: the contents of an archive. */
  readonly viewer?: ((file: File) => ReactNode | undefined) | undefined;
  /** Replaces following the download link. */
  readonly onDownload?: ((file: File) => void) | undefined;
}

const SWIPE_PX = 60;

/**
 * Preview of a file over its list. Arrow keys and swipes move to its neighbors; Esc and "back" return to the same
 * place. It is dark in both themes, like a room where pictures are projected.
 */
export default function Preview(props: PreviewProps) {
  const { id, entries, load, onTurn, onClose, actions, details, viewer, onEdit, onDownload } = props;
  const t = useT();
  const box = useRef<HTMLDialogElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const [showsDetails, setShowsDetails] = useState(false);
  const { file, isMissing } = useOpenedFile(id, entries, load);
  const place = useMemo(() => placeAmongFiles(entries, id), [entries, id]);
  const beside = useMemo(() => besides(entries), [entries]);
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });

  useLayoutEffect(() => {
    const dialog = box.current!;
    dialog.showModal();
    dialog.focus();
    const release = lockScroll();
    return () => {
      release();
      dialog.close();
    };
  }, []);

  const name = file?.name;
  useEffect(() => {
    if (name === undefined) return undefined;
    announce(name);
    return () => announce('');
  }, [name]);

  const edit = file && onEdit?.(file);
  const turn = (step: 1 | -1) => {
    void neighbour(entries, id, step).then(
      (next) => next !== undefined && onTurn(next),
      () => undefined,
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if ((event.target as Element).closest('input, textarea, select')) return;
    if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      const isForward =
        (event.key === 'ArrowRight') === (getComputedStyle(event.currentTarget).direction !== 'rtl');
      turn(isForward ? 1 : -1);
    } else if (event.key === 'e' && edit) edit();
    else if (event.key === 'd' && details) setShowsDetails((shows) => !shows);
    else {
      // Keys of the viewer work as soon as it is mounted, wherever the focus is.
      const target = stage.current?.querySelector<HTMLElement>('[data-viewer-focus]');
      if (target && event.target === box.current) target.focus({ preventScroll: true });
      return;
    }
    event.preventDefault();
  };

  return (
    // Keys close it through the platform's cancel event.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={box}
      aria-label={file ? shownName(file.name) : t('node.preview.loading')}
      tabIndex={-1}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        close.current();
      }}
      onKeyDown={onKeyDown}
      className="fixed inset-0 m-0 flex size-full max-h-none max-w-none animate-[appear_140ms_var(--ease)] flex-col border-0 bg-sunken p-0 text-ink outline-none dark-stage"
    >
      <header className="flex h-14 shrink-0 items-center gap-1 border-b border-line bg-paper ps-2 pe-2">
        <IconButton
          label={t('node.preview.close')}
          icon={<ArrowLeft className="rtl:-scale-x-100" />}
          onClick={onClose}
          className="md:hidden"
        />
        <div className="flex min-w-0 flex-1 items-center gap-3 md:ps-3">
          {file && <SmallTile file={file} kind={kindOf(file)} size={28} />}
          <div className="grid min-w-0">
            {file && <MiddleName name={file.name} kind="file" className="font-medium" />}
            {place && (
              <span className="text-12 text-ink-3 tabular-nums">
                {place.total === undefined
                  ? place.position
                  : t('node.preview.of', { position: place.position, total: place.total })}
              </span>
            )}
          </div>
        </div>
        {edit && (
          <IconButton
            label={t('node.preview.edit')}
            shortcut="E"
            icon={<FilePen />}
            onClick={edit}
            // A phone's bar has no room for it beside the name: it is in the viewer's bar.
            className="max-md:hidden"
          />
        )}
        {file && <Bar file={file} actions={actions} onDownload={onDownload} />}
        {details && (
          <IconButton
            label={t('node.preview.details')}
            shortcut="D"
            icon={<Info />}
            isPressed={showsDetails}
            onClick={() => setShowsDetails(!showsDetails)}
          />
        )}
        <IconButton
          label={t('node.preview.close')}
          shortcut="Esc"
          icon={<X />}
          onClick={onClose}
          className="max-md:hidden"
        />
      </header>
      <div className="flex min-h-0 flex-1">
        <div ref={stage} className="relative flex min-w-0 flex-1" {...swipes(turn)}>
          {file ? (
            (viewer?.(file) ?? (
              <Viewer key={file.id} file={file} beside={beside} load={load} onTurn={onTurn} onEdit={edit} />
            ))
          ) : isMissing ? (
            <p className="m-auto p-6 text-ink-2">{t('node.preview.missing')}</p>
          ) : (
            <Spinner label={t('node.preview.loading')} className="m-auto size-8 text-ink-2" />
          )}
          <Turn step={-1} isThere={mayTurn(entries, id, -1)} onTurn={turn} />
          <Turn step={1} isThere={mayTurn(entries, id, 1)} onTurn={turn} />
        </div>
        {details && showsDetails && file && (
          <aside className="w-80 shrink-0 overflow-y-auto border-s border-line bg-paper max-md:absolute max-md:inset-x-0 max-md:top-14 max-md:bottom-0 max-md:w-auto max-md:border-0">
            {details(file)}
          </aside>
        )}
      </div>
    </dialog>
  );
}

function Bar({ file, actions, onDownload }: { file: File } & Pick<PreviewProps, 'actions' | 'onDownload'>) {
  const t = useT();
  const url = contentUrl(file);
  return (
    <>
      {actions?.(file)}
      {onDownload ? (
        <IconButton label={t('node.preview.download')} icon={<Download />} onClick={() => onDownload(file)} />
      ) : (
        url !== undefined && (
          <a
            href={url}
            download={file.name}
            aria-label={t('node.preview.download')}
            data-tip={t('node.preview.download')}
            className="grid size-9 place-items-center rounded-control text-ink-2 transition-colors hover:bg-hover hover:text-ink pointer-coarse:size-11"
          >
            <Download aria-hidden="true" />
          </a>
        )
      )}
    </>
  );
}

function Turn({ step, isThere, onTurn }: { step: 1 | -1; isThere: boolean; onTurn: (step: 1 | -1) => void }) {
  const t = useT();
  const Arrow = step === 1 ? ChevronRight : ChevronLeft;
  if (!isThere) return null;
  return (
    <button
      type="button"
      aria-label={step === 1 ? t('node.preview.next') : t('node.preview.previous')}
      onClick={() => onTurn(step)}
      className={cx(
        'absolute top-1/2 grid size-11 -translate-y-1/2 place-items-center rounded-full bg-card/80 text-ink transition-opacity hover:bg-card pointer-coarse:hidden',
        step === 1 ? 'end-3' : 'start-3',
      )}
    >
      <Arrow aria-hidden="true" className="size-6 rtl:-scale-x-100" />
    </button>
  );
}

/** Horizontal swipes move to a neighbor, unless the viewer needs them (a zoomed picture, a slider). */
function swipes(turn: (step: 1 | -1) => void) {
  let from: { readonly x: number; readonly y: number } | undefined;
  return {
    onTouchStart(event: TouchEvent) {
      const touch = event.touches[0];
      const isTaken = (event.target as Element).closest('[data-no-swipe], input') !== null;
      from =
        touch && event.touches.length === 1 && !isTaken ? { x: touch.clientX, y: touch.clientY } : undefined;
    },
    onTouchEnd(event: TouchEvent) {
      const touch = event.changedTouches[0];
      if (!from || !touch) return;
      const [dx, dy] = [touch.clientX - from.x, touch.clientY - from.y];
      from = undefined;
      if (Math.abs(dx) > SWIPE_PX && Math.abs(dx) > Math.abs(dy) * 1.5) turn(dx < 0 ? 1 : -1);
    },
  };
}

/** Returns the loaded files of a listing. */
function besides(entries: Entries): readonly File[] {
  return Array.from({ length: Math.min(entries.count, 2000) }, (_, row) => entries.fileAt(row)).filter(
    (file): file is File => file !== undefined && !isFolder(file),
  );
}
