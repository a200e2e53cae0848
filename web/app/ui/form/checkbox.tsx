import { useEffect, useRef, type InputHTMLAttributes, type ReactNode } from 'react';
import { Check, Minus } from 'lucide-react';
import { cx } from '../class-names.ts';

export interface CheckboxProps extends Omit<
  InputHTMLAttributes<HTMLInputElement>,
  'type' | 'onChange' | 'size'
> {
  isSelected?: boolean;
  /** Some of the represented items are selected. */
  isIndeterminate?: boolean;
  onChange?: (isSelected: boolean) => void;
  children?: ReactNode;
}

/** Checkbox with a label as children, or alone with an `aria-label`. */
export function Checkbox({
  isSelected,
  isIndeterminate = false,
  onChange,
  children,
  className,
  ...rest
}: CheckboxProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current!.indeterminate = isIndeterminate;
  }, [isIndeterminate]);
  return (
    <label className={cx('checkbox', rest.disabled && 'opacity-50', className)}>
      <span className="relative mt-px grid size-4.5 shrink-0 place-items-center">
        <input
          {...rest}
          ref={input}
          type="checkbox"
          checked={isSelected}
          onChange={(event) => onChange?.(event.currentTarget.checked)}
          className="peer absolute inset-0 m-0 cursor-pointer appearance-none rounded-small border-[1.5px] border-line-strong bg-card transition-colors checked:border-blue checked:bg-blue indeterminate:border-blue indeterminate:bg-blue hover:border-ink-3 checked:hover:border-blue-strong"
        />
        <Check className="pointer-events-none relative hidden size-3.5 text-on-blue [stroke-width:3] peer-checked:block peer-indeterminate:hidden" />
        <Minus className="pointer-events-none relative hidden size-3.5 text-on-blue [stroke-width:3] peer-indeterminate:block" />
      </span>
      {children !== undefined && <span>{children}</span>}
    </label>
  );
}
