import { ApiFailure, isApiFailure, shareApi } from '@bowerbird/contract';
import { call, callPatiently } from '#app/api/client.ts';
import { randomHex } from '#app/api/device.ts';
import { queryClient } from '#app/api/query.ts';
import { finished } from '#app/api/tasks.ts';

/**
 * Saves things of a share into the drive and waits until they are there; none named are all of them. Resolves with the
 * folder that they are in, "" for the drive's root.
 */
export async function restoreShare(request: {
  readonly shareId: string;
  readonly token: string;
  readonly fileIds: readonly string[];
  /** Undefined for the folder of things saved from shares. */
  readonly parentId: string | undefined;
}): Promise<string> {
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
    // It closed while things were copied; the words of the task are those for its owner.
    throw isApiFailure(error) && error.id === 'share_status_prohibited'
      ? new ApiFailure('share_not_found')
      : error;
  });
  void queryClient().invalidateQueries({ queryKey: ['files'] });
  void queryClient().invalidateQueries({ queryKey: ['about'] });
  return task.file_id;
}
