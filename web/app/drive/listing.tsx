import type { ComponentProps, ReactNode } from 'react';
import { ListFilter } from 'lucide-react';
import type { File } from '@bowerbird/contract';
import { useErrorText } from '#app/api/error-text.ts';
import { useLocalePath } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import {
  only,
  Explorer,
  isFolder,
  otherView,
  SelectionBar,
  singleId,
  useOpenFile,
  useSelecting,
  type BarAction,
  type DisplayModeControl,
  type Entries,
  type EntryAction,
  type OpenFile,
  type Selecting,
  type Selection,
} from '#app/node/index.ts';
import { Button } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { MenuItem, MenuSeparator } from '#app/ui/menu/menu.tsx';
import { DetailsPanel } from './details-panel.tsx';
import { useFileColumns } from '#app/node/columns/file-columns.tsx';
import { folderHref, type ListingRole } from './drive-data.ts';
import { DrivePreview } from './drive-preview.tsx';
import { FileMenuItems } from './file-menu.tsx';
import { useTagMarks } from './tag/tag-marks.tsx';
import { useDetails, type Details } from './use-details.ts';
import { useFileWork, type FileWork } from './use-file-work.tsx';
import { PrintedList } from './view/printed-list.tsx';

/** List of entries in the drive, and the actions on them. */
export interface Listing {
  readonly entries: Entries;
  readonly mode: DisplayModeControl;
  readonly selecting: Selecting;
  readonly preview: OpenFile;
  readonly details: Details;
  readonly work: FileWork;
  readonly open: (file: File) => void;
}

export function useListing({
  key,
  entries,
  mode,
  folderId,
  role,
  openFolder,
}: {
  /** Identifies the place: moving to another one clears the selection. */
  readonly key: string;
  readonly entries: Entries;
  readonly mode: DisplayModeControl;
  /** Listed folder; `undefined` in listings of several folders. */
  readonly folderId: string | undefined;
  /** Role of the member in what is listed; the owner's if absent. */
  readonly role?: ListingRole | undefined;
  readonly openFolder: (folder: File) => void;
}): Listing {
  const selecting = useSelecting(entries, key);
  const preview = useOpenFile();
  const details = useDetails(selecting);
  const open = (file: File): void => (isFolder(file) ? openFolder(file) : preview.open(file.id));
  const work = useFileWork({
    entries,
    selecting,
    folderId,
    role,
    mode,
    onOpen: open,
    onDetails: details.show,
  });
  return { entries, mode, selecting, preview, details, work, open };
}

type KeyActions = Partial<Record<EntryAction, (selection: Selection) => void | false>>;

/** Returns the actions of keys common to all listings. */
function actionsOf({ work, details, mode }: Listing): KeyActions {
  return {
    rename: (selection) => work.actionsFor(selection).rename?.(),
    trash: (selection) => work.actionsFor(selection).trash?.(),
    delete: work.askDelete,
    copy: (selection) => (work.actionsFor(selection).copyTo ? work.hold(selection, false) : false),
    details: (selection) => details.toggle(singleId(selection)),
    star: (selection) => work.actionsFor(selection).star?.(),
    tag: (selection) => work.actionsFor(selection).tag?.(),
    download: (selection) => work.actionsFor(selection).download(),
    'toggle-view': () => mode.setView(otherView(mode.viewType)),
    'select-by': () => (work.askSelect ? work.askSelect() : false),
  };
}

type ExplorerProps = ComponentProps<typeof Explorer>;

/** List with its selection, details and preview; `frame` renders the surroundings. */
export function ListingView({
  listing,
  home,
  keyActions,
  frame,
  folderMenu,
  barActions = (usual) => usual,
  ...props
}: {
  readonly listing: Listing;
  /** Address of the listing's page. */
  readonly home: string;
  /** Actions of keys on this page in addition to the common ones. */
  readonly keyActions?: KeyActions;
  readonly frame?: (className: string, children: ReactNode) => ReactNode;
  /** Changes the actions of the selection bar on this page. */
  readonly barActions?: (usual: readonly BarAction[]) => readonly BarAction[];
} & Pick<ExplorerProps, 'label' | 'placeKey' | 'empty'> &
  Partial<ExplorerProps>) {
  const t = useT();
  const path = useLocalePath();
  const text = useErrorText();
  const { entries, mode, selecting, preview, details, work, open } = listing;
  const all = { ...actionsOf(listing), ...keyActions };
  const actions = barActions(work.barActions);
  const badges = useTagMarks();
  const columns = useFileColumns(mode.columns);
  const content = (
    <>
      <div className="relative min-h-0 min-w-0 flex-1">
        <Explorer
          entries={entries}
          selecting={selecting}
          view={mode.viewType}
          columns={columns}
          isCompact={mode.isCompact}
          onOpen={open}
          hrefOf={(file) =>
            path(
              isFolder(file)
                ? folderHref(file.id)
                : `${home}${home.includes('?') ? '&' : '?'}open_file=${file.id}`,
            )
          }
          onAction={(action, selection) => {
            const run = all[action];
            return run ? run(selection) : false;
          }}
          menu={(selection) => (
            <FileMenuItems actions={work.actionsFor(selection)} isStarred={work.allStarred(selection)} />
          )}
          badges={badges}
          rename={work.renaming}
          failed={(failure, retry) => (
            <EmptyState
              title={t('drive.failed.title')}
              text={text(failure)}
              actions={<Button onClick={retry}>{t('ui.retry')}</Button>}
            />
          )}
          {...props}
          folderMenu={
            folderMenu &&
            (() => (
              <>
                {folderMenu()}
                {work.askSelect && entries.count > 0 && (
                  <>
                    <MenuSeparator />
                    <MenuItem icon={<ListFilter />} shortcut="+" onAction={work.askSelect}>
                      {t('node.select.by')}
                    </MenuItem>
                  </>
                )}
              </>
            ))
          }
        />
        <SelectionBar
          over="list"
          selecting={selecting}
          total={entries.total}
          actions={actions}
          onSelectBy={work.askSelect}
        />
      </div>
      {details.isShown && (
        <DetailsPanel
          file={details.id === undefined ? undefined : entries.fileOf(details.id)}
          entries={entries}
          selecting={selecting}
          actions={actions}
          onHistory={(file) => work.actionsFor(only(file)).history?.()}
          onTags={(file) => work.actionsFor(only(file)).tag?.()}
          onClose={details.hide}
        />
      )}
    </>
  );
  const className = 'relative flex min-h-0 flex-1';
  return (
    <>
      {frame ? frame(className, content) : <div className={className}>{content}</div>}
      {preview.id !== undefined && <DrivePreview preview={preview} entries={entries} work={work} />}
      {work.dialogs}
      <PrintedList title={props.label} entries={entries} columns={props.columns ?? columns} />
    </>
  );
}
