import { markedParts, type Mark } from './marks.ts';

/** Piece of a name in which the parts that a search found are marked; `at` is its place in the name. */
export function Marked({
  text,
  at = 0,
  marks,
}: {
  text: string;
  at?: number;
  marks: readonly Mark[] | undefined;
}) {
  if (marks === undefined || marks.length === 0) return text;
  return markedParts(text, at, marks).map((part, index) =>
    part.isMarked ? (
      // oxlint-disable-next-line react/no-array-index-key -- parts of one text, which never change places
      <mark key={index} className="entry-mark">
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  );
}
