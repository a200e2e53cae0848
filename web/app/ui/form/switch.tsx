import type { InputHTMLAttributes, ReactNode } from 'react';
import { cx } from '../class-names.ts';

export interface SwitchProps extends Omit<
  InputHTMLAttributes<HTMLInputElement>,
  'type' | 'onChange' | 'role'
> {
  isSelected?: boolean;
  onChange?: (isSelected: boolean) => void;
  /** Label; the switch is at the end of the line. */
  children?: ReactNode;
  hint?: ReactNode;
}

export function Switch({ isSelected, onChange, children, hint, className, ...rest }: SwitchProps) {
  return (
    <label className={cx('flex items-center gap-4', rest.disabled && 'opacity-50', className)}>
      {children !== undefined && (
        <span className="min-w-0 flex-1">
          <span className="block">{children}</span>
          {hint !== undefined && <span className="block text-13 text-ink-3">{hint}</span>}
        </span>
      )}
      <span className="relative h-6 w-10 shrink-0">
        <input
          {...rest}
          type="checkbox"
          role="switch"
          checked={isSelected}
          onChange={(event) => onChange?.(event.currentTarget.checked)}
          className="peer absolute inset-0 m-0 cursor-pointer appearance-none rounded-full bg-line-strong transition-colors checked:bg-blue"
        />
        <span className="pointer-events-none absolute top-0.5 left-0.5 size-5 rounded-full bg-white shadow-float transition-transform peer-checked:translate-x-4" />
      </span>
    </label>
  );
}
