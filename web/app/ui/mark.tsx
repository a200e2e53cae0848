import { cx } from './class-names.ts';

/** Logo, a bower: two arcs that meet over a found object. `mono` draws it in one color. */
export function Mark({
  size = 26,
  mono = false,
  className,
}: {
  size?: number;
  mono?: boolean;
  className?: string;
}) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 32 32"
      fill="none"
      aria-hidden="true"
      className={cx('shrink-0', className)}
    >
      <path
        d="M5 27C5 14 9.5 7 16 3.8C22.5 7 27 14 27 27M10 27C10 18 12 12.7 16 9.4C20 12.7 22 18 22 27"
        stroke="currentColor"
        strokeWidth="2.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="16" cy="24.6" r="3.1" fill={mono ? 'currentColor' : 'var(--blue)'} />
    </svg>
  );
}
