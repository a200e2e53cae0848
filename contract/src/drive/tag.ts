import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { LIMITS } from '../limits.ts';
import { Empty, Id, oneOf } from '../wire.ts';
import { COLORS } from './annotation.ts';

export const Tag = Type.Object({
  id: Id,
  name: Type.String(),
  color: oneOf(COLORS),
});
export type Tag = Static<typeof Tag>;

const ofDrive = { host: 'drive', credentials: 'required' } as const;
const TagName = Type.String({ maxLength: 200, description: 'At most 50 characters.' });
const TagIds = Type.Optional(Type.Array(Id, { maxItems: LIMITS.tagsOfItem }));
/** Items by tag. */
const Tagged = Type.Array(Type.Object({ tag_id: Id, ids: Type.Array(Id) }));

/** A member's own tags. Nobody else sees them: they aren't part of shares. */
export const tagApi = {
  tags: endpoint({
    ...ofDrive,
    name: 'drive.tags',
    method: 'GET',
    path: '/drive/v1/tags',
    summary: 'List tags',
    description:
      'Returns the member’s tags, by name. Items have the IDs of theirs as `tag_ids`; a search for `tag:name` finds them.',
    reply: Type.Object({ tags: Type.Array(Tag) }),
  }),
  createTag: endpoint({
    ...ofDrive,
    name: 'drive.createTag',
    method: 'POST',
    path: '/drive/v1/tags',
    summary: 'Create a tag',
    body: Type.Object({ name: TagName, color: oneOf(COLORS) }),
    reply: Tag,
    errors: ['tag_name_taken', 'tag_limit', 'invalid_argument'],
  }),
  changeTag: endpoint({
    ...ofDrive,
    name: 'drive.changeTag',
    method: 'PATCH',
    path: '/drive/v1/tags/{id}',
    summary: 'Change a tag',
    description: 'Changes the name or the color of a tag; its items keep it.',
    params: Type.Object({ id: Id }),
    body: Type.Object({ name: Type.Optional(TagName), color: Type.Optional(oneOf(COLORS)) }),
    reply: Tag,
    errors: ['tag_not_found', 'tag_name_taken', 'invalid_argument'],
  }),
  removeTag: endpoint({
    ...ofDrive,
    name: 'drive.removeTag',
    method: 'DELETE',
    path: '/drive/v1/tags/{id}',
    summary: 'Delete a tag',
    description: 'Also removes it from all items, which stay.',
    params: Type.Object({ id: Id }),
    reply: Empty,
    errors: ['tag_not_found'],
  }),
  tagFiles: endpoint({
    ...ofDrive,
    name: 'drive.tagFiles',
    method: 'POST',
    path: '/drive/v1/files:tag',
    summary: 'Add tags to items, or remove them',
    description:
      'Adds and removes tags of up to 1000 items at once, and returns what was changed: items that had a tag before aren’t among those that it was added to.',
    body: Type.Object({
      ids: Type.Array(Id, { minItems: 1, maxItems: LIMITS.batch }),
      add: TagIds,
      remove: TagIds,
    }),
    reply: Type.Object({ added: Tagged, removed: Tagged }),
    errors: ['file_not_found', 'tag_not_found', 'tag_item_limit', 'invalid_argument'],
  }),
};
