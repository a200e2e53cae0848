import { lazy, Suspense, useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { askToSignIn } from '#app/api/sign-in.ts';
import { useViewer } from '#app/api/viewer.ts';
import { said } from '#app/browser/page-query.ts';
import { useT } from '#app/i18n/t.ts';
import { useFailureToast } from '#app/page/use-failure-toast.ts';
import { toast } from '#app/ui/toast/toast.tsx';
import { forgetRequest, keepRequest, takeRequest, type RestoreRequest } from './restore-request.ts';
import type { OpenShare } from './share-data.ts';

const SavePicker = lazy(() => import('./save-picker.tsx'));

export interface Saving {
  /** Saves these items, or the whole share if no ids are given. */
  readonly save: (ids: readonly string[], count: number) => void;
  readonly isBusy: boolean;
  /** Path of the folder that the whole share was saved to. */
  readonly savedAt: string | undefined;
  readonly dialogs: ReactNode;
}

/**
 * "Save to my drive": a member chooses a folder; a visitor signs in (or up), and saving continues
 * automatically, to the default folder for items saved from shares. An address with `speed_save=1` starts it
 * without a click.
 */
export function useSaving({ id: shareId, opening, openedBy }: OpenShare): Saving {
  const t = useT();
  const navigate = useNavigate();
  const viewer = useViewer();
  const fail = useFailureToast();
  const { search } = useLocation();
  const isSpeedy = said(new URLSearchParams(search), 'speed_save') === '1';
  const [asked, setAsked] = useState<RestoreRequest>();
  const [isBusy, setBusy] = useState(false);
  const [savedAt, setSavedAt] = useState<string>();

  async function restore({ file_ids: fileIds, count }: RestoreRequest, parentId?: string): Promise<void> {
    setBusy(true);
    const hide = toast.show({ text: t('share.saving', { count }) });
    try {
      const { restoreShare, takeBack } = await import('./restore-share.ts');
      const { folder, made } = await restoreShare({
        shareId,
        token: opening.pass_code_token,
        fileIds,
        parentId,
      });
      const address = folder === '' ? '/drive/all' : `/drive/all/${folder}`;
      if (fileIds.length === 0) setSavedAt(address);
      toast.show({
        text: t('share.saved', { count }),
        tone: 'success',
        action: { label: t('share.openFolder'), run: () => void navigate(address) },
        ...(made.length > 0
          ? { undo: { label: t('share.undo'), run: () => void undo(() => takeBack(made)) } }
          : {}),
      });
    } catch (error) {
      fail(error);
    } finally {
      hide();
      setBusy(false);
    }
  }

  async function undo(takeBack: () => Promise<void>): Promise<void> {
    try {
      await takeBack();
      setSavedAt(undefined);
      toast.show({ text: t('share.undone') });
    } catch (error) {
      fail(error);
    }
  }

  // Ownership is known only if the signed-in member is the one who opened the share.
  const isOpenedByViewer = viewer !== null && viewer.sub === openedBy;
  const arrive = useEffectEvent(() => {
    const request = isOpenedByViewer ? takeRequest(shareId, Date.now()) : undefined;
    // The component that asks a visitor to sign in is mounted at the same time as this one.
    if (!request && isSpeedy && !opening.own) queueMicrotask(() => save([], Number(opening.file_num)));
    if (!request) return;
    if (opening.own) toast.show({ text: t('error.file_restore_own') });
    else void restore(request);
  });
  useEffect(() => arrive(), [isOpenedByViewer]);

  const save = (ids: readonly string[], count: number): void => {
    const request: RestoreRequest = { share_id: shareId, file_ids: ids, count };
    if (viewer) {
      setAsked(request);
      return;
    }
    keepRequest(request, Date.now());
    void askToSignIn(t('share.signInToSave', { count })).then((isSignedIn) => {
      // Signing up leaves the page and returns to it, and keeps the request; dismissing discards it.
      if (!isSignedIn) forgetRequest();
    });
  };

  return {
    save,
    isBusy,
    savedAt,
    dialogs: asked && (
      <Suspense>
        <SavePicker
          count={asked.count}
          onClose={() => setAsked(undefined)}
          onPick={(folderId) => {
            setAsked(undefined);
            void restore(asked, folderId);
          }}
        />
      </Suspense>
    ),
  };
}
