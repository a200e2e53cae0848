import { cx } from './class-names.ts';
import { Mark } from './mark.tsx';

/** Product name; the same in every language. */
export const PRODUCT_NAME = 'Bowerbird';

export function Wordmark({ size = 26, className }: { size?: number; className?: string }) {
  return (
    <span
      className={cx(
        'inline-flex items-center gap-2.5 text-16 font-[650] tracking-[-0.01em] text-ink',
        className,
      )}
    >
      <Mark size={size} />
      {PRODUCT_NAME}
    </span>
  );
}
