import { lazy, Suspense, useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { ApiFailure, shareApi } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { randomHex } from '#app/api/device.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { askToSignIn } from '#app/api/sign-in.ts';
import { finished } from '#app/api/tasks.ts';
import { useViewer } from '#app/api/viewer.ts';
import { useT } from '#app/i18n/t.ts';
import { toast } from '#app/ui/toast.tsx';
import type { Opening } from './share-data.ts';
import { forgetRequest, keepRequest, takeRequest, type RestoreRequest } from './restore-request.ts';

const FolderPicker = lazy(() => import('#app/node/folder-picker.tsx').then((module) => ({ default: module.FolderPicker })));

export interface Saving {
  /** Saves these, or the whole share where none are named. */
  readonly save: (ids: readonly string[], count: number) => void;
  readonly isBusy: boolean;
  readonly dialogs: ReactNode;
}

/**
 * "Save to my drive": a member chooses where; a visitor signs in (or opens an account) and it goes on by itself, into
 * the folder for what was saved from shares.
 */
export function useSaving(shareId: string, opening: Opening): Saving {
  const t = useT();
  const call = useCall();
  const client = useQueryClient();
  const navigate = useNavigate();
  const viewer = useViewer();
  const text = useErrorText();
  const [asked, setAsked] = useState<RestoreRequest>();
  const [isBusy, setBusy] = useState(false);

  async function restore(request: RestoreRequest, folder: { id: string; name: string } | undefined): Promise<void> {
    setBusy(true);
    const hide = toast.show({ text: t('share.saving', { count: request.count }) });
    try {
      const reply = await call(
        shareApi.restore,
        {
          body: {
            share_id: shareId, pass_code_token: opening.pass_code_token, file_ids: [...request.file_ids],
            ...(request.file_ids.length === 0 ? { params: { trace_file_ids: '*' } } : {}),
            ...(folder ? { to: { parent_id: folder.id } } : {}),
          },
        },
        { idempotencyKey: randomHex() },
      );
      if (reply.restore_task_id === '') throw new ApiFailure('share_status_prohibited', {}, reply.share_status_text);
      const task = await finished(call, reply.restore_task_id);
      const place = folder?.id ?? task.file_id;
      toast.show({
        text: t('share.saved', { count: request.count }),
        tone: 'success',
        action: { label: t('share.openFolder'), run: () => void navigate(place === '' ? '/drive/all' : `/drive/all/${place}`) },
      });
      void client.invalidateQueries({ queryKey: ['files'] });
      void client.invalidateQueries({ queryKey: ['about'] });
    } catch (error) {
      toast.show({ text: text(error), tone: 'danger' });
    } finally {
      hide();
      setBusy(false);
    }
  }

  const goOn = useEffectEvent(() => {
    const request = takeRequest(shareId, Date.now());
    if (request && !opening.own) void restore(request, undefined);
  });
  const userId = viewer?.sub;
  useEffect(() => {
    if (userId !== undefined) goOn();
  }, [userId]);

  const save = (ids: readonly string[], count: number): void => {
    const request: RestoreRequest = { share_id: shareId, file_ids: ids, count };
    if (viewer) {
      setAsked(request);
      return;
    }
    keepRequest(request, Date.now());
    void askToSignIn().then((isSignedIn) => {
      // Signing up leaves the page and comes back to it; giving up does not.
      if (!isSignedIn) forgetRequest();
    });
  };

  return {
    save,
    isBusy,
    dialogs: asked && (
      <Suspense>
        <FolderPicker
          title={t('share.pickTitle', { count: asked.count })}
          confirm={t('share.pickHere')}
          start=""
          refused={new Set()}
          onClose={() => setAsked(undefined)}
          onPick={(folder) => {
            setAsked(undefined);
            void restore(asked, folder);
          }}
        />
      </Suspense>
    ),
  };
}
