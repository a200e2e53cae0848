import { ApiFailure, shareApi, type InputOf, type Phase, type ReplyOf } from '@bowerbird/contract';
import type { Api } from '../foundation/http/index.ts';
import { isOpen, type ShareEntry } from './share-entry-service.ts';
import type { Restores } from './share-restore-service.ts';
import { statusText } from './share-view.ts';

type RestoreBody = InputOf<typeof shareApi.restore>['body'];

/** Destination in any of the protocol's forms, of which each client uses one; undefined if none is given. */
function destinationOf({
  to,
  to_parent_id: toParent,
  parent_id: parent,
  specify_parent_id: specified,
}: RestoreBody): string | undefined {
  if (to) return to.parent_id ?? '';
  if (toParent !== undefined) return toParent;
  return specified || parent ? (parent ?? '') : undefined;
}

/** Selection to restore: ids, or the comma-separated ids of the traces; nothing or `*` is everything. */
function selectionOf({ file_ids: ids = [], params }: RestoreBody): string[] {
  const traces = params?.trace_file_ids ?? '';
  return ids.length > 0 || traces === '*' ? ids : traces.split(',').filter((id) => id !== '');
}

function restoreStatus(phase: Phase): ReplyOf<typeof shareApi.restore>['restore_status'] {
  if (phase === 'PHASE_TYPE_COMPLETE') return 'RESTORE_COMPLETE';
  return phase === 'PHASE_TYPE_ERROR' ? 'RESTORE_UNKNOWN' : 'RESTORE_START';
}

/** Endpoints that save files of a share to the caller's drive. */
export function mountRestore(api: Api, { entry, restores }: { entry: ShareEntry; restores: Restores }): void {
  api.handle(shareApi.restore, { underKey: 'recognized' }, async ({ body, viewer, caller }) => {
    const entered = await entry.enter(caller, { shareId: body.share_id, token: body.pass_code_token });
    const result = {
      share_status: entered.status,
      share_status_text: statusText(caller.locale, entered.status, entered.share),
    };
    if (!isOpen(entered))
      return {
        ...result,
        file_id: '',
        restore_status: 'RESTORE_UNKNOWN' as const,
        restore_task_id: '',
        params: {},
      };
    if (entered.own) throw new ApiFailure('file_restore_own');
    const task = await restores.begin(entered.share, entered.roots, {
      account: viewer.account,
      fileIds: selectionOf(body),
      parent: destinationOf(body),
      requestKey: caller.idempotencyKey && `restore:${caller.idempotencyKey}`,
    });
    return {
      ...result,
      file_id: task.fileId,
      restore_status: restoreStatus(task.phase),
      restore_task_id: task.id,
      params: { ...task.params },
    };
  });
}
