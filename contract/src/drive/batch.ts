import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Empty, FolderId, Id } from '../wire.ts';
import { ConflictMode } from './conflict.ts';

/** Items of a batch call: a list of IDs, or all children of a folder except the given ones. */
const Selection = {
  ids: Type.Optional(Type.Array(Id)),
  all_in: Type.Optional(FolderId),
  except_ids: Type.Optional(Type.Array(Id)),
};
const Destination = Type.Object({ parent_id: Type.Optional(FolderId) });
/** A batch call always returns a task; for small batches, it is already complete. */
const TaskRef = Type.Object({ task_id: Id });

/** Changes of several files and folders. */
export const batchApi = {
  move: endpoint({
    name: 'drive.move',
    method: 'POST',
    path: '/drive/v1/files:batchMove',
    host: 'drive',
    credentials: 'required',
    summary: 'Move items to a folder',
    body: Type.Object({
      ...Selection,
      to: Type.Optional(Destination),
      conflict: Type.Optional(ConflictMode),
    }),
    reply: TaskRef,
    errors: [
      'file_not_found',
      'file_move_or_copy_to_cur',
      'file_move_into_itself',
      'file_duplicated_name',
      'operating_file_count_exceeded',
    ],
  }),
  copy: endpoint({
    name: 'drive.copy',
    method: 'POST',
    path: '/drive/v1/files:batchCopy',
    host: 'drive',
    credentials: 'required',
    summary: 'Copy items to a folder',
    description: 'Items are copied by reference.',
    body: Type.Object({
      ...Selection,
      to: Type.Optional(Destination),
      conflict: Type.Optional(ConflictMode),
    }),
    reply: TaskRef,
    errors: [
      'file_not_found',
      'file_move_into_itself',
      'file_space_not_enough',
      'operating_file_count_exceeded',
    ],
  }),
  trash: endpoint({
    name: 'drive.trash',
    method: 'POST',
    path: '/drive/v1/files:batchTrash',
    host: 'drive',
    credentials: 'required',
    summary: 'Move items to the trash',
    body: Type.Object(Selection),
    reply: TaskRef,
    errors: ['file_not_found', 'operating_file_count_exceeded'],
  }),
  untrash: endpoint({
    name: 'drive.untrash',
    method: 'POST',
    path: '/drive/v1/files:batchUntrash',
    host: 'drive',
    credentials: 'required',
    summary: 'Restore items from the trash',
    description:
      'Each item returns to its previous folder, or to the root if that folder no longer exists. With `to`, all go to that folder.',
    body: Type.Object({ ...Selection, to: Type.Optional(Destination) }),
    reply: TaskRef,
    errors: ['file_not_found', 'operating_file_count_exceeded'],
  }),
  removeMany: endpoint({
    name: 'drive.removeMany',
    method: 'POST',
    path: '/drive/v1/files:batchDelete',
    host: 'drive',
    credentials: 'required',
    summary: 'Delete items forever',
    description: 'The items can be in the drive or in the trash.',
    body: Type.Object(Selection),
    reply: TaskRef,
    errors: ['file_not_found', 'operating_file_count_exceeded'],
  }),
  emptyTrash: endpoint({
    name: 'drive.emptyTrash',
    method: 'PATCH',
    path: '/drive/v1/files/trash:empty',
    host: 'drive',
    credentials: 'required',
    summary: 'Empty the trash',
    description: 'Deletes everything in the trash forever.',
    reply: TaskRef,
  }),
  star: endpoint({
    name: 'drive.star',
    method: 'POST',
    path: '/drive/v1/files:star',
    host: 'drive',
    credentials: 'required',
    summary: 'Star items',
    body: Type.Object({ ids: Type.Array(Id) }),
    reply: Empty,
    errors: ['file_not_found'],
  }),
  unstar: endpoint({
    name: 'drive.unstar',
    method: 'POST',
    path: '/drive/v1/files:unstar',
    host: 'drive',
    credentials: 'required',
    summary: 'Unstar items',
    body: Type.Object({ ids: Type.Array(Id) }),
    reply: Empty,
    errors: ['file_not_found'],
  }),
};
