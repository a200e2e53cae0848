import { useId, type InputHTMLAttributes, type ReactNode, type Ref } from 'react';
import { cx } from '../class-names.ts';
import { useFieldCheck } from './use-field-check.ts';

export interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  /** For fields with an obvious purpose; screen readers still read the label. */
  hideLabel?: boolean;
  hint?: ReactNode;
  error?: ReactNode;
  /** Content beside the label, at the end of its line. */
  labelEnd?: ReactNode;
  /** Content inside the field, at its end. */
  end?: ReactNode;
  ref?: Ref<HTMLInputElement>;
}

export function TextField({
  label,
  hideLabel = false,
  hint,
  error: givenError,
  labelEnd,
  end,
  className,
  id: givenId,
  ...rest
}: TextFieldProps) {
  const ownId = useId();
  const id = givenId ?? ownId;
  const { problem, checks } = useFieldCheck();
  const error = problem ?? givenError;
  const hasError = error !== undefined && error !== null && error !== '';
  const described = [hasError && `${id}-error`, hint !== undefined && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className={cx('grid content-start gap-1.5', className)}>
      <div
        className={cx(
          'flex items-baseline justify-between gap-3',
          hideLabel && labelEnd === undefined && 'sr-only',
        )}
      >
        <label htmlFor={id} className={cx('text-13 font-medium', hideLabel && 'sr-only')}>
          {label}
        </label>
        {labelEnd}
      </div>
      <div className="relative">
        <input
          {...checks}
          {...rest}
          id={id}
          aria-invalid={hasError || undefined}
          aria-describedby={described === '' ? undefined : described}
          className={cx('field', end !== undefined && 'pr-11')}
        />
        {end !== undefined && <div className="absolute inset-y-0 right-1 grid place-items-center">{end}</div>}
      </div>
      {hasError && (
        <p id={`${id}-error`} className="text-13 text-danger">
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-13 text-ink-3">
          {hint}
        </p>
      )}
    </div>
  );
}
