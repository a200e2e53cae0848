import { cx } from '#app/ui/class-names.ts';
import { nameParts, SHORT } from './file-name.ts';
import { breadthOf, clippedTo, linesOf } from './name-room.ts';
import { shownName } from './shown-name.ts';

/** A name on one line: what does not fit is left out in the middle, its end and extension stay. */
export function MiddleName({
  name: kept,
  kind,
  className,
}: {
  name: string;
  kind: 'file' | 'folder';
  className?: string;
}) {
  const name = shownName(kept);
  const { head, tail, extension } = nameParts(name, kind);
  if (tail === '' && head.length <= SHORT) {
    return (
      <span title={name} className={cx('block truncate whitespace-pre!', className)}>
        <bdi>{head}</bdi>
        {extension !== '' && <bdi className="text-ink-3">{extension}</bdi>}
      </span>
    );
  }
  return (
    <span title={name} className={cx('flex min-w-0 whitespace-pre', className)}>
      <span className="sr-only">{name}</span>
      <bdi aria-hidden="true" className="overflow-hidden text-ellipsis whitespace-pre">
        {head}
      </bdi>
      {tail !== '' && (
        <bdi aria-hidden="true" className="shrink-0">
          {tail}
        </bdi>
      )}
      {extension !== '' && (
        <bdi aria-hidden="true" className="shrink-0 text-ink-3">
          {extension}
        </bdi>
      )}
    </span>
  );
}

/** A name on two lines at most, `room` letters wide in all, its extension always there. */
export function TwoLineName({
  name: kept,
  kind,
  room,
  className,
}: {
  name: string;
  kind: 'file' | 'folder';
  room: number;
  className?: string;
}) {
  const name = shownName(kept);
  const { head, tail, extension } = nameParts(name, kind);
  const width = breadthOf(name);
  const isLong = width > room;
  return (
    <span
      title={isLong ? name : undefined}
      className={cx(
        'line-clamp-2',
        linesOf(name, room / 2) > 2 ? 'break-all' : '[overflow-wrap:anywhere]',
        className,
      )}
    >
      {isLong && <span className="sr-only">{name}</span>}
      <bdi aria-hidden={isLong}>
        {isLong
          ? `${clippedTo(head, room - breadthOf(tail) - breadthOf(extension) - 2)}…${tail}`
          : head + tail}
      </bdi>
      {extension !== '' && (
        <bdi aria-hidden={isLong} className="whitespace-nowrap text-ink-3">
          {extension}
        </bdi>
      )}
    </span>
  );
}
