import { cx } from './class-names.ts';

/** The place of something that comes; give it the size of what will stand there. Appears after 200 ms only. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <div
      aria-hidden="true"
      className={cx(
        'animate-[shimmer_1.4s_200ms_infinite,appear_200ms_200ms_backwards] rounded-control bg-line',
        className,
      )}
    />
  );
}
