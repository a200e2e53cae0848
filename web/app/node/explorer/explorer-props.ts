import type { ReactNode, Ref } from 'react';
import type { File, Order } from '@bowerbird/contract';
import type { Dragged } from '../dragging.ts';
import type { Entries } from '../entries/entries.ts';
import type { Selection } from '../entries/selection.ts';
import type { Selecting } from '../entries/use-selecting.ts';
import type { EntryAction } from './keyboard.ts';

/** Lines, tiles, or large pictures one under another. */
export type ExplorerView = 'list' | 'grid' | 'flow';

export interface ExplorerProps {
  /** Accessible name of the list: the folder's name, or what it lists. */
  readonly label: string;
  readonly entries: Entries;
  readonly selecting: Selecting;
  readonly view: ExplorerView;
  /** Names the listing: its scroll place and current row are found again under it. */
  readonly placeKey: string;
  /** `own`: the list fills its parent and scrolls; `page`: it is as long as it is and the page scrolls. */
  readonly scroll?: 'own' | 'page';

  /** Double click, Enter, a tap. */
  readonly onOpen: (file: File) => void;
  /** Address of an entry: its name becomes a link, for middle clicks and for readers without scripts. */
  readonly hrefOf?: ((file: File) => string | undefined) | undefined;
  /** Keys and buttons that act; the selection holds at least the current row. Return false to leave a key to the browser. */
  readonly onAction?: ((action: EntryAction, selection: Selection) => void | false) | undefined;
  /** Backspace and Alt+↑. */
  readonly onParent?: (() => void) | undefined;

  /** What the listing is ordered by; with `onSort` the list's header sorts. */
  readonly order?: Order | undefined;
  readonly onSort?: ((order: Order) => void) | undefined;
  /** Columns instead of "Modified" and "Size"; at most three. */
  readonly columns?: readonly Column[] | undefined;
  /** Small marks after a name (shared, offline …), beside the star. */
  readonly badges?: ((file: File) => ReactNode) | undefined;
  /** False where entries can't be starred (shares, trash). */
  readonly canStar?: boolean;

  /** Items (`MenuItem`, `MenuSeparator` …) for a right click, Shift+F10 and the row's menu button. */
  readonly menu?: ((selection: Selection) => ReactNode) | undefined;
  /** Items for a right click on empty space. */
  readonly folderMenu?: (() => ReactNode) | undefined;
  readonly rename?: Renaming | undefined;
  /** Entries shown paler: cut, or on their way elsewhere. */
  readonly dimmed?: ReadonlySet<string> | undefined;
  readonly drag?: Dragging | undefined;

  /** Shown instead of rows where there are none. */
  readonly empty: ReactNode;
  /** Shown instead of rows where the first page could not be loaded; later pages say it in a line with "Retry". */
  readonly failed?: ((failure: unknown, retry: () => void) => ReactNode) | undefined;
  readonly handle?: Ref<ExplorerHandle> | undefined;
}

export interface ExplorerHandle {
  /** Scrolls to an entry, makes it current and selects it. */
  readonly reveal: (row: number, how?: { readonly select?: boolean; readonly focus?: boolean }) => void;
  readonly focus: () => void;
}

export interface Column {
  readonly id: string;
  readonly label: string;
  /** Clicking its header orders by this. */
  readonly sortKey?: Order['key'] | undefined;
  /** CSS width, such as `110px`. */
  readonly width: string;
  readonly align?: 'start' | 'end';
  readonly cell: (file: File) => ReactNode;
}

/** The entry whose name is being edited. */
export interface Renaming {
  readonly id: string;
  /** Takes the new name; a text that comes back is an error and shown beside the field. */
  readonly submit: (name: string) => Promise<string | undefined>;
  readonly cancel: () => void;
}

export interface Dragging {
  /** The folder that is listed, so that dropping into it is not a move; undefined in search, recent and so on. */
  readonly folderId: string | undefined;
  readonly canDropInto: (folder: File) => boolean;
  readonly onDrop: (folderId: string, dragged: Dragged, copy: boolean) => void;
  /** Files from the desktop dropped onto a folder's row. */
  readonly onFiles?: ((folderId: string, data: DataTransfer) => void) | undefined;
  /** A folder on which the pointer rests opens. */
  readonly onSpring?: ((folderId: string) => void) | undefined;
}
