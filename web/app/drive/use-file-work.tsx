import { useState, type ReactNode } from 'react';
import { isExtractable, LIMITS, type File } from '@bowerbird/contract';
import { useErrorText } from '#app/api/error-text.ts';
import { useT } from '#app/i18n/t.ts';
import {
  isEmpty,
  isFolder,
  namedIds,
  singleId,
  wireSelections,
  type BarAction,
  type DisplayMode,
  type Entries,
  type Renaming,
  type Selecting,
  type Selection,
} from '#app/node/index.ts';
import { ShareDialog } from '#app/share/own/index.ts';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { toast } from '#app/ui/toast/toast.tsx';
import { FolderPicker } from '#app/node/folder-picker.tsx';
import { clipboard } from './clipboard.ts';
import { DeviceDialog } from './device/index.tsx';
import { isStarred, type ListingRole } from './drive-data.ts';
import { isEditable, useTexts, type Texts } from './editor/index.ts';
import { barActionsOf, type FileActions } from './file-menu.tsx';
import { useFolderWork } from './look/use-folder-work.tsx';
import { allowedActions } from './people/allowed-actions.ts';
import { useManyWork } from './rename/use-many-work.tsx';
import { useTagWork } from './tag/use-tag-work.tsx';
import { UnlockDialog } from './unlock-dialog.tsx';
import { HistoryDialog } from './version/index.tsx';
import { useOperations, type Operations } from './use-operations.ts';

type Asked =
  | { readonly what: 'move' | 'copy'; readonly ids: readonly string[] }
  | { readonly what: 'share'; readonly ids: readonly string[]; readonly files: readonly File[] }
  | { readonly what: 'delete'; readonly ids: readonly string[] }
  | { readonly what: 'unlock' | 'history' | 'device'; readonly file: File };

export interface FileWorkOptions {
  readonly entries: Entries;
  readonly selecting: Selecting;
  /** Listed folder; `undefined` in listings of several folders. */
  readonly folderId: string | undefined;
  readonly mode: Pick<DisplayMode, 'order' | 'pinFoldersTop'>;
  /** Role of the member in what is listed; the owner's if absent. */
  readonly role?: ListingRole | undefined;
  readonly onOpen: (file: File) => void;
  readonly onDetails: (id: string | undefined) => void;
}

export interface FileWork {
  readonly operations: Operations;
  readonly texts: Texts;
  readonly actionsFor: (selection: Selection) => FileActions;
  readonly allStarred: (selection: Selection) => boolean;
  readonly barActions: readonly BarAction[];
  readonly renaming: Renaming | undefined;
  readonly askDelete: (selection: Selection) => void;
  readonly askMove: (ids: readonly string[]) => void;
  /** Asks for conditions to select by; absent in listings of several folders. */
  readonly askSelect: (() => void) | undefined;
  /** Puts files on the drive's clipboard. */
  readonly hold: (selection: Selection, cut: boolean) => void;
  readonly dialogs: ReactNode;
}

const onlyIds = (ids: readonly string[]): Selection => ({
  mode: 'some',
  picked: new Map(ids.map((id) => [id, { bytes: undefined }])),
});

/** Actions on files of one listing: those of its menu, its bar and its keys, and the dialogs that they open. */
export function useFileWork(options: FileWorkOptions): FileWork {
  const { entries, selecting, folderId, role = 'owner', onOpen, onDetails } = options;
  const t = useT();
  const errorText = useErrorText();
  const operations = useOperations();
  const texts = useTexts();
  const [asked, setAsked] = useState<Asked>();
  const [renamingId, setRenamingId] = useState<string>();
  const close = (): void => setAsked(undefined);
  const fileOf = (selection: Selection): File | undefined => {
    const id = singleId(selection);
    return id === undefined ? undefined : entries.fileOf(id);
  };
  const allStarred = (selection: Selection): boolean => {
    const ids = namedIds(selection);
    return (
      ids.length > 0 &&
      ids.every((id) => {
        const file = entries.fileOf(id);
        return file !== undefined && isStarred(file);
      })
    );
  };

  /** Passes on every id in a selection, including "all" of a folder. */
  const withIds = (selection: Selection, work: (ids: readonly string[]) => void): void => {
    entries.idsOf(selection).then(
      (ids) => ids.length > 0 && work(ids),
      (error: unknown) => toast.show({ text: errorText(error), tone: 'danger' }),
    );
  };
  const many = useManyWork({ ...options, withIds });
  const tags = useTagWork({ entries, withIds });
  const folders = useFolderWork(entries);
  /** Folder of an entry: the listed one, or the entry's own in a listing of several folders. */
  const placeOf = (id: string): string => folderId ?? entries.parentOf(id) ?? '';

  function download(selection: Selection): void {
    const file = fileOf(selection);
    if (file && !isFolder(file)) void operations.downloadFile(file.id);
    else if (folderId !== undefined || selection.mode === 'some')
      void operations.downloadPacked(wireSelections(selection, folderId ?? '', LIMITS.batch));
    else
      withIds(
        selection,
        (ids) => void operations.downloadPacked(wireSelections(onlyIds(ids), '', LIMITS.batch)),
      );
  }

  async function extract(file: File): Promise<void> {
    if ((await operations.extract(file, '')) === 'PASS_WORD_EMPTY') setAsked({ what: 'unlock', file });
  }

  async function unlock(file: File, password: string): Promise<string | undefined> {
    if ((await operations.extract(file, password)) === 'PASS_WORD_ERROR')
      return t('error.unzip_password_incorrect');
    close();
    return undefined;
  }

  function share(ids: readonly string[]): void {
    if (ids.length > LIMITS.shareRoots) {
      toast.show({ text: t('error.operating_file_count_exceeded'), tone: 'danger' });
      return;
    }
    const files = ids.map((id) => entries.fileOf(id)).filter((file) => file !== undefined);
    setAsked({ what: 'share', ids, files });
  }

  function trash(ids: readonly string[]): void {
    const gone = new Set(ids);
    // First, because a report of what failed has names.
    void operations.trash(ids);
    entries.change((file) => (gone.has(file.id) ? undefined : file));
    selecting.clear();
  }

  function star(selection: Selection): void {
    const starred = !allStarred(selection);
    withIds(selection, (ids) => {
      const marked = new Set(ids);
      entries.change((file) =>
        marked.has(file.id) ? { ...file, starred, tags: starred ? [{ name: 'STAR', type: 0 }] : [] } : file,
      );
      void operations.star(ids, starred);
    });
  }

  const actionsFor = (selection: Selection): FileActions => {
    const file = fileOf(selection);
    return allowedActions(role, {
      open: file && (() => onOpen(file)),
      edit: file && isEditable(file) ? () => texts.edit(file) : undefined,
      download: () => download(selection),
      extract: file && !isFolder(file) && isExtractable(file.name) ? () => void extract(file) : undefined,
      share: () => withIds(selection, share),
      sendToDevice: file && !isFolder(file) ? () => setAsked({ what: 'device', file }) : undefined,
      rename: file
        ? () => setRenamingId(file.id)
        : isEmpty(selection)
          ? undefined
          : () => many.askRename(selection),
      copyTo: () => withIds(selection, (ids) => setAsked({ what: 'copy', ids })),
      moveTo: () => withIds(selection, (ids) => setAsked({ what: 'move', ids })),
      star: () => star(selection),
      tag: () => tags.ask(selection),
      ...folders.actionsFor(selection),
      details: () => onDetails(singleId(selection)),
      history: file && !isFolder(file) ? () => setAsked({ what: 'history', file }) : undefined,
      trash: () => withIds(selection, trash),
    });
  };

  const renamed = renamingId === undefined ? undefined : entries.fileOf(renamingId);
  const renaming: Renaming | undefined = renamed && {
    id: renamed.id,
    async submit(name) {
      if (name === renamed.name) {
        setRenamingId(undefined);
        return undefined;
      }
      const problem = await operations.rename(renamed, name);
      if (problem === undefined) {
        entries.change((file) => (file.id === renamed.id ? { ...file, name } : file));
        setRenamingId(undefined);
      }
      return problem;
    },
    cancel: () => setRenamingId(undefined),
  };

  const actions = actionsFor(selecting.selection);
  const barActions = barActionsOf(t, actions, allStarred(selecting.selection));

  const dialogs = (
    <>
      {(asked?.what === 'move' || asked?.what === 'copy') && (
        <FolderPicker
          title={
            asked.what === 'move'
              ? t('drive.picker.moveTitle', { count: asked.ids.length })
              : t('drive.picker.copyTitle', { count: asked.ids.length })
          }
          confirm={asked.what === 'move' ? t('drive.picker.moveHere') : t('drive.picker.copyHere')}
          start={folderId ?? ''}
          refused={
            new Set([...asked.ids, ...(asked.what === 'move' && folderId !== undefined ? [folderId] : [])])
          }
          onClose={close}
          onPick={(folder) => {
            close();
            selecting.clear();
            void (asked.what === 'move'
              ? operations.move(asked.ids, placeOf, folder.id)
              : operations.copy(asked.ids, folder.id));
          }}
        />
      )}
      {asked?.what === 'share' && (
        <ShareDialog subject={{ ids: asked.ids, files: asked.files }} onClose={close} />
      )}
      {texts.dialogs}
      {asked?.what === 'device' && <DeviceDialog file={asked.file} onClose={close} />}
      {asked?.what === 'history' && <HistoryDialog file={asked.file} onClose={close} />}
      {many.dialogs}
      {tags.dialogs}
      {folders.dialogs}
      {asked?.what === 'unlock' && (
        <UnlockDialog
          name={asked.file.name}
          onSubmit={(password) => unlock(asked.file, password)}
          onClose={close}
        />
      )}
      <ConfirmDialog
        isOpen={asked?.what === 'delete'}
        onClose={close}
        isDanger
        title={t('drive.delete.title')}
        text={t('drive.delete.text', { count: asked?.what === 'delete' ? asked.ids.length : 0 })}
        confirmLabel={t('drive.delete.confirm')}
        onConfirm={() => {
          if (asked?.what !== 'delete') return;
          const gone = new Set(asked.ids);
          close();
          void operations.remove(asked.ids);
          entries.change((file) => (gone.has(file.id) ? undefined : file));
          selecting.clear();
        }}
      />
    </>
  );

  return {
    operations,
    texts,
    actionsFor,
    allStarred,
    barActions,
    renaming,
    askDelete: (selection) =>
      role === 'owner' && withIds(selection, (ids) => setAsked({ what: 'delete', ids })),
    askMove: (ids) => setAsked({ what: 'move', ids }),
    askSelect: role === 'owner' ? many.askSelect : undefined,
    hold: (selection, cut) =>
      withIds(selection, (ids) => {
        clipboard.hold({ ids, from: new Map(ids.map((id) => [id, placeOf(id)])), cut });
        toast.show({
          text: cut
            ? t('drive.clipboard.cut', { count: ids.length })
            : t('drive.clipboard.copied', { count: ids.length }),
        });
      }),
    dialogs,
  };
}
