import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { LIMITS } from '../limits.ts';
import { Empty, FolderId, Id, oneOf } from '../wire.ts';
import { COLORS } from './annotation.ts';

export const Pin = Type.Object({
  /** Id of the folder. */
  id: Id,
  name: Type.String({ description: 'Name of the pin; `""` if it has the name of its folder.' }),
  folder_name: Type.String(),
  parent_id: FolderId,
  folder_color: oneOf(['', ...COLORS]),
  folder_emoji: Type.String(),
});
export type Pin = Static<typeof Pin>;

const ofDrive = { host: 'drive', credentials: 'required' } as const;
const PinName = Type.Optional(
  Type.String({ maxLength: 200, description: 'At most 50 characters. `""` for the name of the folder.' }),
);

/** Folders that a member has pinned, for reaching them from everywhere. */
export const pinApi = {
  pins: endpoint({
    ...ofDrive,
    name: 'drive.pins',
    method: 'GET',
    path: '/drive/v1/pins',
    summary: 'List pinned folders',
    description:
      'Returns them in the member’s order. Pinned folders in the trash aren’t listed until they are restored.',
    reply: Type.Object({ pins: Type.Array(Pin) }),
  }),
  pin: endpoint({
    ...ofDrive,
    name: 'drive.pin',
    method: 'POST',
    path: '/drive/v1/pins',
    summary: 'Pin a folder',
    description: 'Adds it as the last one. A folder that is pinned already keeps its place.',
    body: Type.Object({ id: Id, name: PinName }),
    reply: Empty,
    errors: ['file_not_found', 'pin_limit', 'invalid_argument'],
  }),
  renamePin: endpoint({
    ...ofDrive,
    name: 'drive.renamePin',
    method: 'PATCH',
    path: '/drive/v1/pins/{id}',
    summary: 'Rename a pinned folder',
    description: 'Changes the name of the pin; the folder keeps its own.',
    params: Type.Object({ id: Id }),
    body: Type.Object({ name: PinName }),
    reply: Empty,
    errors: ['file_not_found', 'invalid_argument'],
  }),
  unpin: endpoint({
    ...ofDrive,
    name: 'drive.unpin',
    method: 'DELETE',
    path: '/drive/v1/pins/{id}',
    summary: 'Unpin a folder',
    params: Type.Object({ id: Id }),
    reply: Empty,
  }),
  orderPins: endpoint({
    ...ofDrive,
    name: 'drive.orderPins',
    method: 'POST',
    path: '/drive/v1/pins:order',
    summary: 'Reorder pinned folders',
    description: 'The folders get this order; others that are pinned follow them.',
    body: Type.Object({ ids: Type.Array(Id, { maxItems: LIMITS.pins }) }),
    reply: Empty,
  }),
};
