import { lazy, Suspense, useState, type ReactNode } from 'react';
import type { File } from '@bowerbird/contract';
import type { Entries, Selection } from '#app/node/index.ts';
import { useTagging } from './use-tagging.ts';

const TagDialog = lazy(() => import('./tag-dialog.tsx'));

/** Changes of the tags of a listing's entries. */
export function useTagWork({
  entries,
  withIds,
}: {
  entries: Entries;
  withIds: (selection: Selection, work: (ids: readonly string[]) => void) => void;
}): { readonly ask: (selection: Selection) => void; readonly dialogs: ReactNode } {
  const { mark } = useTagging();
  const [asked, setAsked] = useState<readonly string[]>();
  return {
    ask: (selection) => withIds(selection, setAsked),
    dialogs: asked && (
      <Suspense>
        <TagDialog
          ids={asked}
          files={asked.map((id) => entries.fileOf(id)).filter((file) => file !== undefined)}
          onClose={() => setAsked(undefined)}
          onMark={(change) => {
            const marked = new Set(asked);
            entries.change((file) => (marked.has(file.id) ? withTags(file, change) : file));
            void mark(asked, change);
          }}
        />
      </Suspense>
    ),
  };
}

function withTags(file: File, { add, remove }: Parameters<ReturnType<typeof useTagging>['mark']>[1]): File {
  const kept = (file.tag_ids ?? []).filter((id) => !remove.includes(id));
  return { ...file, tag_ids: [...new Set([...kept, ...add])] };
}
