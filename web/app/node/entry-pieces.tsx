import { useMemo } from 'react';
import type { Column, ExplorerProps } from './explorer-props.ts';
import { isSelected } from './selection.ts';
import { type EntryLook, Row, RowPlace } from './row.tsx';
import { Tile, TilePlace } from './tile.tsx';
import type { Tiling } from './use-tiling.ts';

interface EntryPiecesProps extends ExplorerProps {
  readonly columns: readonly Column[];
  readonly tiling: Tiling;
  readonly current: number;
  /** The row of the folder that something is dragged over. */
  readonly over: number | undefined;
  readonly canDrag: boolean;
  readonly hasMenu: boolean;
}

/** Px that a tile's caption spends beside its name, and what a narrow character of it takes. */
const CAPTION_REST = 72;
const CHARACTER = 6.9;
const FIRST_PAINT_ROOM = 30;

/** The rendered rows. Each keeps its element while it is on the screen, however the list is scrolled or reshaped. */
export function EntryPieces(props: EntryPiecesProps) {
  const { entries, selecting, view, tiling, current, over, rename, dimmed, columns } = props;
  const { badges, hrefOf, canStar = true, hasMenu, canDrag } = props;
  const look = useMemo<EntryLook>(
    () => ({ columns, badges, hrefOf, canStar, hasMenu, canDrag, isSelecting: selecting.isActive }),
    [columns, badges, hrefOf, canStar, hasMenu, canDrag, selecting.isActive],
  );
  const { geometry, styleOf, rows } = tiling;
  const styles = useMemo(() => new Map(rows.map((row) => [row, styleOf(row)])), [rows, styleOf]);
  const room = geometry ? Math.floor((geometry.width - CAPTION_REST) / CHARACTER) * 2 - 3 : FIRST_PAINT_ROOM;

  return rows.map((row) => {
    const file = entries.fileAt(row);
    const style = styles.get(row) ?? {};
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
    return view === 'list' ? (
      <Row key={file.id} {...piece} />
    ) : (
      <Tile key={file.id} {...piece} isLarge={view === 'flow'} room={room} />
    );
  });
}
