import { cx } from './class-names.ts';

/** The bower: two arcs that meet over what was found. `mono` draws it in one colour. */
export function Mark({ size = 26, mono = false, className }: { size?: number; mono?: boolean; className?: string }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden="true" className={cx('shrink-0', className)}>
      <path
        d="M5 27C5 14 9.5 6.5 15 4M27 27C27 14 22.5 6.5 17 4M10 27c0-9 2-14.5 5-17.5M22 27c0-9-2-14.5-5-17.5"
        stroke="currentColor"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
      <circle cx="16" cy="24.5" r="3.4" fill={mono ? 'currentColor' : 'var(--blue)'} />
    </svg>
  );
}
