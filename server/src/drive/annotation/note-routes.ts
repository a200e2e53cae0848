import { driveApi, type Note } from '@bowerbird/contract';
import { maybeTimeText } from '../../foundation/index.ts';
import type { Api } from '../../foundation/http/index.ts';
import type { NoteRow } from './annotation.ts';
import type { Notes } from './note-service.ts';

const noteView = ({ note, noted_at: at }: NoteRow): Note => ({
  text: note,
  modified_time: maybeTimeText(at === 0 ? undefined : at),
});

export function mountNotes(api: Api, { notes }: { notes: Notes }): void {
  api.handle(driveApi.note, async ({ params, viewer }) =>
    noteView(await notes.find(viewer.account, params.id)),
  );

  api.handle(driveApi.setNote, { underKey: 'joined' }, async ({ params, body, viewer }) =>
    noteView(await notes.set(viewer.account, params.id, body.text)),
  );
}
