import type { ReactNode, Ref } from 'react';
import type { File, Order } from '@bowerbird/contract';
import type { Column } from '../columns/column.ts';
import type { Dragged } from '../dragging.ts';
import type { Entries } from '../entries/entries.ts';
import type { Selection } from '../entries/selection.ts';
import type { Selecting } from '../entries/use-selecting.ts';
import type { Mark } from '../name/marks.ts';
import type { EntryAction } from './keyboard.ts';

/** Lines, tiles, or large pictures below one another. */
export type ExplorerView = 'list' | 'grid' | 'flow';

export interface ExplorerProps {
  /** Accessible name of the list: the folder's name, or the contents of the list. */
  readonly label: string;
  readonly entries: Entries;
  readonly selecting: Selecting;
  readonly view: ExplorerView;
  /** Identifies the listing: its scroll position and current row are restored by this key. */
  readonly placeKey: string;
  /** `own`: the list fills its parent and scrolls; `page`: the list has its full height and the page scrolls. */
  readonly scroll?: 'own' | 'page';

  /** Called on double click, Enter and tap. */
  readonly onOpen: (file: File) => void;
  /** Address of an entry: turns its name into a link, for middle clicks and for users without scripts. */
  readonly hrefOf?: ((file: File) => string | undefined) | undefined;
  /**
   * Handles keys and buttons that act; the selection holds at least the current row. Returning false leaves a key
   * to the browser.
   */
  readonly onAction?: ((action: EntryAction, selection: Selection) => void | false) | undefined;
  /** Called on Backspace and Alt+↑. */
  readonly onParent?: (() => void) | undefined;

  /** Order of the listing; with `onSort` the list's header sorts. */
  readonly order?: Order | undefined;
  readonly onSort?: ((order: Order) => void) | undefined;
  /** Columns instead of "Modified" and "Size"; the last ones are left out where they don't fit. */
  readonly columns?: readonly Column[] | undefined;
  /** Opens the choice of columns; a button in the list's header. */
  readonly onColumns?: (() => void) | undefined;
  /** True for low rows with small icons. */
  readonly isCompact?: boolean | undefined;
  /** Small icons after a name (shared, offline …), beside the star. */
  readonly badges?: ((file: File) => ReactNode) | undefined;
  /** Parts of a name to highlight: what a search found. */
  readonly marksOf?: ((file: File) => readonly Mark[] | undefined) | undefined;
  /** Line below the name of a tile; rows show it as a column. */
  readonly tileHint?: ((file: File) => ReactNode) | undefined;
  /** False where entries can't be starred (shares, trash). */
  readonly canStar?: boolean;

  /** Menu items (`MenuItem`, `MenuSeparator` …) for a right click, Shift+F10 and the row's menu button. */
  readonly menu?: ((selection: Selection) => ReactNode) | undefined;
  /** Menu items for a right click on empty space. */
  readonly folderMenu?: (() => ReactNode) | undefined;
  readonly rename?: Renaming | undefined;
  /** Entries shown dimmed: cut, or being moved. */
  readonly dimmed?: ReadonlySet<string> | undefined;
  readonly drag?: Dragging | undefined;

  /**
   * Group of an entry in a list, such as its day: the first entry of each group gets a heading. Entries of a group are
   * next to each other.
   */
  readonly groupOf?:
    | ((file: File) => { readonly id: string; readonly label: string } | undefined)
    | undefined;
  /** Content above the entries that scrolls with them, also if there are none; only with `own` scrolling. */
  readonly lead?: ReactNode;

  /** Shown if there are no rows. */
  readonly empty: ReactNode;
  /** Shown if the first page could not be loaded; later pages show a line with "Retry". */
  readonly failed?: ((failure: unknown, retry: () => void) => ReactNode) | undefined;
  readonly handle?: Ref<ExplorerHandle> | undefined;
}

export interface ExplorerHandle {
  /** Scrolls to an entry, makes it current and selects it. */
  readonly reveal: (row: number, how?: { readonly select?: boolean; readonly focus?: boolean }) => void;
  readonly focus: () => void;
}

/** Entry being renamed. */
export interface Renaming {
  readonly id: string;
  /** Submits the new name; a returned text is an error, shown beside the field. */
  readonly submit: (name: string) => Promise<string | undefined>;
  readonly cancel: () => void;
}

export interface Dragging {
  /** Listed folder, so that a drop into it is not a move; `undefined` in search, recent files and so on. */
  readonly folderId: string | undefined;
  readonly canDropInto: (folder: File) => boolean;
  readonly onDrop: (folderId: string, dragged: Dragged, copy: boolean) => void;
  /** Handles files from the desktop dropped onto a folder's row. */
  readonly onFiles?: ((folderId: string, data: DataTransfer) => void) | undefined;
  /** Opens a folder that the pointer rests on. */
  readonly onSpring?: ((folderId: string) => void) | undefined;
}
