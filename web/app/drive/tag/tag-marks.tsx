import { useMemo, type ReactNode } from 'react';
import type { File, Tag } from '@bowerbird/contract';
import { shownName } from '#app/node/name/shown-name.ts';
import { NoteMark } from '../note/note-mark.tsx';
import { TagDot } from './tag-dot.tsx';
import { useTagsById } from './tag-data.ts';

/** Tags that a row shows; the others are counted. */
const SHOWN = 3;

/** Returns what shows the tags of an entry in lists: names where there is room, otherwise dots. */
export function useTagMarks(): (file: File) => ReactNode {
  const byId = useTagsById();
  return useMemo(
    () =>
      function tagMarks(file: File) {
        const tags = (file.tag_ids ?? []).flatMap((id) => byId.get(id) ?? []);
        if (tags.length === 0 && file.has_note !== true) return undefined;
        return (
          <>
            {tags.length > 0 && <TagMarks tags={tags.toSorted(byName)} />}
            {file.has_note === true && <NoteMark file={file} />}
          </>
        );
      },
    [byId],
  );
}

const byName = (a: Tag, b: Tag): number => (a.name < b.name ? -1 : 1);

function TagMarks({ tags }: { tags: readonly Tag[] }) {
  const more = tags.length - SHOWN;
  return (
    <span className="tag-marks" title={tags.map(({ name }) => shownName(name)).join(', ')}>
      {tags.slice(0, SHOWN).map(({ id, name, color }) => (
        <span key={id} className="tag-mark">
          <TagDot color={color} />
          <bdi className="tag-name">{shownName(name)}</bdi>
        </span>
      ))}
      {more > 0 && <span className="text-12 tabular-nums">{`+${more}`}</span>}
    </span>
  );
}
