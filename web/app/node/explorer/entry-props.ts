import type { CSSProperties, ReactNode } from 'react';
import type { File } from '@bowerbird/contract';
import type { Mark } from '../name/marks.ts';
import type { Column } from '../columns/column.ts';
import type { Renaming } from './explorer-props.ts';

/** Appearance shared by all entries of a list. */
export interface EntryLook {
  readonly columns: readonly Column[];
  readonly badges: ((file: File) => ReactNode) | undefined;
  readonly hrefOf: ((file: File) => string | undefined) | undefined;
  readonly marksOf: ((file: File) => readonly Mark[] | undefined) | undefined;
  readonly tileHint: ((file: File) => ReactNode) | undefined;
  readonly canStar: boolean;
  readonly hasMenu: boolean;
  readonly canDrag: boolean;
  /** Taps select, and every checkbox is visible. */
  readonly isSelecting: boolean;
  /** Rendered shapes, wide or narrow rows: both while only CSS knows the width. */
  readonly shapes: 'both' | 'wide' | 'narrow';
  /** True for low rows: the name on one line, a small icon. */
  readonly isCompact: boolean;
  /** Number of letters that fit on the two lines of a name. */
  readonly room: number;
}

/** Entry, as a row or a tile. */
export interface EntryProps {
  readonly file: File;
  readonly row: number;
  readonly look: EntryLook;
  readonly style: CSSProperties;
  readonly isSelected: boolean;
  readonly isCurrent: boolean;
  readonly isDropTarget: boolean;
  readonly isDimmed: boolean;
  readonly renaming: Renaming | undefined;
}

/** Placeholder of an entry whose page is still loading. */
export interface EntryPlaceProps {
  readonly row: number;
  readonly style: CSSProperties;
  readonly isCurrent: boolean;
}
