import { ArrowDownUp, ArrowDown, ArrowUp } from 'lucide-react';
import { type Order, SORT_KEYS, type SortKey } from '@bowerbird/contract';
import { type MessageKey, useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { Menu, MenuItem, MenuSection, MenuSeparator, MenuTrigger } from '#app/ui/menu/menu.tsx';

export interface SortMenuProps {
  readonly order: Order;
  readonly onSort: (order: Order) => void;
  readonly pinFoldersTop: boolean;
  readonly onPinFoldersTop: (pin: boolean) => void;
  /** With both, the menu also offers one order for all folders. */
  readonly isGlobal?: boolean;
  readonly onGlobal?: (isGlobal: boolean) => void;
  /** Labels of keys that differ from the usual ones. */
  readonly names?: Partial<Record<SortKey, MessageKey>>;
  /** Shows the current order on phones, too. */
  readonly isWide?: boolean;
  readonly className?: string;
}

const NAMES: Readonly<Record<SortKey, MessageKey>> = {
  name: 'node.column.name',
  type: 'node.column.type',
  modified: 'node.column.modified',
  size: 'node.column.size',
};

const WAYS: Readonly<Record<SortKey, readonly [ascending: MessageKey, descending: MessageKey]>> = {
  name: ['node.sort.a-z', 'node.sort.z-a'],
  type: ['node.sort.a-z', 'node.sort.z-a'],
  modified: ['node.sort.oldest', 'node.sort.newest'],
  size: ['node.sort.smallest', 'node.sort.largest'],
};

const newestFirst = (key: SortKey): boolean => key === 'modified' || key === 'size';

/** Order of the listing, its direction, and whether folders come first. */
export function SortMenu(props: SortMenuProps) {
  const {
    order,
    onSort,
    pinFoldersTop,
    onPinFoldersTop,
    isGlobal,
    onGlobal,
    names: otherNames,
    isWide = false,
    className,
  } = props;
  const t = useT();
  const names = { ...NAMES, ...otherNames };
  const Arrow = order.descending ? ArrowDown : ArrowUp;
  return (
    <MenuTrigger>
      <Button
        variant="plain"
        className={className ?? ''}
        aria-label={t('node.sort.label', { by: t(names[order.key]) })}
        icon={
          isWide ? (
            <Arrow aria-hidden="true" />
          ) : (
            <>
              <ArrowDownUp aria-hidden="true" className="md:hidden" />
              <Arrow aria-hidden="true" className="max-md:hidden" />
            </>
          )
        }
      >
        <span className={isWide ? undefined : 'max-md:hidden'}>{t(names[order.key])}</span>
      </Button>
      <Menu>
        <MenuSection title={t('node.sort.by')}>
          {SORT_KEYS.map((key) => (
            <MenuItem
              key={key}
              isSelected={order.key === key}
              onAction={() =>
                onSort({ key, descending: order.key === key ? order.descending : newestFirst(key) })
              }
            >
              {t(names[key])}
            </MenuItem>
          ))}
        </MenuSection>
        <MenuSeparator />
        {[false, true].map((descending) => (
          <MenuItem
            key={String(descending)}
            icon={descending ? <ArrowDown aria-hidden="true" /> : <ArrowUp aria-hidden="true" />}
            isSelected={order.descending === descending}
            onAction={() => onSort({ key: order.key, descending })}
          >
            {t(WAYS[order.key][descending ? 1 : 0])}
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem multiple isSelected={pinFoldersTop} onAction={() => onPinFoldersTop(!pinFoldersTop)}>
          {t('node.sort.folders-first')}
        </MenuItem>
        {onGlobal && (
          <MenuItem multiple isSelected={isGlobal ?? true} onAction={() => onGlobal(!(isGlobal ?? true))}>
            {t('node.sort.global')}
          </MenuItem>
        )}
      </Menu>
    </MenuTrigger>
  );
}
