import { useId, type ReactNode } from 'react';
import { cx } from './class-names.ts';

/** Section of a page on a card; its title may have a sum beside it. */
export function Card({
  title,
  total,
  className,
  children,
}: {
  title?: string;
  total?: string;
  className?: string | undefined;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section
      aria-labelledby={title === undefined ? undefined : id}
      className={cx('min-w-0 rounded-card border border-line bg-card p-5 max-md:p-4', className)}
    >
      {title !== undefined && (
        <h2 className="mb-4 flex justify-between gap-4 text-16 font-semibold">
          <span id={id}>{title}</span>
          {total !== undefined && <span className="num shrink-0">{total}</span>}
        </h2>
      )}
      {children}
    </section>
  );
}
