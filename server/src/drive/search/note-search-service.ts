import type { Database } from '../../foundation/database/index.ts';
import type { NoteStore } from '../annotation/index.ts';
import { entryText, nameEntry, type NameQuery } from '../name-index/index.ts';
import type { Match, MatchPlace } from './name-stream.ts';

/** Place of matches in notes: after all matches in names. */
export const NOTE_TIER = 4;

/** Notes that are read together. */
const TOGETHER = 200;

/**
 * Iterates over nodes that match only with their notes: each word is in the name or in the note, but not all are in the
 * name. The newest nodes come first.
 */
export async function* noteMatches(
  { database, store }: { database: Database; store: Pick<NoteStore, 'containing'> },
  account: string,
  { words, categories, extensions }: NameQuery,
  beyond: MatchPlace | undefined,
): AsyncGenerator<Match, void, undefined> {
  if (words.length === 0) return;
  let after = beyond?.[0] === NOTE_TIER ? beyond[1] : undefined;
  for (;;) {
    const rows = await store.containing(database, account, words.flat(), { after, limit: TOGETHER });
    for (const row of rows) {
      const { id, category, text } = nameEntry(row);
      const named = words.map((word) => word.some((form) => text.includes(form)));
      if (
        named.every(Boolean) ||
        !words.every((word, at) => named[at] || word.some((form) => row.note_fold.includes(form))) ||
        (categories && !categories.has(category)) ||
        (extensions && !extensions.some((extension) => entryText(row.name).endsWith(extension)))
      )
        continue;
      yield { tier: NOTE_TIER, id, text };
    }
    if (rows.length < TOGETHER) return;
    after = rows.at(-1)!.id;
  }
}
