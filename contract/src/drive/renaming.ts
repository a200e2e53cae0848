import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { LIMITS } from '../limits.ts';
import { FolderId, Id } from '../wire.ts';

/** A new name for an item; it is only given while the item is still called `from`. */
export const Renaming = Type.Object({
  id: Id,
  from: Type.String({ maxLength: LIMITS.nameBytes }),
  to: Type.String({ maxLength: LIMITS.nameBytes }),
});
export type Renaming = Static<typeof Renaming>;

export const renamingApi = {
  renameMany: endpoint({
    name: 'drive.renameMany',
    method: 'POST',
    path: '/drive/v1/files:batchRename',
    host: 'drive',
    credentials: 'required',
    summary: 'Rename items of a folder',
    description:
      'Names can be swapped. An item keeps its name if the new one is taken or invalid, or if somebody has renamed, moved or deleted the item. When the task is complete, its `failed` parameter is a JSON text that maps the ids of the first 1000 such items to errors; `failed_count` is the number of all of them.',
    body: Type.Object({
      parent_id: Type.Optional(FolderId),
      renames: Type.Array(Renaming, { minItems: 1, maxItems: LIMITS.renames }),
    }),
    bodyLimit: LIMITS.renamesBytes,
    reply: Type.Object({ task_id: Id }),
    errors: ['file_not_found', 'invalid_argument'],
  }),
};
