import { type CSSProperties, type ReactNode, useMemo } from 'react';
import type { File, FileCategory } from '@bowerbird/contract';
import { cx } from '#app/ui/class-names.ts';
import { isSelected } from '../entries/selection.ts';
import { EntryIcons } from '../entry-icons.tsx';
import { NARROW } from '../columns/fitting.ts';
import { kindOf } from '../file-facts.ts';
import { shownName } from '../name/shown-name.ts';
import type { EntryLook } from './entry-props.ts';
import type { Column } from '../columns/column.ts';
import type { ExplorerProps } from './explorer-props.ts';
import { FLOW_CAPTION, GRID_CAPTION, HEADING, lineTop } from './geometry.ts';
import { Row, RowPlace } from './row.tsx';
import { Tile, TilePlace } from './tile.tsx';
import type { Groups } from './use-groups.ts';
import type { Tiling } from './use-tiling.ts';

interface EntryPiecesProps extends ExplorerProps {
  readonly columns: readonly Column[];
  readonly tiling: Tiling;
  readonly current: number;
  /** Row of the folder under the dragged entries. */
  readonly over: number | undefined;
  readonly canDrag: boolean;
  readonly hasMenu: boolean;
  readonly groups: Groups;
}

/** Width in px of everything beside the name in a tile's caption and in a narrow row, and of an average letter. */
const CAPTION_REST = 78;
/** Narrower tiles are those of phones, which have no icon in their caption. */
const SMALL_TILE = 196;
const SMALL_CAPTION_REST = 58;
const NARROW_ROW_REST = 136;
const LETTER = { tile: 6.9, row: 7.5 } as const;
const FIRST_PAINT_ROOM = { tile: 30, row: 52 } as const;

/** Rendered rows. Each keeps its element while it is on the screen, however the list is scrolled or resized. */
export function EntryPieces(props: EntryPiecesProps) {
  const { entries, selecting, view, tiling, current, over, rename, dimmed, columns, groups } = props;
  const { badges, hrefOf, marksOf, tileHint, canStar = true, hasMenu, canDrag, isCompact = false } = props;
  const { geometry, styleOf, rows } = tiling;
  const room = roomOf(view, geometry?.width);
  const shapes = !geometry ? 'both' : geometry.width < NARROW ? 'narrow' : 'wide';
  const look = useMemo<EntryLook>(
    () => ({
      columns,
      badges,
      hrefOf,
      marksOf,
      tileHint,
      canStar,
      hasMenu,
      canDrag,
      room,
      shapes,
      isCompact,
      isSelecting: selecting.isActive,
    }),
    [
      columns,
      badges,
      hrefOf,
      marksOf,
      tileHint,
      canStar,
      hasMenu,
      canDrag,
      room,
      shapes,
      isCompact,
      selecting.isActive,
    ],
  );
  const placed = useMemo(() => kept(styleOf), [styleOf]);

  const pieces = rows.map((row) => {
    const file = entries.fileAt(row);
    const style = placed(row);
    if (!file) {
      const Place = view === 'list' ? RowPlace : TilePlace;
      return geometry && <Place key={`row ${row}`} row={row} style={style} isCurrent={row === current} />;
    }
    const piece = {
      file,
      row,
      look,
      style,
      isSelected: isSelected(selecting.selection, file.id),
      isCurrent: row === current,
      isDropTarget: row === over,
      isDimmed: dimmed?.has(file.id) ?? false,
      renaming: rename?.id === file.id ? rename : undefined,
    };
    if (view === 'list') return <Row key={file.id} {...piece} />;
    return <Tile key={file.id} {...piece} isLarge={view === 'flow'} />;
  });
  const headings = (row: number): ReactNode[] => {
    const label = view === 'list' ? groups.labelOf(row) : undefined;
    if (label === undefined) return [];
    const top = geometry && lineTop(geometry, row) - HEADING;
    return [<Heading key={`group ${row}`} label={label} top={top} columns={columns.length + 3} />];
  };
  return (
    <>
      <EntryIcons categories={new Set(rows.flatMap((row) => kindsAt(entries, row)))} />
      {rows.flatMap((row, at) => [...headings(row), pieces[at]])}
      {!geometry && <FirstPaintRest {...props} from={rows.length} />}
    </>
  );
}

function kindsAt(entries: ExplorerProps['entries'], row: number): FileCategory[] {
  const file = entries.fileAt(row);
  return file ? [kindOf(file)] : [];
}

/** Substitute for entries beyond the first paint: their space, and links for readers without scripts. */
function FirstPaintRest({ entries, view, hrefOf, from }: ExplorerProps & { from: number }) {
  const rest: File[] = [];
  for (let row = from; row < entries.count; row += 1) {
    const file = entries.fileAt(row);
    if (file) rest.push(file);
  }
  if (rest.length === 0) return null;
  const caption = { '--caption': `${view === 'flow' ? FLOW_CAPTION : GRID_CAPTION}px` } as CSSProperties;
  return (
    <>
      <noscript className="col-span-full">
        {rest.map((file) => (
          <a key={file.id} href={hrefOf?.(file)} className={cx('block py-2', view === 'list' && 'px-4')}>
            {shownName(file.name)}
          </a>
        ))}
      </noscript>
      {view !== 'list' &&
        rest.map((file) => <i key={file.id} className="entry-place noscript:hidden" style={caption} />)}
    </>
  );
}

/** Heading of a group of rows: not one of the rows that keys move through. */
function Heading({ label, top, columns }: { label: string; top: number | undefined; columns: number }) {
  return (
    <div
      role="row"
      style={{ height: HEADING, ...(top === undefined ? {} : { position: 'absolute', insetInline: 0, top }) }}
      className="flex items-end border-b border-line px-(--inset) pb-2 select-none"
    >
      <span role="rowheader" aria-colspan={columns} className="text-13 font-semibold text-ink-2">
        {label}
      </span>
    </div>
  );
}

/** Number of letters that fit on the two lines of a name. */
function roomOf(view: ExplorerProps['view'], width: number | undefined): number {
  const kind = view === 'list' ? 'row' : 'tile';
  if (width === undefined) return FIRST_PAINT_ROOM[kind];
  const rest = kind === 'row' ? NARROW_ROW_REST : width < SMALL_TILE ? SMALL_CAPTION_REST : CAPTION_REST;
  return Math.max(10, Math.floor((width - rest) / LETTER[kind]) * 2 - 2);
}

const MOST_KEPT = 600;

/** Returns the same style object for a row on every render, so that an unchanged row is not rendered again. */
function kept(styleOf: (row: number) => CSSProperties): (row: number) => CSSProperties {
  const styles = new Map<number, CSSProperties>();
  return (row) => {
    let style = styles.get(row);
    if (!style) {
      if (styles.size > MOST_KEPT) styles.clear();
      style = styleOf(row);
      styles.set(row, style);
    }
    return style;
  };
}
