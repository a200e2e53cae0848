import { ApiFailure, driveApi, isApiFailure, LIMITS, shareApi } from '@bowerbird/contract';
import { call, callPatiently } from '#app/api/client.ts';
import { queryClient } from '#app/api/query.ts';
import { finished, madeIds } from '#app/api/tasks.ts';
import { randomHex } from '#app/browser/device.ts';

export interface Restored {
  /** Id of the folder with the saved items, "" for the drive's root. */
  readonly folder: string;
  readonly made: readonly string[];
}

/** Saves items of a share to the drive, or all of them if no ids are given, and waits until they are there. */
export async function restoreShare(request: {
  readonly shareId: string;
  readonly token: string;
  readonly fileIds: readonly string[];
  /** Undefined for the default folder of items saved from shares. */
  readonly parentId: string | undefined;
}): Promise<Restored> {
  const { shareId, token, fileIds, parentId } = request;
  const reply = await call(
    shareApi.restore,
    {
      body: {
        share_id: shareId,
        pass_code_token: token,
        file_ids: [...fileIds],
        ...(fileIds.length === 0 ? { params: { trace_file_ids: '*' } } : {}),
        ...(parentId === undefined ? {} : { to: { parent_id: parentId } }),
      },
    },
    { idempotencyKey: randomHex() },
  );
  if (reply.restore_task_id === '')
    throw new ApiFailure('share_status_prohibited', {}, reply.share_status_text);
  const task = await finished(callPatiently, reply.restore_task_id).catch((error: unknown) => {
    // The share was closed while copying; the task's own error text is written for the share's owner.
    throw isApiFailure(error) && error.id === 'share_status_prohibited'
      ? new ApiFailure('share_not_found')
      : error;
  });
  refresh();
  return { folder: task.file_id, made: madeIds(task) };
}

/** Moves the saved items to the trash. */
export async function takeBack(made: readonly string[]): Promise<void> {
  for (let from = 0; from < made.length; from += LIMITS.batch) {
    const ids = made.slice(from, from + LIMITS.batch);
    const { task_id } = await call(driveApi.trash, { body: { ids } }, { idempotencyKey: randomHex() });
    await finished(callPatiently, task_id);
  }
  refresh();
}

function refresh(): void {
  void queryClient().invalidateQueries({ queryKey: ['files'] });
  void queryClient().invalidateQueries({ queryKey: ['about'] });
}
