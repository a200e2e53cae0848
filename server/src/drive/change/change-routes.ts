import { ApiFailure, driveApi, type ReplyOf } from '@bowerbird/contract';
import type { Database } from '../../foundation/database/index.ts';
import type { Api, Call, UnderKey } from '../../foundation/http/index.ts';
import type { Quota } from '../../membership/index.ts';
import type { Batches } from './batch-service.ts';
import type { Changes } from './change-service.ts';
import type { Renames } from './rename-service.ts';
import { contextOf, type Nodes } from '../node/index.ts';
import { fileView } from '../drive-view.ts';
import type { Links } from '../drive.ts';

/** Responds to the creation of a file: a ticket for uploading its bytes. */
export type UploadHandler = (
  call: Pick<Call<typeof driveApi.create>, 'body' | 'viewer' | 'caller'>,
) => Promise<ReplyOf<typeof driveApi.create>>;

export interface ChangeRoutes {
  readonly database: Database;
  readonly nodes: Nodes;
  readonly changes: Changes;
  readonly batches: Batches;
  readonly renames: Renames;
  readonly quota: Quota;
  readonly links: Links;
  readonly create: UploadHandler;
  /** Responds to the creation of a file from a link. */
  readonly fetch: UploadHandler;
}

/**
 * Returns how the idempotency key applies: the cloud download of a link creates a task that stores the key; a
 * file without bytes is written to the storage at once.
 */
function underKeyOf({ body }: Call<typeof driveApi.create>): UnderKey {
  if (body.upload_type === 'UPLOAD_TYPE_URL') return 'recognized';
  return body.kind === 'drive#file' && !(Number(body.size) > 0) ? 'separate' : 'joined';
}

export function mountChanges(
  api: Api,
  { database, nodes, changes, batches, renames, quota, links, create, fetch }: ChangeRoutes,
): void {
  api.handle(driveApi.create, { underKey: underKeyOf }, async (call) => {
    const { body, viewer, caller } = call;
    if (body.upload_type === 'UPLOAD_TYPE_URL') {
      // A cloud download of a link requires its scope, whatever the address of the call.
      if (!viewer.scopes.has('offline')) throw new ApiFailure('permission_denied', { scope: 'offline' });
      return fetch(call);
    }
    if (body.kind === 'drive#file') return create(call);
    if (body.kind !== 'drive#folder') throw new ApiFailure('invalid_argument', { field: 'kind' });
    const { account } = viewer;
    const folder = await database.transaction((tx) =>
      nodes.addFolder(tx, {
        account,
        parent: body.parent_id || account,
        name: body.name ?? '',
        conflict: body.conflict ?? 'rename',
      }),
    );
    return {
      upload_type: 'UPLOAD_TYPE_UNKNOWN',
      file: fileView(folder, contextOf(viewer, caller, links)),
      task: null,
    };
  });

  api.handle(driveApi.rename, { underKey: 'joined' }, async ({ params, body, viewer, caller }) => {
    const node = await changes.rename(viewer.account, params.id, body.name ?? '');
    return fileView(node, { ...contextOf(viewer, caller, links), withLinks: true });
  });

  api.handle(driveApi.remove, { underKey: 'joined' }, async ({ params, viewer }) => {
    await batches.run(viewer.account, 'delete', { ids: [params.id] });
    return {};
  });

  const answer = async (task: Promise<string>): Promise<{ task_id: string }> => ({ task_id: await task });
  api.handle(driveApi.move, { underKey: 'joined' }, ({ body, viewer }) =>
    answer(
      batches.run(viewer.account, 'move', body, { parent: body.to?.parent_id, conflict: body.conflict }),
    ),
  );
  api.handle(driveApi.copy, { underKey: 'joined' }, ({ body, viewer }) =>
    answer(
      batches.run(viewer.account, 'copy', body, { parent: body.to?.parent_id, conflict: body.conflict }),
    ),
  );
  api.handle(driveApi.renameMany, { underKey: 'joined' }, ({ body, viewer }) =>
    answer(renames.run(viewer.account, body.parent_id, body.renames)),
  );
  api.handle(driveApi.trash, { underKey: 'joined' }, ({ body, viewer }) =>
    answer(batches.run(viewer.account, 'trash', body)),
  );
  api.handle(driveApi.untrash, { underKey: 'joined' }, ({ body, viewer }) =>
    answer(batches.run(viewer.account, 'untrash', body, { parent: body.to?.parent_id })),
  );
  api.handle(driveApi.removeMany, { underKey: 'joined' }, ({ body, viewer }) =>
    answer(batches.run(viewer.account, 'delete', body)),
  );
  api.handle(driveApi.emptyTrash, { underKey: 'joined' }, ({ viewer }) =>
    answer(batches.emptyTrash(viewer.account)),
  );

  api.handle(driveApi.star, { underKey: 'joined' }, async ({ body, viewer }) => {
    await changes.star(viewer.account, body.ids, true);
    return {};
  });
  api.handle(driveApi.unstar, { underKey: 'joined' }, async ({ body, viewer }) => {
    await changes.star(viewer.account, body.ids, false);
    return {};
  });

  api.handle(driveApi.about, async ({ viewer }) => {
    const { limit, used, trashed } = await quota.of(database, viewer.account);
    return {
      kind: 'drive#about' as const,
      quota: {
        kind: 'drive#quota' as const,
        limit: String(limit),
        usage: String(used),
        usage_in_trash: String(trashed),
        play_times_limit: '-1',
        play_times_usage: '0',
        is_unlimited: false,
        complimentary: '',
      },
      expires_at: '',
      quotas: {},
      user_type: 0,
      sub: viewer.account,
    };
  });
}
