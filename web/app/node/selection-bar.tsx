import { useRef, type ReactNode } from 'react';
import { Ellipsis, ListFilter, X } from 'lucide-react';
import { useT } from '#app/i18n/t.ts';
import { cx } from '#app/ui/class-names.ts';
import { useBottomInset } from '#app/ui/bottom-inset.ts';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Menu, MenuItem, MenuTrigger } from '#app/ui/menu/menu.tsx';
import type { Selecting } from './entries/use-selecting.ts';
import { useAmountText } from './use-amount-text.ts';

export interface BarAction {
  readonly id: string;
  readonly label: string;
  readonly icon: ReactNode;
  readonly run: () => void;
  readonly shortcut?: string;
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
}

export interface SelectionBarProps {
  readonly selecting: Pick<Selecting, 'count' | 'amount' | 'isActive' | 'clear' | 'selectAll'>;
  /** Number of entries in the listing, for "select all"; `undefined` while unknown. */
  readonly total: number | undefined;
  /** Actions by frequency of use: those that don't fit go into a menu. */
  readonly actions: readonly BarAction[];
  /** Opens a dialog that selects by conditions. */
  readonly onSelectBy?: (() => void) | undefined;
  /** Container that it floats over on desktops: the window (`page`), or its positioned ancestor (`list`). */
  readonly over?: 'page' | 'list';
}

const ON_DESKTOP = 5;
const ON_PHONE = 4;

/** Actions on the selection: a card over the bottom of the list; on phones a bar at the edge of the screen. */
export function SelectionBar({ over = 'page', ...rest }: SelectionBarProps) {
  const box = useRef<HTMLDivElement>(null);
  const { isActive } = rest.selecting;
  useBottomInset('--bar', box, isActive);
  if (!isActive) return null;
  return (
    <div
      ref={box}
      className={cx(
        'pointer-events-none fixed inset-x-0 bottom-0 z-30 @container flex justify-center md:px-4 md:pb-6',
        over === 'list' && 'md:absolute',
      )}
    >
      <Bar {...rest} />
    </div>
  );
}

function Bar({ selecting, total, actions, onSelectBy }: Omit<SelectionBarProps, 'over'>) {
  const t = useT();
  const amountText = useAmountText();
  const { count, amount, clear, selectAll } = selecting;
  const isAll = total !== undefined && count >= total;
  return (
    <div
      role="toolbar"
      aria-label={t('node.actions')}
      className={cx(
        'pointer-events-auto min-w-0 animate-[rise_160ms_var(--ease)] border-line bg-card shadow-float',
        'md:flex md:items-center md:gap-1 md:rounded-[14px] md:border md:p-1.5',
        'max-md:w-full max-md:rounded-t-dialog max-md:border-t max-md:pb-[max(8px,env(safe-area-inset-bottom))]',
      )}
    >
      <span className="flex items-center max-md:px-2 max-md:pt-1.5">
        <IconButton
          label={t('node.selection.clear')}
          shortcut="Esc"
          size="l"
          icon={<X aria-hidden="true" />}
          onClick={clear}
        />
        <span className="ps-1 pe-2 font-semibold whitespace-nowrap tabular-nums">
          {t('node.selected', { count })}
          {amount && count > 0 && (
            <span className="font-medium text-ink-3">{` · ${amountText(amount)}`}</span>
          )}
        </span>
        {!isAll && (
          <button
            type="button"
            onClick={selectAll}
            className="h-9 rounded-control px-2.5 font-medium whitespace-nowrap text-blue-strong hover:bg-blue-wash max-md:ms-auto max-md:h-11"
          >
            {total === undefined ? t('node.select.all') : t('node.select.all.count', { count: total })}
          </button>
        )}
        {!isAll && onSelectBy && (
          <IconButton
            label={t('node.select.by')}
            shortcut="+"
            size="l"
            icon={<ListFilter aria-hidden="true" />}
            onClick={onSelectBy}
          />
        )}
      </span>
      {count > 0 && (
        <span className="flex items-center md:gap-1 max-md:justify-around max-md:px-1">
          <span aria-hidden="true" className="mx-1 h-6 w-px bg-line max-md:hidden" />
          {actions.map((action, at) => (
            <BarButton
              key={action.id}
              action={action}
              className={cx(
                at >= ON_DESKTOP && (actions.length > ON_DESKTOP + 1 || at > ON_DESKTOP) && 'md:hidden',
                at >= ON_PHONE && (actions.length > ON_PHONE + 1 || at > ON_PHONE) && 'max-md:hidden',
              )}
            />
          ))}
          <More
            actions={actions.slice(ON_DESKTOP)}
            shows={actions.length > ON_DESKTOP + 1}
            className="max-md:hidden"
          />
          <More
            actions={actions.slice(ON_PHONE)}
            shows={actions.length > ON_PHONE + 1}
            className="md:hidden"
          />
        </span>
      )}
    </div>
  );
}

function BarButton({ action, className }: { action: BarAction; className: string }) {
  const { label, icon, run, isDanger, isDisabled, shortcut } = action;
  return (
    <button
      type="button"
      onClick={run}
      disabled={isDisabled}
      data-tip={label}
      data-tip-key={shortcut}
      className={cx(
        'inline-flex items-center justify-center gap-2 rounded-large font-medium whitespace-nowrap transition-colors hover:bg-hover disabled:opacity-45',
        'md:h-10 md:px-3 max-md:min-h-14 max-md:min-w-0 max-md:flex-1 max-md:flex-col max-md:gap-1 max-md:px-1 max-md:text-12',
        isDanger ? 'text-danger' : 'text-ink',
        className,
      )}
    >
      {icon}
      <span className="max-w-full truncate md:@max-[900px]:sr-only">{label}</span>
    </button>
  );
}

function More({
  actions,
  shows,
  className,
}: {
  actions: readonly BarAction[];
  shows: boolean;
  className: string;
}) {
  const t = useT();
  if (!shows) return null;
  return (
    <span
      className={cx(
        'max-md:flex max-md:min-h-14 max-md:flex-1 max-md:items-center max-md:justify-center',
        className,
      )}
    >
      <MenuTrigger>
        <IconButton label={t('node.selection.more')} size="l" icon={<Ellipsis aria-hidden="true" />} />
        <Menu>
          {actions.map(({ id, label, icon, run, shortcut, isDanger = false, isDisabled = false }) => (
            <MenuItem
              key={id}
              icon={icon}
              onAction={run}
              isDanger={isDanger}
              isDisabled={isDisabled}
              {...(shortcut === undefined ? {} : { shortcut })}
            >
              {label}
            </MenuItem>
          ))}
        </Menu>
      </MenuTrigger>
    </span>
  );
}
