import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Id, MaybeTime } from '../wire.ts';

export const Note = Type.Object({
  text: Type.String({ description: '`""` if there is no note.' }),
  modified_time: MaybeTime,
});
export type Note = Static<typeof Note>;

const ofItem = { host: 'drive', credentials: 'required', path: '/drive/v1/files/{id}/note' } as const;

/** A member's own notes about items. Nobody else sees them. */
export const noteApi = {
  note: endpoint({
    ...ofItem,
    name: 'drive.note',
    method: 'GET',
    summary: 'Get the note about an item',
    params: Type.Object({ id: Id }),
    reply: Note,
    errors: ['file_not_found'],
  }),
  setNote: endpoint({
    ...ofItem,
    name: 'drive.setNote',
    method: 'PUT',
    summary: 'Write a note about an item',
    description:
      'Replaces the note, or removes it if the text is empty. Searches find items by their notes as well as by their names.',
    params: Type.Object({ id: Id }),
    body: Type.Object({
      text: Type.String({ maxLength: 8000, description: 'Plain text of at most 4000 characters.' }),
    }),
    reply: Note,
    errors: ['file_not_found', 'note_limit', 'invalid_argument'],
  }),
};
