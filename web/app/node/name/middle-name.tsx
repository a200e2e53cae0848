import { cx } from '#app/ui/class-names.ts';
import { nameParts, SHORT, type NameParts } from './file-name.ts';
import { Marked } from './marked.tsx';
import { aroundMark, shownMarks, type Mark } from './marks.ts';
import { breadthOf, clippedTo, firstLine, linesOf } from './name-room.ts';
import { shownName } from './shown-name.ts';

/** Name on one line: if it doesn't fit, its middle is cut; its end and extension stay. */
export function MiddleName({
  name: kept,
  kind,
  marks: keptMarks,
  className,
}: {
  name: string;
  kind: 'file' | 'folder';
  /** Parts to highlight. */
  marks?: readonly Mark[] | undefined;
  className?: string;
}) {
  const name = shownName(kept);
  const marks = keptMarks && shownMarks(kept, keptMarks);
  const { head, tail, extension } = nameParts(name, kind);
  if (tail === '' && head.length <= SHORT) {
    return (
      <span title={name} className={cx('block truncate whitespace-pre!', className)}>
        <bdi>
          <Marked text={head} marks={marks} />
        </bdi>
        {extension !== '' && (
          <bdi className="text-ink-3">
            <Marked text={extension} at={head.length} marks={marks} />
          </bdi>
        )}
      </span>
    );
  }
  return (
    <span title={name} className={cx('flex min-w-0 whitespace-pre', className)}>
      <span className="sr-only">{name}</span>
      <Pieces head={head} tail={tail} extension={extension} marks={marks} />
    </span>
  );
}

/**
 * Name on at most two lines, with room for `room` letters in all: it breaks between words, and its end is always
 * shown.
 */
export function TwoLineName({
  name: kept,
  kind,
  room,
  marks: keptMarks,
  className,
}: {
  name: string;
  kind: 'file' | 'folder';
  room: number;
  /** Parts to highlight. */
  marks?: readonly Mark[] | undefined;
  className?: string;
}) {
  const name = shownName(kept);
  const marks = keptMarks && shownMarks(kept, keptMarks);
  const { head, tail, extension } = nameParts(name, kind);
  const line = room / 2;
  // The pieces of a right-to-left name would swap places: it stays in one piece.
  const isWhole = tail === '' && head.length > SHORT;
  const isLong = breadthOf(name) > room;
  if (isWhole || (!isLong && linesOf(name, line) <= 2)) {
    const shown = isLong ? `${clippedTo(head, room - breadthOf(extension) - 2)}…` : head + tail;
    return (
      <span title={name} className={cx('line-clamp-2 [overflow-wrap:anywhere]', className)}>
        {isLong && <span className="sr-only">{name}</span>}
        <bdi aria-hidden={isLong}>
          <Marked text={shown} marks={marks} />
        </bdi>
        {extension !== '' && (
          <bdi aria-hidden={isLong} className="whitespace-nowrap text-ink-3">
            <Marked text={extension} at={head.length + tail.length} marks={marks} />
          </bdi>
        )}
      </span>
    );
  }
  const { first, rest } = firstLine(head + tail, line);
  const second = nameParts(rest + extension, kind);
  return (
    <span title={name} className={cx('block', className)}>
      <span className="sr-only">{name}</span>
      <bdi aria-hidden="true" className="block truncate whitespace-pre!">
        <Marked text={first} marks={marks} />
      </bdi>
      <span className="flex min-w-0 whitespace-pre">
        <Pieces {...second} at={head.length + tail.length - rest.length} marks={marks} />
      </span>
    </span>
  );
}

const SHORTENED = 'overflow-hidden text-ellipsis whitespace-pre';

/** Only the head of a long name is shortened, before and after the first part that a search found in it. */
function Pieces({
  head,
  tail,
  extension,
  at = 0,
  marks,
}: NameParts & { at?: number; marks: readonly Mark[] | undefined }) {
  const [before, found, after] = aroundMark(head, at, marks ?? []);
  return (
    <>
      <bdi aria-hidden="true" className={cx(SHORTENED, found !== '' && 'min-w-4')}>
        <Marked text={before} at={at} marks={marks} />
      </bdi>
      {found !== '' && (
        <bdi aria-hidden="true" className="max-w-3/5 shrink-0 overflow-hidden">
          <Marked text={found} at={at + before.length} marks={marks} />
        </bdi>
      )}
      {after !== '' && (
        <bdi aria-hidden="true" className={cx(SHORTENED, 'min-w-4')}>
          <Marked text={after} at={at + before.length + found.length} marks={marks} />
        </bdi>
      )}
      {tail !== '' && (
        <bdi aria-hidden="true" className="shrink-0">
          <Marked text={tail} at={at + head.length} marks={marks} />
        </bdi>
      )}
      {extension !== '' && (
        <bdi aria-hidden="true" className="shrink-0 text-ink-3">
          <Marked text={extension} at={at + head.length + tail.length} marks={marks} />
        </bdi>
      )}
    </>
  );
}
