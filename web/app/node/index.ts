/**
 * File views shared by the drive and the share pages: lists and grids with selection, keyboard and dragging, their
 * menus, and previews. Independent of any domain: the page defines what an action does.
 *
 * A page combines them like this:
 *
 * ```tsx
 * const mode = useDisplayMode({ scope: 'global', initial: loaderData.displayMode, folderId });
 * const entries = useEntries({
 *   key: ['files', folderId, orderName(mode.order), mode.pinFoldersTop],
 *   load: (pageToken) =>
 *     call(driveApi.list, {
 *       query: {
 *         parent_id: folderId,
 *         page_token: pageToken,
 *         limit: pageToken === '' ? 100 : 1000,
 *         with_total: 'true',
 *         order: orderName(mode.order),
 *       },
 *     }),
 *   initial: loaderData.firstPage,
 * });
 * const selecting = useSelecting(entries, folderId);
 * const preview = useOpenFile();
 *
 * <Explorer label={folder.name} entries={entries} selecting={selecting} view={mode.viewType} placeKey={folderId}
 *   order={mode.order} onSort={mode.setOrder} onOpen={(file) => isFolder(file) ? go(file) : preview.open(file.id)}
 *   onAction={act} menu={(selection) => <FileMenu selection={selection} />} empty={<EmptyState …/>} />
 * <SelectionBar selecting={selecting} total={entries.total} actions={actions} />
 * {preview.id && <Preview … />}
 * ```
 *
 * In a loader: `client.ensureQueryData(entriesQuery({ key, load }))` fills the cache with the first page.
 *
 * **Limits of listings.** The list API pages by cursor, each token from the page before. The first jump far down
 * (End, the scrollbar, Shift+End, "locate") therefore costs one request for every page in between; request 1,000
 * entries a page. Pages far from the screen are unloaded and loaded again by their token. Typing letters searches
 * the loaded names only.
 */
export { type Crumb, Breadcrumb, type BreadcrumbProps } from './breadcrumb.tsx';
export { type BarAction, SelectionBar, type SelectionBarProps } from './selection-bar.tsx';
export { SortMenu, type SortMenuProps } from './sort-menu.tsx';
export { ViewToggle, type ViewToggleProps } from './view-toggle.tsx';
export {
  DEFAULT_DISPLAY_MODE,
  type DisplayMode,
  type DisplayScope,
  firstPaintMode,
  type SharedDisplayMode,
  type ViewType,
  viewTypeOf,
} from './display/display-mode.ts';
export { type DisplayModeControl, useDisplayMode } from './display/use-display-mode.ts';
export { useAskedDisplay } from './display/use-asked-display.ts';
export { beginDrag, type Dragged, endDrag, type FolderDrop, useDragged, useFolderDrop } from './dragging.ts';
export {
  changeEntries,
  type Entries,
  type EntriesSource,
  entriesQuery,
  useEntries,
} from './entries/entries.ts';
export type { EntryBook, EntryPage } from './entries/entry-book.ts';
export { Explorer } from './explorer/explorer.tsx';
export type { Column } from './columns/column.ts';
export type {
  Dragging,
  ExplorerHandle,
  ExplorerProps,
  ExplorerView,
  Renaming,
} from './explorer/explorer-props.ts';
export { useContentsText } from './use-amount-text.ts';
export { SmallTile } from './entry-parts.tsx';
export { FolderIcon } from './folder-icon.tsx';
export { FolderPath } from './folder-path.tsx';
export { hitOf, marksOf } from './search-hit.ts';
export { useHitColumns, type HitPlace } from './use-hit-columns.tsx';
export { FileDetails, type FileDetailsProps, SelectionDetails } from './file-details.tsx';
export { bytesOf, contentUrl, isFolder, kindOf, secondsOf } from './file-facts.ts';
export { type EntryAction, otherView } from './explorer/keyboard.ts';
export { Marked } from './name/marked.tsx';
export type { Mark } from './name/marks.ts';
export { MiddleName } from './name/middle-name.tsx';
export {
  afterLeaving,
  amountOf,
  countOf,
  EVERYTHING,
  including,
  isEmpty,
  isSelected,
  namedIds,
  NOTHING,
  only,
  type Selectable,
  type Selection,
  singleId,
  type WireSelection,
  wireSelections,
} from './entries/selection.ts';
export { type Selecting, useSelecting } from './entries/use-selecting.ts';
export { type OpenFile, useOpenFile } from './use-open-file.ts';
export { Preview, type PreviewProps, SinglePreview, type SinglePreviewProps } from './preview/index.tsx';
export { AudioDock } from './preview/audio/audio-dock.tsx';
export { PlayMemoryProvider, type PlayMemory } from './preview/play-memory.tsx';
