import type { CSSProperties, ReactNode } from 'react';
import type { File } from '@bowerbird/contract';
import type { Column, Renaming } from './explorer-props.ts';

/** Appearance that all entries of a list share. */
export interface EntryLook {
  readonly columns: readonly Column[];
  readonly badges: ((file: File) => ReactNode) | undefined;
  readonly hrefOf: ((file: File) => string | undefined) | undefined;
  readonly canStar: boolean;
  readonly hasMenu: boolean;
  readonly canDrag: boolean;
  /** Taps select, and every checkbox shows. */
  readonly isSelecting: boolean;
  /** Of wide and narrow rows, which are rendered: both as long as only CSS knows the width. */
  readonly shapes: 'both' | 'wide' | 'narrow';
  /** Letters that two lines of a name have room for. */
  readonly room: number;
}

/** One entry, as a row or a tile. */
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
