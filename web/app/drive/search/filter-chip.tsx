import type { ReactNode } from 'react';
import { ChevronDown, X } from 'lucide-react';
import { useT } from '#app/i18n/t.ts';
import { cx } from '#app/ui/class-names.ts';
import { Menu, MenuTrigger } from '#app/ui/menu/menu.tsx';

/** Filter of a search: a button that opens its choices, and one that removes it. */
export function FilterChip({
  name,
  value,
  onRemove,
  children,
}: {
  /** Name of the filter, shown while it isn't in use. */
  name: string;
  value: string | undefined;
  onRemove: () => void;
  /** Items of its menu; without them, the filter can only be removed. */
  children?: ReactNode;
}) {
  const t = useT();
  const isOn = value !== undefined;
  const shape = cx(
    'search-pill gap-1.5',
    isOn && 'border-transparent! bg-blue-wash! text-blue-strong! pe-1.5',
  );
  const label = (
    <>
      <bdi className="max-w-56 truncate">{value ?? name}</bdi>
      {children !== undefined && <ChevronDown aria-hidden="true" className="-me-1 size-4!" />}
    </>
  );
  const remove = isOn && (
    <button
      type="button"
      aria-label={t('search.filter.remove', { filter: value })}
      onClick={({ currentTarget }) => {
        // This button goes away: the focus moves to that of the menu, or to the first of all filters.
        const chip = currentTarget.parentElement;
        const first = chip?.querySelector('button');
        (first === currentTarget ? chip?.parentElement?.querySelector('button') : first)?.focus();
        onRemove();
      }}
      className="relative -ms-1 me-1 grid size-7 shrink-0 place-items-center rounded-full text-blue-strong hover:bg-hover pointer-coarse:after:absolute pointer-coarse:after:-inset-y-2 pointer-coarse:after:inset-x-0"
    >
      <X aria-hidden="true" className="size-4!" />
    </button>
  );
  return (
    <span className={cx('flex max-w-full shrink-0 items-center rounded-full', isOn && 'bg-blue-wash')}>
      {children === undefined ? (
        <span className={shape}>{label}</span>
      ) : (
        <MenuTrigger>
          <button type="button" aria-label={isOn ? `${name}: ${value}` : name} className={shape}>
            {label}
          </button>
          <Menu aria-label={name}>{children}</Menu>
        </MenuTrigger>
      )}
      {remove}
    </span>
  );
}
