import { useId, type ReactNode, type SelectHTMLAttributes } from 'react';
import { ChevronDown } from 'lucide-react';
import { cx } from '../class-names.ts';

export interface SelectProps<V extends string> extends Omit<
  SelectHTMLAttributes<HTMLSelectElement>,
  'onChange' | 'value'
> {
  label: string;
  hideLabel?: boolean;
  hint?: ReactNode;
  value?: V;
  onChange?: (value: V) => void;
  options: readonly { value: V; label: string }[];
}

/** The platform's own select: it supports every keyboard, phone and screen reader. */
export function Select<V extends string>({
  label,
  hideLabel = false,
  hint,
  onChange,
  options,
  className,
  id: givenId,
  ...rest
}: SelectProps<V>) {
  const ownId = useId();
  const id = givenId ?? ownId;
  return (
    <div className={cx('grid content-start gap-1.5', className)}>
      <label htmlFor={id} className={cx('text-13 font-medium', hideLabel && 'sr-only')}>
        {label}
      </label>
      <div className="relative">
        <select
          {...rest}
          id={id}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          onChange={(event) => onChange?.(event.currentTarget.value as V)}
          className="field appearance-none pr-10"
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <ChevronDown className="pointer-events-none absolute inset-y-0 right-3 my-auto text-ink-2" />
      </div>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-13 text-ink-3">
          {hint}
        </p>
      )}
    </div>
  );
}
