import { ArrowDown, ArrowUp, Check, Columns3, Minus } from 'lucide-react';
import type { Order } from '@bowerbird/contract';
import { useT } from '#app/i18n/t.ts';
import { cx } from '#app/ui/class-names.ts';
import { IconButton } from '#app/ui/icon-button.tsx';
import type { Column } from '../columns/column.ts';

export interface ListHeaderProps {
  readonly columns: readonly Column[];
  readonly order: Order | undefined;
  readonly onSort: ((order: Order) => void) | undefined;
  /** Extent of the selection among all entries. */
  readonly selected: 'none' | 'some' | 'all';
  readonly onToggleAll: () => void;
  readonly onColumns: (() => void) | undefined;
}

/** Column headers; they sort, and stay in place while the rows scroll. */
export function ListHeader({ columns, order, onSort, selected, onToggleAll, onColumns }: ListHeaderProps) {
  const t = useT();
  return (
    <div
      role="row"
      aria-rowindex={1}
      className="row-grid sticky top-(--explorer-top,0px) z-10 h-9 border-b border-line bg-(--explorer-ground,var(--paper)) text-12 font-medium text-ink-3 select-none @max-[600px]:hidden"
    >
      <span role="columnheader" className="h-full">
        <button
          type="button"
          role="checkbox"
          aria-checked={selected === 'some' ? 'mixed' : selected === 'all'}
          aria-label={t('node.select.all')}
          onClick={onToggleAll}
          className="group/check grid size-full place-items-center"
        >
          <span
            className={cx(
              'grid size-4.5 place-items-center rounded-small border-[1.5px] transition-colors',
              selected === 'none'
                ? 'border-line-strong bg-card group-hover/check:border-ink-3'
                : 'border-blue bg-blue text-on-blue',
            )}
          >
            {selected === 'all' && <Check aria-hidden="true" className="size-3.5 [stroke-width:3]" />}
            {selected === 'some' && <Minus aria-hidden="true" className="size-3.5 [stroke-width:3]" />}
          </span>
        </button>
      </span>
      <SortHeader label={t('node.column.name')} sortKey="name" order={order} onSort={onSort} />
      {columns.map((column, at) => (
        <SortHeader
          key={column.id}
          {...column}
          order={order}
          onSort={onSort}
          isLast={at === columns.length - 1}
        />
      ))}
      <span role="columnheader" className="flex justify-center">
        <span className="sr-only">{t('node.column.actions')}</span>
        {onColumns && (
          <IconButton
            label={t('node.columns')}
            size="s"
            icon={<Columns3 aria-hidden="true" />}
            onClick={onColumns}
            className="text-ink-3"
          />
        )}
      </span>
    </div>
  );
}

interface SortHeaderProps extends Pick<ListHeaderProps, 'order' | 'onSort'> {
  readonly label: string;
  readonly sortKey?: Order['key'] | undefined;
  readonly align?: 'start' | 'end' | undefined;
  readonly isLast?: boolean;
}

function SortHeader({ label, sortKey, align = 'start', isLast = false, order, onSort }: SortHeaderProps) {
  const isActive = sortKey !== undefined && order?.key === sortKey;
  const place = cx(
    'flex h-full min-w-0 items-center gap-1',
    align === 'end' && 'justify-end',
    align === 'end' && !isLast && 'pe-6',
  );
  if (sortKey === undefined || !onSort) {
    return (
      <span role="columnheader" className={place}>
        <span className="truncate">{label}</span>
      </span>
    );
  }
  const Arrow = order?.descending ? ArrowDown : ArrowUp;
  // Dates and sizes start with the newest or largest, names with A.
  const next: Order = {
    key: sortKey,
    descending: isActive ? !order.descending : sortKey === 'modified' || sortKey === 'size',
  };
  return (
    <span
      role="columnheader"
      aria-sort={isActive ? (order.descending ? 'descending' : 'ascending') : 'none'}
      className={place}
    >
      <button
        type="button"
        onClick={() => onSort(next)}
        className={cx(
          'flex h-full min-w-0 items-center gap-1 rounded-small hover:text-ink',
          isActive && 'text-ink',
        )}
      >
        <span className="truncate">{label}</span>
        {isActive && <Arrow aria-hidden="true" className="size-3.5" />}
      </button>
    </span>
  );
}
