import { ApiFailure, driveApi, isApiFailure, LIMITS, shareApi } from '@bowerbird/contract';
import { call, callPatiently } from '#app/api/client.ts';
import { queryClient } from '#app/api/query.ts';
import { finished, madeIds } from '#app/api/tasks.ts';
import { randomHex } from '#app/browser/device.ts';

export interface Restored {
  /** The folder that it is in, "" for the drive's root. */
  readonly folder: string;
  readonly made: readonly string[];
}

/**
 * Saves things of a share into the drive and waits until they are there; none named are all of them.
 */
export async function restoreShare(request: {
  readonly shareId: string;
  readonly token: string;
  readonly fileIds: readonly string[];
  /** Undefined for the folder of things saved from shares. */
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
    // It closed while things were copied; the words of the task are those for its owner.
    throw isApiFailure(error) && error.id === 'share_status_prohibited'
      ? new ApiFailure('share_not_found')
      : error;
  });
  refresh();
  return { folder: task.file_id, made: madeIds(task) };
}

/** Puts what was saved into the trash of the drive. */
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
