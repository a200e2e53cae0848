import { lazy, Suspense, useState, type ReactNode } from 'react';
import type { File } from '@bowerbird/contract';
import { isFolder, namedIds, type Entries, type Selection } from '#app/node/index.ts';
import type { FileActions } from '../file-menu.tsx';
import { usePins } from '../pin/pin-data.ts';
import { usePinning } from '../pin/use-pinning.ts';
import { useLooks } from './use-looks.ts';

const LookDialog = lazy(() => import('./look-dialog.tsx'));

/** Work on folders of a listing: pinning them, and giving them colors and icons. */
export function useFolderWork(entries: Entries): {
  readonly actionsFor: (selection: Selection) => Pick<FileActions, 'pin' | 'look'>;
  readonly dialogs: ReactNode;
} {
  const pins = usePins();
  const { pin, unpin } = usePinning();
  const look = useLooks();
  const [asked, setAsked] = useState<readonly File[]>();

  return {
    actionsFor(selection) {
      const files = namedIds(selection).map((id) => entries.fileOf(id));
      const folders = files.filter((file) => file !== undefined && isFolder(file)) as File[];
      const [folder] = folders;
      if (!folder || folders.length < files.length || folder.trashed)
        return { pin: undefined, look: undefined };
      const known = pins.find(({ id }) => id === folder.id);
      return {
        pin:
          folders.length > 1
            ? undefined
            : { isPinned: known !== undefined, run: () => void (known ? unpin(known) : pin(folder)) },
        look: () => setAsked(folders),
      };
    },
    dialogs: asked && (
      <Suspense>
        <LookDialog
          count={asked.length}
          initial={{
            color: (asked.length === 1 && asked[0]!.folder_color) || '',
            emoji: (asked.length === 1 && asked[0]!.folder_emoji) || '',
          }}
          onClose={() => setAsked(undefined)}
          onLook={(change) => {
            const ids = asked.map(({ id }) => id);
            entries.change((file) => (ids.includes(file.id) ? withLook(file, change) : file));
            void look(ids, change);
          }}
        />
      </Suspense>
    ),
  };
}

function withLook(file: File, { color, emoji }: Parameters<ReturnType<typeof useLooks>>[1]): File {
  const { folder_color: oldColor = '', folder_emoji: oldEmoji = '', ...rest } = file;
  const [newColor, newEmoji] = [color ?? oldColor, emoji ?? oldEmoji];
  return {
    ...rest,
    ...(newColor === '' ? {} : { folder_color: newColor }),
    ...(newEmoji === '' ? {} : { folder_emoji: newEmoji }),
  };
}
