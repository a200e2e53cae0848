import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react';
import { isSelected, only } from '../entries/selection.ts';
import type { ExplorerProps } from './explorer-props.ts';
import type { CurrentRow } from './use-current-row.ts';
import type { MenuPlace } from './use-entry-menu.ts';
import type { Picking } from './use-picking.ts';
import { rowOf } from './use-row-drag.ts';

const LONG_PRESS_MS = 450;
const STILL_PX = 10;

const partOf = (target: EventTarget | null): string | undefined =>
  target instanceof Element ? target.closest<HTMLElement>('[data-part]')?.dataset['part'] : undefined;

/**
 * Mouse: a click selects, a double click opens. Touch: a tap opens, a long press selects, and while something is
 * selected taps select as well.
 */
export function useExplorerPointer(
  props: ExplorerProps,
  parts: {
    readonly current: CurrentRow;
    readonly picking: Picking;
    readonly openMenu: (at: MenuPlace, ofFolder?: boolean) => void;
    readonly takesClick: () => boolean;
  },
) {
  const { entries, selecting, onOpen, onAction, menu, folderMenu } = props;
  const { current, picking, openMenu, takesClick } = parts;
  const isTouch = useRef(false);
  const press = useRef<{ x: number; y: number; timer: ReturnType<typeof setTimeout> }>(undefined);
  const wasLong = useRef(false);

  const release = () => {
    clearTimeout(press.current?.timer);
    press.current = undefined;
  };
  useEffect(() => release, []);

  const onPart = (part: string, row: number, event: MouseEvent): boolean => {
    const file = entries.fileAt(row);
    if (!file) return false;
    switch (part) {
      case 'check':
        if (event.shiftKey) picking.extend(row, true);
        else picking.toggle(row);
        return true;
      case 'star':
        onAction?.('star', only(file));
        return true;
      case 'menu': {
        const { left, right, bottom } = (event.target as Element).closest('button')!.getBoundingClientRect();
        // Opening a menu by touch doesn't start selecting.
        if (!isSelected(selecting.selection, file.id) && !(isTouch.current && !selecting.isActive))
          picking.pick(row);
        openMenu({ x: document.dir === 'rtl' ? left : right, y: bottom + 4 });
        return true;
      }
      default:
        return false;
    }
  };

  const onClick = (event: MouseEvent) => {
    if (takesClick() || wasLong.current) {
      wasLong.current = false;
      event.preventDefault();
      return;
    }
    const row = rowOf(event.target);
    const target = event.target as Element;
    if (target.closest('input, [role=columnheader]')) return;
    if (row === undefined) {
      if (!event.ctrlKey && !event.metaKey && !event.shiftKey) selecting.clear();
      return;
    }
    event.preventDefault();
    current.move(row, true);
    const part = partOf(target);
    if (part !== undefined && onPart(part, row, event)) return;
    if (isTouch.current && !event.shiftKey && !event.ctrlKey) {
      const file = entries.fileAt(row);
      if (selecting.isActive) picking.toggle(row);
      else if (file) onOpen(file);
    } else if (event.shiftKey) picking.extend(row, event.ctrlKey || event.metaKey);
    else if (event.ctrlKey || event.metaKey) picking.toggle(row);
    else picking.pick(row);
  };

  return {
    onClick,
    onDoubleClick(event: MouseEvent) {
      const row = rowOf(event.target);
      const part = partOf(event.target);
      if (row === undefined || isTouch.current || (part !== undefined && part !== 'link')) return;
      if ((event.target as Element).closest('input')) return;
      const file = entries.fileAt(row);
      if (file) onOpen(file);
    },
    onContextMenu(event: MouseEvent) {
      if ((event.target as Element).closest('input')) return;
      const row = rowOf(event.target);
      // On touch screens this event is the long press, which selects.
      if (isTouch.current) return event.preventDefault();
      const file = row === undefined ? undefined : entries.fileAt(row);
      if (row !== undefined && file && menu) {
        event.preventDefault();
        if (!isSelected(selecting.selection, file.id)) picking.pick(row);
        current.move(row, true);
        openMenu({ x: event.clientX, y: event.clientY });
      } else if (row === undefined && folderMenu) {
        event.preventDefault();
        selecting.clear();
        openMenu({ x: event.clientX, y: event.clientY }, true);
      }
      return undefined;
    },
    onMouseDown(event: MouseEvent) {
      // The row keeps the focus, not the button in it; and Shift selects rows, not text.
      const part = partOf(event.target);
      if ((part !== undefined && part !== 'link') || event.shiftKey) event.preventDefault();
    },
    onPointerDownCapture(event: PointerEvent) {
      isTouch.current = event.pointerType !== 'mouse';
      wasLong.current = false;
      release();
      const row = rowOf(event.target);
      if (!isTouch.current || row === undefined || partOf(event.target) === 'menu') return;
      const timer = setTimeout(() => {
        wasLong.current = true;
        current.move(row, false);
        picking.toggle(row);
        navigator.vibrate?.(10);
      }, LONG_PRESS_MS);
      press.current = { x: event.clientX, y: event.clientY, timer };
    },
    onPointerMoveCapture(event: PointerEvent) {
      const from = press.current;
      if (from && Math.hypot(event.clientX - from.x, event.clientY - from.y) > STILL_PX) release();
    },
    onPointerUpCapture: release,
    onPointerCancelCapture: release,
  };
}
