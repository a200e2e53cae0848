import { cx } from '#app/ui/class-names.ts';
import { nameParts, SHORT } from './file-name.ts';

/** A name on one line: what does not fit is left out in the middle, its end and extension stay. */
export function MiddleName({
  name,
  kind,
  className,
}: {
  name: string;
  kind: 'file' | 'folder';
  className?: string;
}) {
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

const DOUBLE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f000}-\u{3fffd}]/u;
const BROAD = /[A-Z\u0410-\u044fmw@%&]/;
const NARROW = /[ijl.,:;'|!()[\]-]/;
/** Of the room, what words may need before they are broken anywhere to fill both lines. */
const LOOSE = 0.72;

/** A name on two lines at most, `room` letters wide in all, its extension always there. */
export function TwoLineName({
  name,
  kind,
  room,
  className,
}: {
  name: string;
  kind: 'file' | 'folder';
  room: number;
  className?: string;
}) {
  const { head, tail, extension } = nameParts(name, kind);
  const width = widthOf(name);
  const isLong = width > room;
  return (
    <span
      title={isLong ? name : undefined}
      className={cx(
        'line-clamp-2',
        width > room * LOOSE ? 'break-all' : '[overflow-wrap:anywhere]',
        className,
      )}
    >
      {isLong && <span className="sr-only">{name}</span>}
      <bdi aria-hidden={isLong}>
        {isLong ? `${clipped(head, room - widthOf(tail) - widthOf(extension) - 2)}…${tail}` : head + tail}
      </bdi>
      {extension !== '' && (
        <bdi aria-hidden={isLong} className="text-ink-3">
          {extension}
        </bdi>
      )}
    </span>
  );
}

/** About how many letters of average width a character takes. */
const breadth = (character: string): number =>
  DOUBLE.test(character) ? 1.95 : BROAD.test(character) ? 1.22 : NARROW.test(character) ? 0.6 : 1;

function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += breadth(character);
  return width;
}

function clipped(text: string, room: number): string {
  let kept = '';
  let used = 0;
  for (const character of text) {
    used += breadth(character);
    if (used > room) break;
    kept += character;
  }
  return kept.trimEnd();
}
