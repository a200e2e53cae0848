import { useId, type ReactNode } from 'react';
import { cx } from '../class-names.ts';

export interface SegmentedProps<V extends string> {
  label: string;
  value: V;
  onChange: (value: V) => void;
  options: readonly { value: V; label: string; icon?: ReactNode }[];
  /** Shows the icons alone; the labels become tooltips. */
  iconOnly?: boolean;
  className?: string;
}

/** Segmented control: a few choices side by side, one of them selected. */
export function Segmented<V extends string>({
  label,
  value,
  onChange,
  options,
  iconOnly = false,
  className,
}: SegmentedProps<V>) {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className={cx('inline-flex rounded-large bg-sunken p-0.5 ring-1 ring-line ring-inset', className)}
    >
      {options.map((option) => (
        <label key={option.value} data-tip={iconOnly ? option.label : undefined} className="relative flex-1">
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            aria-label={iconOnly ? option.label : undefined}
            className="peer absolute inset-0 m-0 cursor-pointer appearance-none rounded-control"
          />
          <span className="pointer-events-none relative flex h-8 items-center justify-center gap-2 rounded-control px-3 text-13 font-medium whitespace-nowrap text-ink-2 transition-colors peer-checked:bg-card peer-checked:text-ink peer-checked:ring-1 peer-checked:ring-line peer-hover:text-ink">
            {option.icon}
            {!iconOnly && option.label}
          </span>
        </label>
      ))}
    </div>
  );
}
