import { cx } from './class-names.ts';

/** Placeholder of loading content; give it the content's size. Appears only after 200 ms. */
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
