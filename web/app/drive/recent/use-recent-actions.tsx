import { useState, type ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { LIMITS, recentApi, type File, type RecentKind } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useT } from '#app/i18n/t.ts';
import type { Selection } from '#app/node/index.ts';
import { useFailureToast } from '#app/page/use-failure-toast.ts';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { toast } from '#app/ui/toast/toast.tsx';
import { LISTINGS } from '../drive-data.ts';
import type { Listing } from '../listing.tsx';
import { continueQuery, HAPPENED, type RecentFilter } from './recent-data.ts';

export interface RecentActions {
  /** Removes entries from the list; their files are kept. */
  readonly remove: (selection: Selection) => void;
  /** Forgets the position of a video. */
  readonly removePlay: (file: File) => void;
  readonly askClear: () => void;
  readonly dialog: ReactNode;
}

/** Removing from Recent: some entries, which can be undone, or all of the chosen kind. */
export function useRecentActions({ entries, selecting }: Listing, { kind }: RecentFilter): RecentActions {
  const t = useT();
  const call = useCall();
  const client = useQueryClient();
  const fail = useFailureToast();
  const [isAsking, setAsking] = useState(false);
  const kinds: readonly RecentKind[] | undefined = kind && HAPPENED[kind];

  /** Does it, refreshes and reports it. `undo` reverts it, if that is possible. */
  async function doing(
    work: () => Promise<unknown>,
    { text, undo }: { text: string; undo?: () => Promise<unknown> },
  ): Promise<void> {
    const run = (): void => void doing(undo!, { text: t('drive.undone', { what: text }) });
    try {
      await work();
      toast.show({ text, ...(undo ? { undo: { label: t('drive.undo'), run } } : {}) });
    } catch (error) {
      fail(error);
    } finally {
      await client.invalidateQueries({ queryKey: [...LISTINGS, 'recent'] });
      await client.invalidateQueries({ queryKey: [...LISTINGS, 'continue'] });
    }
  }

  /** Removes entries of the kinds, or all; any number of them is undone in one step. */
  function forget(ids: readonly string[], wanted: readonly RecentKind[] | undefined, text: string): void {
    const removals: string[] = [];
    void doing(
      async () => {
        for (let at = 0; at < ids.length; at += LIMITS.batch) {
          const body = {
            file_ids: ids.slice(at, at + LIMITS.batch),
            ...(wanted ? { kinds: [...wanted] } : {}),
          };
          removals.push((await call(recentApi.remove, { body })).removal);
        }
      },
      {
        text,
        undo: async () => {
          for (const removal of removals) await call(recentApi.restore, { body: { removal } });
        },
      },
    );
  }

  return {
    remove(selection) {
      void entries.idsOf(selection).then((ids) => {
        if (ids.length === 0) return undefined;
        const gone = new Set(ids);
        entries.change((file) => (gone.has(file.id) ? undefined : file));
        selecting.clear();
        return forget(ids, kinds, t('drive.recent.removed', { count: ids.length }));
      }, fail);
    },
    removePlay(file) {
      client.setQueryData<readonly File[]>(continueQuery(call).queryKey, (files) =>
        files?.filter(({ id }) => id !== file.id),
      );
      forget([file.id], ['played'], t('drive.recent.continue.removed'));
    },
    askClear: () => setAsking(true),
    dialog: (
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        isDanger
        title={kind ? t('drive.recent.clear.titleOfKind') : t('drive.recent.clear.title')}
        text={kind ? t('drive.recent.clear.textOfKind') : t('drive.recent.clear.text')}
        confirmLabel={t('drive.recent.clear')}
        onConfirm={() => {
          setAsking(false);
          selecting.clear();
          entries.change(() => undefined);
          void doing(() => call(recentApi.clear, { body: kinds ? { kinds: [...kinds] } : {} }), {
            text: t('drive.recent.cleared'),
          });
        }}
      />
    ),
  };
}
