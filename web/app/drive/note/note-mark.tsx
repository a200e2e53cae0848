import { StickyNote } from 'lucide-react';
import type { File } from '@bowerbird/contract';
import { useT } from '#app/i18n/t.ts';
import { hitOf, Marked } from '#app/node/index.ts';

/** Shows that an entry has a note; in results of a search, the part of it that matches. */
export function NoteMark({ file }: { file: File }) {
  const t = useT();
  const note = hitOf(file)?.note;
  return (
    <span className="note-mark" title={note?.text ?? t('drive.note.has')}>
      <StickyNote role="img" aria-label={t('drive.note.has')} className="size-4! shrink-0" />
      {note && (
        <bdi className="note-part">
          <Marked text={note.text} marks={note.matches} />
        </bdi>
      )}
    </span>
  );
}
