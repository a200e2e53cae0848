import { type CSSProperties, useEffect, useEffectEvent, useImperativeHandle, useMemo, useRef } from 'react';
import { useT } from '#app/i18n/t.ts';
import { cx } from '#app/ui/class-names.ts';
import { announce } from '#app/ui/live-region.tsx';
import { ContextMenu } from '#app/ui/menu/menu.tsx';
import { useFileColumns } from '../columns/file-columns.tsx';
import { fitting } from '../columns/fitting.ts';
import { EntryPieces } from './entry-pieces.tsx';
import type { Column } from '../columns/column.ts';
import type { ExplorerProps } from './explorer-props.ts';
import { EmptyFolder, FailedLine, firstPaintGrid, Waiting } from './explorer-states.tsx';
import { ListHeader } from './list-header.tsx';
import { useCurrentRow } from './use-current-row.ts';
import { useEntryMenu } from './use-entry-menu.ts';
import { useExplorerKeys } from './use-explorer-keys.ts';
import { useExplorerPointer } from './use-explorer-pointer.ts';
import { useGroups } from './use-groups.ts';
import { useMarquee } from './use-marquee.ts';
import { meantIn, usePicking } from './use-picking.ts';
import { useRowDrag } from './use-row-drag.ts';
import { useTiling } from './use-tiling.ts';

/**
 * Entries of a listing, as a list, a grid or large pictures; handles selecting, opening, dragging and actions.
 */
export function Explorer(props: ExplorerProps) {
  const { entries, placeKey, empty, failed } = props;
  if (entries.isLoading) return <Waiting {...props} />;
  if (entries.failure !== undefined && entries.count === 0)
    return failed?.(entries.failure, entries.retry) ?? null;
  if (entries.count === 0)
    return (
      <EmptyFolder {...props}>
        {props.lead}
        {empty}
      </EmptyFolder>
    );
  return <Listing key={placeKey} {...props} />;
}

function Listing(props: ExplorerProps) {
  const {
    label,
    entries,
    selecting,
    view,
    placeKey,
    scroll = 'own',
    order,
    onSort,
    onColumns,
    isCompact = false,
    menu,
    folderMenu,
    drag,
    rename,
    handle,
  } = props;
  const t = useT();
  const grid = useRef<HTMLDivElement>(null);
  const current = useCurrentRow(entries, placeKey, () => grid.current);
  useEntrance(scroll === 'own', () => current.move(current.row, true), selecting.selectAll);
  const groups = useGroups(entries, props.groupOf);
  const { headings } = groups;
  const { count } = entries;
  const tiling = useTiling({ view, scroll, count, current: current.row, placeKey, headings });
  const ownColumns = useFileColumns();
  const allColumns = props.columns ?? ownColumns;
  const width = tiling.geometry?.width;
  const columns = useMemo(() => fitting(allColumns, width), [allColumns, width]);
  const picking = usePicking(entries, selecting, current);
  const entryMenu = useEntryMenu();
  const marquee = useMarquee({ ...tiling, entries, selection: selecting.selection, select: selecting.set });
  const rowDrag = useRowDrag({
    drag,
    entries,
    selection: selecting.selection,
    select: selecting.set,
    scroller: () => (scroll === 'own' ? tiling.scroller.current : document.documentElement),
  });
  const pointer = useExplorerPointer(props, {
    current,
    picking,
    openMenu: entryMenu.show,
    takesClick: marquee.takesClick,
  });
  const onKeyDown = useExplorerKeys(props, {
    current,
    picking,
    tiling,
    openMenu: () => entryMenu.show(placeUnder(grid.current, current.row)),
  });

  const { want } = entries;
  const { from, to } = tiling.wanted;
  useEffect(() => want({ from, to }), [want, from, to]);

  const { reveal, uncover } = tiling;
  useImperativeHandle(handle, () => ({
    reveal(row, { select = true, focus = true } = {}) {
      reveal(row);
      current.move(row, focus);
      if (select) picking.pick(row);
    },
    focus: () => current.move(current.row, true),
  }));
  const uncoverCurrent = useEffectEvent(() => uncover(current.row));
  useEffect(() => {
    if (selecting.isActive) uncoverCurrent();
  }, [selecting.isActive]);
  useRenamed(rename?.id, entries.indexOf, reveal, current);
  useAnnounced(selecting.count);

  const all = entries.total ?? entries.count;
  const selected = selecting.count === 0 ? 'none' : selecting.count === all ? 'all' : 'some';
  const isList = view === 'list';

  return (
    <>
      <div
        ref={tiling.scroller}
        data-listing
        style={columnStyle(columns)}
        className={cx(
          '@container relative',
          isCompact ? '[--entry:34px]' : '[--entry:44px]',
          scroll === 'own'
            ? 'h-full overflow-y-auto overscroll-contain [--inset:24px] max-md:[--inset:16px]'
            : '[--inset:0px]',
        )}
        {...marquee.props}
        {...rowDrag.props}
        {...pointer}
      >
        {props.lead !== undefined && <div ref={tiling.lead}>{props.lead}</div>}
        <div
          ref={grid}
          role="grid"
          aria-label={label}
          aria-multiselectable="true"
          aria-rowcount={entries.total === undefined ? -1 : entries.total + (isList ? 1 : 0)}
          aria-colcount={isList ? columns.length + 3 : 1}
          onKeyDown={onKeyDown}
          className={cx(
            // Leaves room below the last row for floating elements.
            scroll === 'own'
              ? 'min-h-full pb-[calc(--spacing(24)+var(--bar,0px)+var(--tray,0px))]'
              : 'pb-(--bar)',
            scroll === 'own' && !isList && 'pt-4',
          )}
        >
          {isList && (
            <ListHeader
              columns={columns}
              order={order}
              onSort={onSort}
              selected={selected}
              onColumns={onColumns}
              onToggleAll={selected === 'all' ? selecting.clear : selecting.selectAll}
            />
          )}
          <div
            ref={tiling.body}
            role="rowgroup"
            style={{ ...tiling.bodyStyle, ...(isList || tiling.geometry ? {} : firstPaintGrid(view)) }}
            className={cx(
              'relative',
              isList
                ? isCompact
                  ? '@max-[600px]:[--entry:50px]'
                  : '@max-[600px]:[--entry:64px]'
                : 'px-(--inset)',
            )}
          >
            <EntryPieces
              {...props}
              columns={columns}
              tiling={tiling}
              current={current.row}
              over={rowDrag.over}
              canDrag={drag !== undefined}
              hasMenu={menu !== undefined}
              groups={groups}
            />
            {marquee.box && (
              <div
                className="pointer-events-none absolute z-20 rounded-small border border-blue bg-blue/12"
                style={{
                  left: marquee.box.left,
                  top: marquee.box.top,
                  width: marquee.box.right - marquee.box.left,
                  height: marquee.box.bottom - marquee.box.top,
                }}
              />
            )}
          </div>
        </div>
        {entries.failure !== undefined && <FailedLine onRetry={entries.retry} />}
      </div>
      <ContextMenu
        at={entryMenu.open?.at ?? null}
        aria-label={entryMenu.open?.ofFolder ? label : t('node.actions')}
        onClose={entryMenu.close}
      >
        {entryMenu.open &&
          (entryMenu.open.ofFolder
            ? folderMenu?.()
            : menu?.(meantIn(entries, selecting.selection, current.row)))}
      </ContextMenu>
    </>
  );
}

const ENTRANCES = new Set(['ArrowDown', 'ArrowUp', 'Home', 'End']);

/** While nothing has the focus, arrow keys enter a list that fills the page, and Ctrl+A selects in it. */
function useEntrance(isWholePage: boolean, enter: () => void, selectAll: () => void) {
  const onKey = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (event.defaultPrevented || document.activeElement !== document.body || event.altKey) return;
    const isAll = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'a';
    if (!isAll && !ENTRANCES.has(event.key)) return;
    event.preventDefault();
    enter();
    if (isAll) selectAll();
  });
  useEffect(() => {
    if (!isWholePage) return undefined;
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [isWholePage]);
}

function columnStyle(columns: readonly Column[]): CSSProperties {
  const widths = columns.map(({ width }) => width).join(' ');
  return {
    '--row-columns': `56px minmax(0, 1fr) ${widths} 64px`,
    '--row-columns-narrow': '[check] auto [name] minmax(0, 1fr) [menu] 52px',
  } as CSSProperties;
}

/** Position of the menu opened by keyboard: below the start of the row. */
function placeUnder(grid: HTMLElement | null, row: number): { x: number; y: number } {
  const box = grid?.querySelector(`[data-row="${row}"]`)?.getBoundingClientRect();
  return box
    ? { x: box.left + Math.min(72, box.width / 2), y: Math.min(box.bottom, innerHeight - 16) }
    : { x: 16, y: 16 };
}

/** Scrolls to the row being renamed, and returns the focus to it afterwards. */
function useRenamed(
  id: string | undefined,
  indexOf: (id: string) => number | undefined,
  reveal: (row: number) => void,
  current: { readonly row: number; readonly move: (row: number, focus: boolean) => void },
) {
  const before = useRef(id);
  useEffect(() => {
    if (before.current === id) return;
    const row = id === undefined ? undefined : indexOf(id);
    if (row !== undefined) {
      reveal(row);
      current.move(row, false);
    } else if (before.current !== undefined) current.move(current.row, true);
    before.current = id;
  });
}

const SAID_AFTER_MS = 300;

function useAnnounced(count: number) {
  const t = useT();
  const before = useRef(count);
  useEffect(() => {
    if (before.current === count) return undefined;
    const timer = setTimeout(() => {
      before.current = count;
      announce(t('node.selected', { count }));
    }, SAID_AFTER_MS);
    return () => clearTimeout(timer);
  }, [count, t]);
}
