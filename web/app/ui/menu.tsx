import {
  Children,
  cloneElement,
  createContext,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
} from 'react';
import { Check } from 'lucide-react';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { cx } from './class-names.ts';
import { placeMenu, type Anchor } from './place-menu.ts';

interface Holder {
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly id: string;
  readonly labelledBy: string;
  readonly anchor: () => Anchor;
}

const HolderContext = createContext<Holder | null>(null);
/** Closes the menu that an item stands in. */
const CloseContext = createContext<(() => void) | null>(null);

type Trigger = ReactElement<{
  id?: string;
  onClick?: (event: MouseEvent<HTMLElement>) => void;
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void;
}>;

/** A button and its menu: `<MenuTrigger><Button/><Menu>…</Menu></MenuTrigger>`. */
export function MenuTrigger({ children }: { children: [Trigger, ReactNode] }) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLElement | null>(null);
  const menuId = useId();
  const ownId = useId();
  const [trigger, menu] = Children.toArray(children) as [Trigger, ReactNode];
  const triggerId = trigger.props.id ?? ownId;
  const open = (event: { currentTarget: HTMLElement }): void => {
    button.current = event.currentTarget;
    setOpen(true);
  };
  const holder = useMemo<Holder>(
    () => ({
      isOpen,
      close: () => setOpen(false),
      id: menuId,
      labelledBy: triggerId,
      anchor: () => button.current!.getBoundingClientRect(),
    }),
    [isOpen, menuId, triggerId],
  );
  const extra = {
    id: triggerId,
    'aria-haspopup': 'menu',
    'aria-expanded': isOpen,
    'aria-controls': isOpen ? menuId : undefined,
    onClick: open,
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      open(event);
    },
  };
  return (
    <>
      {cloneElement(trigger, extra)}
      <HolderContext value={holder}>{menu}</HolderContext>
    </>
  );
}

export interface MenuProps {
  'aria-label'?: string;
  children: ReactNode;
  className?: string;
}

/** The menu of the MenuTrigger that it stands in. */
export function Menu(props: MenuProps) {
  const holder = useContext(HolderContext);
  if (!holder?.isOpen) return null;
  return (
    <MenuSurface
      {...props}
      id={holder.id}
      labelledBy={holder.labelledBy}
      anchor={holder.anchor}
      onClose={holder.close}
    />
  );
}

/** A menu at a place of the screen, open while there is one. */
export function ContextMenu({
  at,
  onClose,
  ...rest
}: MenuProps & { at: { x: number; y: number } | null; onClose: () => void }) {
  if (!at) return null;
  return (
    <MenuSurface
      key={`${at.x} ${at.y}`}
      {...rest}
      anchor={() => ({ left: at.x, right: at.x, top: at.y, bottom: at.y })}
      onClose={onClose}
    />
  );
}

interface SurfaceProps extends MenuProps {
  id?: string;
  labelledBy?: string;
  anchor: () => Anchor;
  onClose: () => void;
}

const ITEMS = '[role^=menuitem]:not(:disabled,[aria-disabled=true])';

/** A popover over the whole screen, so that a press outside closes and does nothing else; on phones a sheet from below. */
function MenuSurface({
  id,
  labelledBy,
  anchor,
  onClose,
  className,
  children,
  'aria-label': label,
}: SurfaceProps) {
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
    const first =
      list.querySelector<HTMLElement>('[aria-checked=true]') ?? list.querySelector<HTMLElement>(ITEMS);
    (first ?? list).focus({ preventScroll: true });
    first?.scrollIntoView({ block: 'nearest' });
    // A phone's back gesture closes it.
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
    // It is placed once: a menu does not follow what moves under it.
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
    // What lies under the pointer opens its own menu, as if this one had not been in the way.
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
    // The layer only catches what goes beside the menu.
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
      className="fixed inset-0 m-0 h-auto max-h-none w-auto max-w-none overflow-hidden border-0 bg-transparent p-0 text-ink max-md:bg-scrim"
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
  // Letters typed within half a second are one word.
  typed.text = (event.timeStamp - typed.at < 500 ? typed.text : '') + event.key.toLowerCase();
  typed.at = event.timeStamp;
  const from = typed.text.length === 1 ? here + 1 : Math.max(here, 0);
  const order = [...items.keys()].map((at) => (from + at) % count);
  return order.find((at) => items[at]!.textContent.trim().toLowerCase().startsWith(typed.text));
}

export interface MenuItemProps {
  onAction?: () => void;
  icon?: ReactNode;
  /** Shown at the end; the key itself is handled where the action lives. */
  shortcut?: string;
  isDanger?: boolean;
  isDisabled?: boolean;
  /** Makes it a choice of several (or a switch with `multiple`) and says whether it is chosen. */
  isSelected?: boolean;
  multiple?: boolean;
  /** A second line. */
  hint?: ReactNode;
  href?: string;
  /** Loads the page anew: for links that change language or leave the site. */
  reloadDocument?: boolean;
  target?: string;
  lang?: string;
  children: ReactNode;
}

export function MenuItem({
  onAction,
  icon,
  shortcut,
  isDanger = false,
  isDisabled = false,
  isSelected,
  multiple = false,
  hint,
  href,
  reloadDocument = false,
  target,
  lang,
  children,
}: MenuItemProps) {
  const close = useContext(CloseContext);
  const look = cx(
    'flex w-full items-center gap-3 rounded-control px-2.5 py-1.5 text-start text-14 outline-none max-md:min-h-12 max-md:px-4 md:min-h-9',
    'focus:bg-hover aria-disabled:opacity-45',
    isDanger ? 'text-danger focus:bg-danger-wash' : 'text-ink',
  );
  const content = (
    <>
      {icon !== undefined && (
        <span className={cx('grid place-items-center', !isDanger && 'text-ink-2')}>{icon}</span>
      )}
      <span className="min-w-0 flex-1">
        <span className="block [overflow-wrap:anywhere]">{children}</span>
        {hint !== undefined && <span className="block text-12 text-ink-3">{hint}</span>}
      </span>
      {shortcut !== undefined && <kbd className="font-sans text-12 text-ink-3 max-md:hidden">{shortcut}</kbd>}
      {isSelected !== undefined && <Check className={cx('text-blue', !isSelected && 'invisible')} />}
    </>
  );
  const shared = {
    role: isSelected === undefined ? 'menuitem' : multiple ? 'menuitemcheckbox' : 'menuitemradio',
    'aria-checked': isSelected,
    'aria-disabled': isDisabled || undefined,
    tabIndex: -1,
    lang,
    className: look,
    onPointerMove: (event: { currentTarget: HTMLElement }) => {
      if (!isDisabled && document.activeElement !== event.currentTarget)
        event.currentTarget.focus({ preventScroll: true });
    },
    onClick: () => {
      if (isDisabled) return;
      close?.();
      onAction?.();
    },
  };
  if (href === undefined) {
    return (
      <button type="button" {...shared}>
        {content}
      </button>
    );
  }
  if (reloadDocument || target !== undefined || !href.startsWith('/')) {
    return (
      <a href={href} target={target} rel={target === '_blank' ? 'noopener' : undefined} {...shared}>
        {content}
      </a>
    );
  }
  return (
    <LocaleLink to={href} {...shared}>
      {content}
    </LocaleLink>
  );
}

export function MenuSection({ title, children }: { title?: string; children: ReactNode }) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={title === undefined ? undefined : id}>
      {title !== undefined && (
        <div id={id} className="px-2.5 pt-2 pb-1 text-12 font-medium text-ink-3 max-md:px-4">
          {title}
        </div>
      )}
      {children}
    </div>
  );
}

export function MenuSeparator() {
  return <hr className="mx-2 my-1.5 border-line" />;
}
