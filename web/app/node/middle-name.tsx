import { cx } from '#app/ui/class-names.ts';
import { nameParts } from './file-name.ts';

/** A name on one line: what does not fit is left out in the middle, its end and extension stay. */
export function MiddleName({ name, kind, className }: { name: string; kind: 'file' | 'folder'; className?: string }) {
  const { head, tail, extension } = nameParts(name, kind);
  return (
    <span title={name} className={cx('flex min-w-0 whitespace-pre', className)}>
      <bdi className="truncate">{head}</bdi>
      {tail !== '' && <bdi className="shrink-0">{tail}</bdi>}
      {extension !== '' && <bdi className="shrink-0 text-ink-3">{extension}</bdi>}
    </span>
  );
}

/** Characters that the middle of a shortened name loses to its ellipsis. */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f000}-\u{3fffd}]/u;

/** A name on two lines at most, `room` narrow characters wide in all, its extension always there. */
export function TwoLineName({ name, kind, room, className }: { name: string; kind: 'file' | 'folder'; room: number; className?: string }) {
  const { head, tail, extension } = nameParts(name, kind);
  const left = room - widthOf(tail) - widthOf(extension);
  const isLong = widthOf(head) > left;
  return (
    <span title={isLong ? name : undefined} className={cx('line-clamp-2 [overflow-wrap:anywhere]', className)}>
      <bdi>{isLong ? `${clipped(head, left - 1)}…${tail}` : head + tail}</bdi>
      <bdi className="text-ink-3">{extension}</bdi>
    </span>
  );
}

function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? 2 : 1;
  return width;
}

function clipped(text: string, room: number): string {
  let kept = '';
  let used = 0;
  for (const character of text) {
    used += WIDE.test(character) ? 2 : 1;
    if (used > room) break;
    kept += character;
  }
  return kept;
}
