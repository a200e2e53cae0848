import { type CSSProperties, type ReactNode, useRef } from 'react';
import { CircleAlert } from 'lucide-react';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { ContextMenu } from '#app/ui/menu/menu.tsx';
import { NOTHING } from '../entries/selection.ts';
import type { ExplorerProps } from './explorer-props.ts';
import { GRID_GAP } from './geometry.ts';
import { useKeptFocus } from './use-current-row.ts';
import { useEntryMenu } from './use-entry-menu.ts';

/** Grid by CSS alone, in the same positions that `gridGeometry` computes. */
export function firstPaintGrid(view: ExplorerProps['view']): CSSProperties {
  return {
    display: 'grid',
    gap: view === 'flow' ? 24 : GRID_GAP,
    gridTemplateColumns:
      view === 'flow'
        ? 'minmax(0, 880px)'
        : `repeat(auto-fill, minmax(min(196px, 50% - ${GRID_GAP / 2}px), 1fr))`,
    justifyContent: view === 'flow' ? 'center' : 'normal',
  };
}

/** Line over the end of the list: a later page failed to load. */
export function FailedLine({ onRetry }: { onRetry: () => void }) {
  const t = useT();
  return (
    <div
      role="alert"
      className="sticky bottom-4 z-20 mx-auto flex w-fit items-center gap-3 rounded-card border border-line bg-card py-2 ps-4 pe-2 shadow-float"
    >
      <CircleAlert aria-hidden="true" className="text-danger" />
      {t('node.failed')}
      <Button size="s" onClick={onRetry}>
        {t('node.retry')}
      </Button>
    </div>
  );
}

/** Empty folder; dropping, pasting and the menu work here as well. */
export function EmptyFolder({
  label,
  folderMenu,
  onAction,
  onParent,
  children,
}: ExplorerProps & { children: ReactNode }) {
  const entryMenu = useEntryMenu();
  const box = useRef<HTMLDivElement>(null);
  useKeptFocus(() => box.current);
  return (
    // Keys and right clicks on the buttons inside reach the folder.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      ref={box}
      data-listing
      tabIndex={-1}
      className="h-full overflow-y-auto outline-none"
      onKeyDown={(event) => {
        if ((event.target as Element).closest('input, textarea')) return;
        const pastes = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'v';
        if (event.key === 'Backspace' && onParent) onParent();
        else if (!pastes || !onAction || onAction('paste', NOTHING) === false) return;
        event.preventDefault();
      }}
      onContextMenu={(event) => {
        if (!folderMenu) return;
        event.preventDefault();
        entryMenu.show({ x: event.clientX, y: event.clientY });
      }}
    >
      {children}
      <ContextMenu at={entryMenu.open?.at ?? null} aria-label={label} onClose={entryMenu.close}>
        {entryMenu.open && folderMenu?.()}
      </ContextMenu>
    </div>
  );
}

/** Placeholder rows until the first page is loaded, after 200 ms. */
export function Waiting({ view, label }: ExplorerProps) {
  const isList = view === 'list';
  return (
    <div
      role="status"
      aria-label={label}
      aria-busy="true"
      className="h-full animate-[appear_200ms_200ms_backwards] overflow-hidden [--inset:24px] max-md:[--inset:16px]"
    >
      {isList ? (
        Array.from({ length: 14 }, (_, at) => (
          <div key={at} className="flex h-11 items-center gap-3 border-b border-line px-(--inset)">
            <span className="size-8 rounded-control bg-line/60" />
            <span className="h-3 rounded-full bg-line/60" style={{ width: `${22 + ((at * 37) % 30)}%` }} />
          </div>
        ))
      ) : (
        <div className="px-(--inset) pt-4" style={firstPaintGrid(view)}>
          {Array.from({ length: view === 'flow' ? 2 : 12 }, (_, at) => (
            <span key={at} className="aspect-[5/4] rounded-card bg-line/40" />
          ))}
        </div>
      )}
    </div>
  );
}
