import { useEffect, useLayoutEffect, useRef, type KeyboardEvent, type MouseEvent } from 'react';
import { cx } from '../class-names.ts';
import { CloseContext, type MenuSurfaceProps } from './menu-context.ts';
import { placeMenu } from './place-menu.ts';

const ITEMS = '[role^=menuitem]:not(:disabled,[aria-disabled=true])';

/** Popover over the whole screen, so that a click outside only closes it; on phones a sheet at the bottom. */
export default function MenuSurface({
  id,
  labelledBy,
  anchor,
  onClose,
  className,
  children,
  'aria-label': label,
}: MenuSurfaceProps) {
  const layer = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const typed = useRef({ text: '', at: 0 });
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });

  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    const list = panel.current!;
    layer.current!.showPopover();
    placeMenu(list, anchor());
    // A menu of choices opens at the current one; a menu that also has actions opens at its first item.
    const chosen = list.querySelector('[role=menuitem]')
      ? null
      : list.querySelector<HTMLElement>('[aria-checked=true]');
    const first = chosen ?? list.querySelector<HTMLElement>(ITEMS);
    (first ?? list).focus({ preventScroll: true });
    first?.scrollIntoView({ block: 'nearest' });
    // A phone's back gesture closes the menu.
    const watcher = typeof CloseWatcher === 'undefined' ? undefined : new CloseWatcher();
    if (watcher) watcher.onclose = () => close.current();
    const closeNow = (): void => close.current();
    window.addEventListener('resize', closeNow);
    return () => {
      window.removeEventListener('resize', closeNow);
      watcher?.destroy();
      if (
        document.activeElement === null ||
        list.contains(document.activeElement) ||
        document.activeElement === document.body
      )
        before?.focus({ preventScroll: true });
    };
    // Placed once: a menu does not follow what moves under it.
    // eslint-disable-next-line react/exhaustive-deps
  }, []);

  const onKeyDown = (event: KeyboardEvent): void => {
    const items = [...panel.current!.querySelectorAll<HTMLElement>(ITEMS)];
    const here = items.indexOf(document.activeElement as HTMLElement);
    const to = targetOf(event, items, here, typed.current);
    if (event.key === 'Escape' || event.key === 'Tab') close.current();
    else if (to === undefined) return;
    else items[to]?.focus();
    event.preventDefault();
    event.stopPropagation();
  };

  const onContextMenu = (event: MouseEvent): void => {
    event.preventDefault();
    if (event.target !== layer.current) return;
    close.current();
    // Opens the context menu of the element under the pointer, as if this menu had not been in the way.
    const { clientX, clientY } = event;
    const under = document
      .elementsFromPoint(clientX, clientY)
      .find((element) => !layer.current!.contains(element));
    setTimeout(() =>
      under?.dispatchEvent(
        new window.MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX, clientY }),
      ),
    );
  };

  return (
    // The layer only catches clicks outside the menu.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      ref={layer}
      popover="manual"
      onPointerDown={(event) => {
        event.stopPropagation();
        if (event.target === event.currentTarget && event.button === 0) {
          event.preventDefault();
          close.current();
        }
      }}
      onClick={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
      onContextMenu={onContextMenu}
      onKeyDown={onKeyDown}
      className="fixed inset-0 m-0 h-auto max-h-none w-auto max-w-none overflow-clip border-0 bg-transparent p-0 text-ink max-md:bg-scrim"
    >
      <div
        ref={panel}
        id={id}
        role="menu"
        tabIndex={-1}
        aria-label={label}
        aria-labelledby={label === undefined ? labelledBy : undefined}
        className={cx(
          'absolute overflow-y-auto overscroll-contain bg-card p-1.5 shadow-float outline-none',
          'md:max-w-80 md:min-w-50 md:animate-[grow_120ms_var(--ease)] md:rounded-card md:border md:border-line',
          'max-md:inset-x-0 max-md:bottom-0 max-md:max-h-[80dvh] max-md:animate-[slide-up_180ms_var(--ease)] max-md:rounded-t-dialog max-md:px-2 max-md:pt-3 max-md:pb-[max(16px,env(safe-area-inset-bottom))]',
          className,
        )}
      >
        <CloseContext value={onClose}>{children}</CloseContext>
      </div>
    </div>
  );
}

function targetOf(
  event: KeyboardEvent,
  items: HTMLElement[],
  here: number,
  typed: { text: string; at: number },
): number | undefined {
  const count = items.length;
  switch (event.key) {
    case 'ArrowDown':
      return (here + 1) % count;
    case 'ArrowUp':
      return (here <= 0 ? count : here) - 1;
    case 'Home':
    case 'PageUp':
      return 0;
    case 'End':
    case 'PageDown':
      return count - 1;
    default:
  }
  if (event.key.length !== 1 || event.key === ' ' || event.ctrlKey || event.metaKey || event.altKey)
    return undefined;
  // Letters typed within half a second form one word.
  typed.text = (event.timeStamp - typed.at < 500 ? typed.text : '') + event.key.toLowerCase();
  typed.at = event.timeStamp;
  const from = typed.text.length === 1 ? here + 1 : Math.max(here, 0);
  const order = [...items.keys()].map((at) => (from + at) % count);
  return order.find((at) => items[at]!.textContent.trim().toLowerCase().startsWith(typed.text));
}
