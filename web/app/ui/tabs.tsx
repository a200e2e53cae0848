import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { cx } from './class-names.ts';
import { showChosen } from './row-scroll.ts';
import { tabAfter } from './tab-keys.ts';

export interface TabsProps<V extends string> {
  label: string;
  tabs: readonly { id: V; label: string; count?: number }[];
  selected: V;
  onSelect: (id: V) => void;
  /** Panel of the selected tab. */
  children?: ReactNode;
  className?: string;
}

export function Tabs<V extends string>({
  label,
  tabs,
  selected,
  onSelect,
  children,
  className,
}: TabsProps<V>) {
  const id = useId();
  const row = useRef<HTMLDivElement>(null);
  const isCounted = tabs.some(({ count }) => count !== undefined);
  // Numbers that are loaded later make the tabs wider, and elements beside them make the row narrower.
  useEffect(() => {
    const watch = new ResizeObserver(() => showChosen(row.current, '[aria-selected=true]'));
    if (row.current) watch.observe(row.current);
    return () => watch.disconnect();
  }, [selected, isCounted]);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const here = tabs.findIndex((tab) => tab.id === selected);
    const to = tabAfter(event.key, here, tabs.length);
    const tab = to === undefined ? undefined : tabs[to];
    if (!tab) return;
    event.preventDefault();
    onSelect(tab.id);
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${CSS.escape(tab.id)}"]`)?.focus();
  };
  return (
    <>
      <div
        ref={row}
        role="tablist"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={onKeyDown}
        className={cx('relative flex gap-1 overflow-x-auto border-b border-line', className)}
      >
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            data-tab={tab.id}
            aria-selected={tab.id === selected}
            aria-controls={children === undefined || tab.id !== selected ? undefined : `${id}-panel`}
            tabIndex={tab.id === selected ? 0 : -1}
            onClick={() => onSelect(tab.id)}
            className="relative flex h-11 shrink-0 items-center gap-2 px-3 font-medium text-ink-2 -outline-offset-2 transition-colors hover:text-ink aria-selected:text-ink aria-selected:after:absolute aria-selected:after:inset-x-2 aria-selected:after:bottom-0 aria-selected:after:h-0.5 aria-selected:after:rounded-full aria-selected:after:bg-blue"
          >
            {tab.label}
            {tab.count !== undefined && <span className="text-12 text-ink-3 tabular-nums">{tab.count}</span>}
          </button>
        ))}
      </div>
      {children !== undefined && (
        <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${selected}`}>
          {children}
        </div>
      )}
    </>
  );
}
