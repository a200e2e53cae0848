import { ApiFailure, LIMITS } from '@bowerbird/contract';
import type { Database } from '../../foundation/database/index.ts';
import type { Clock } from '../../foundation/index.ts';
import { entryText } from '../name-index/index.ts';
import type { Nodes } from '../node/index.ts';
import type { NoteRow } from './annotation.ts';
import type { NoteStore } from './note-store.ts';

/** Members' notes about their files. */
export interface Notes {
  /** Throws `file_not_found`. */
  find(account: string, id: string): Promise<NoteRow>;
  /** Throws `file_not_found`, `note_limit`, `invalid_argument`. */
  set(account: string, id: string, text: string): Promise<NoteRow>;
}

const NONE: NoteRow = { note: '', noted_at: 0 };
// Characters that don't belong to a text, and those that a database can't store.
// oxlint-disable-next-line no-control-regex
const STRANGE = /[\u0000-\u0008\u000b-\u001f\u007f]/gu;

export function createNotes({
  database,
  store,
  nodes,
  clock,
}: {
  database: Database;
  store: NoteStore;
  nodes: Pick<Nodes, 'find' | 'findAnywhere' | 'lock'>;
  clock: Clock;
}): Notes {
  return {
    async find(account, id) {
      if (!(await nodes.findAnywhere(database, account, id))) throw new ApiFailure('file_not_found');
      return (await store.find(database, id)) ?? NONE;
    },

    set: (account, id, text) =>
      database.transaction(async (tx) => {
        const note = text.replaceAll(/\r\n?/g, '\n').replaceAll(STRANGE, '').toWellFormed().trim();
        if ([...note].length > LIMITS.noteMax) throw new ApiFailure('invalid_argument', { field: 'text' });
        await nodes.lock(tx, account);
        if (!(await nodes.find(tx, account, id))) throw new ApiFailure('file_not_found');
        const before = (await store.find(tx, id)) ?? NONE;
        if (note !== '' && before.note === '' && (await store.count(tx, account)) >= LIMITS.notes)
          throw new ApiFailure('note_limit', { limit: String(LIMITS.notes) });
        const noted = note === before.note ? before.noted_at : clock.now();
        const row = { note, noted_at: note === '' ? 0 : noted };
        await store.set(tx, account, id, { ...row, note_fold: entryText(note.replaceAll(/\s+/gu, ' ')) });
        return row;
      }),
  };
}
