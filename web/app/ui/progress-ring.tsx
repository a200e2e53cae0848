import { cx } from './class-names.ts';

const RADIUS = 9;
const AROUND = 2 * Math.PI * RADIUS;

/** Progress as a ring; `value` is a share of 1. */
export function ProgressRing({
  value,
  label,
  size = 20,
  className,
}: {
  value: number;
  label: string;
  size?: number;
  className?: string;
}) {
  const part = Math.min(1, Math.max(0, value));
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(part * 100)}
      className={cx('shrink-0 -rotate-90', className)}
    >
      <circle cx="12" cy="12" r={RADIUS} stroke="var(--line)" strokeWidth="3" />
      <circle
        cx="12"
        cy="12"
        r={RADIUS}
        stroke="var(--blue)"
        strokeWidth="3"
        strokeLinecap="round"
        strokeDasharray={AROUND}
        strokeDashoffset={AROUND * (1 - part)}
        className="transition-[stroke-dashoffset] duration-200"
      />
    </svg>
  );
}
