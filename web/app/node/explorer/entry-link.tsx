import type { ReactNode } from 'react';
import { cx } from '#app/ui/class-names.ts';

/** Name of an entry, as a link if the entry has an address. The list handles keys and clicks. */
export function EntryLink({
  href,
  className,
  children,
}: {
  href: string | undefined;
  className?: string;
  children: ReactNode;
}) {
  if (href === undefined) return children;
  return (
    <a href={href} tabIndex={-1} draggable={false} data-part="link" className={cx(className, 'outline-none')}>
      {children}
    </a>
  );
}
