import { lazy, Suspense, useState, type ReactNode } from 'react';
import { LIMITS } from '@bowerbird/contract';
import type { DisplayMode, Entries, Selecting, Selection } from '#app/node/index.ts';
import type { RenameSubject } from './rename-dialog.tsx';
import { useRenameMany, type PlacedRenaming } from './use-rename-many.ts';

const RenameDialog = lazy(() => import('./rename-dialog.tsx'));
const SelectDialog = lazy(() => import('../select/select-dialog.tsx'));

type Asked = { readonly what: 'rename'; readonly subject: RenameSubject } | { readonly what: 'select' };

/** Work on many entries of a listing: renaming them by rules, and selecting them by conditions. */
export function useManyWork({
  entries,
  selecting,
  folderId,
  mode,
  withIds,
}: {
  readonly entries: Entries;
  readonly selecting: Selecting;
  readonly folderId: string | undefined;
  readonly mode: Pick<DisplayMode, 'order' | 'pinFoldersTop'>;
  readonly withIds: (selection: Selection, work: (ids: readonly string[]) => void) => void;
}): {
  readonly askRename: (selection: Selection) => void;
  /** Absent in listings of several folders. */
  readonly askSelect: (() => void) | undefined;
  readonly dialogs: ReactNode;
} {
  const renameMany = useRenameMany();
  const [asked, setAsked] = useState<Asked>();
  const close = (): void => setAsked(undefined);

  function askRename(selection: Selection): void {
    if (selection.mode === 'all' && folderId !== undefined && selection.except.size <= LIMITS.batch)
      setAsked({ what: 'rename', subject: { folderId, except: [...selection.except.keys()] } });
    else withIds(selection, (ids) => setAsked({ what: 'rename', subject: { ids } }));
  }

  function renameAll(renamings: readonly PlacedRenaming[]): void {
    const names = new Map(renamings.map(({ id, to }) => [id, to]));
    close();
    entries.change((file) => {
      const name = names.get(file.id);
      return name === undefined ? file : { ...file, name };
    });
    void renameMany(renamings);
  }

  return {
    askRename,
    askSelect: folderId === undefined ? undefined : () => setAsked({ what: 'select' }),
    dialogs: (
      <Suspense>
        {asked?.what === 'rename' && (
          <RenameDialog subject={asked.subject} mode={mode} onRename={renameAll} onClose={close} />
        )}
        {asked?.what === 'select' && folderId !== undefined && (
          <SelectDialog folderId={folderId} selecting={selecting} onClose={close} />
        )}
      </Suspense>
    ),
  };
}
