import { cx } from './class-names.ts';

/** Filled bar; `value` is a share of 1, `undefined` while the duration is unknown. */
export function Meter({
  value,
  label,
  tone = 'blue',
  progress = false,
  className,
}: {
  value: number | undefined;
  label: string;
  tone?: 'blue' | 'danger' | 'warning' | 'success' | 'gold';
  /** Progress that moves to its end, not a level. */
  progress?: boolean;
  className?: string;
}) {
  const percent = value === undefined ? undefined : Math.round(Math.min(1, Math.max(0, value)) * 100);
  const fill = {
    blue: 'bg-blue',
    danger: 'bg-danger',
    warning: 'bg-warning',
    success: 'bg-success',
    gold: 'bg-gold',
  }[tone];
  return (
    <div
      role={progress ? 'progressbar' : 'meter'}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className={cx('h-1.5 w-full overflow-hidden rounded-full bg-line', className)}
    >
      <div
        className={cx(
          'h-full rounded-full',
          fill,
          percent === undefined ? 'meter-waiting' : 'transition-[width] duration-200',
        )}
        style={percent === undefined ? undefined : { width: `${percent}%` }}
      />
    </div>
  );
}
