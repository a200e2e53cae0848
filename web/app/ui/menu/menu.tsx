import {
  Children,
  cloneElement,
  createContext,
  lazy,
  Suspense,
  useContext,
  useEffect,
  useId,
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
import { cx } from '../class-names.ts';
import { CloseContext, type MenuProps } from './menu-context.ts';
import type { Anchor } from './place-menu.ts';

export type { MenuProps } from './menu-context.ts';

interface Holder {
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly id: string;
  readonly labelledBy: string;
  readonly anchor: () => Anchor;
}

const HolderContext = createContext<Holder | null>(null);
const loadSurface = () => import('./menu-surface.tsx');
const MenuSurface = lazy(loadSurface);
let isOnItsWay = false;

/** Loads the menu's code when the page is idle, or at the first sign of a click. */
function useSurfaceSoon(): void {
  useEffect(() => {
    if (isOnItsWay) return;
    isOnItsWay = true;
    // After a network error the click itself loads it again.
    setTimeout(() => loadSurface().catch(() => undefined), 1000);
  }, []);
}

type Trigger = ReactElement<{
  id?: string;
  onClick?: (event: MouseEvent<HTMLElement>) => void;
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void;
}>;

/** Button with its menu: `<MenuTrigger><Button/><Menu>…</Menu></MenuTrigger>`. */
export function MenuTrigger({ children }: { children: [Trigger, ReactNode] }) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLElement | null>(null);
  const menuId = useId();
  const ownId = useId();
  useSurfaceSoon();
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
    onPointerEnter: loadSurface,
    onFocus: loadSurface,
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

/** Menu of the surrounding MenuTrigger. */
export function Menu(props: MenuProps) {
  const holder = useContext(HolderContext);
  if (!holder?.isOpen) return null;
  return (
    <Suspense>
      <MenuSurface
        {...props}
        id={holder.id}
        labelledBy={holder.labelledBy}
        anchor={holder.anchor}
        onClose={holder.close}
      />
    </Suspense>
  );
}

/** Menu at a position of the screen, open while there is one. */
export function ContextMenu({
  at,
  onClose,
  ...rest
}: MenuProps & { at: { x: number; y: number } | null; onClose: () => void }) {
  if (!at) return null;
  return (
    <Suspense>
      <MenuSurface
        key={`${at.x} ${at.y}`}
        {...rest}
        anchor={() => ({ left: at.x, right: at.x, top: at.y, bottom: at.y })}
        onClose={onClose}
      />
    </Suspense>
  );
}

export interface MenuItemProps {
  onAction?: () => void;
  icon?: ReactNode;
  /** Shown at the end of the item; the code of the action handles the key itself. */
  shortcut?: string;
  isDanger?: boolean;
  isDisabled?: boolean;
  /** Makes the item a radio choice (or a checkbox with `multiple`) with this state. */
  isSelected?: boolean;
  multiple?: boolean;
  /** True for the place that is open already. */
  isCurrent?: boolean;
  /** Second line. */
  hint?: ReactNode;
  href?: string;
  /** Reloads the page: for links that change language or leave the site. */
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
  isCurrent = false,
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
    'focus:bg-hover aria-disabled:opacity-45 aria-[current]:font-semibold',
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
    'aria-current': isCurrent || undefined,
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
