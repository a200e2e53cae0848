import type { ReactNode } from 'react';
import { cx } from './class-names.ts';
import { Mark } from './mark.tsx';

export interface EmptyStateProps {
  /** Defaults to the logo. */
  mark?: ReactNode;
  title: ReactNode;
  text?: ReactNode;
  actions?: ReactNode;
  /** 1 if it is the whole page. */
  level?: 1 | 2;
  className?: string;
}

/** Placeholder of an empty place, or a whole page with a single message. */
export function EmptyState({ mark, title, text, actions, level = 2, className }: EmptyStateProps) {
  const Heading = level === 1 ? 'h1' : 'h2';
  return (
    <div className={cx('mx-auto flex max-w-110 flex-col items-center px-6 py-16 text-center', className)}>
      <div className="mb-5 text-ink-3">{mark ?? <Mark size={56} />}</div>
      <Heading className="text-20 font-semibold text-ink">{title}</Heading>
      {text !== undefined && <div className="mt-2 text-ink-2">{text}</div>}
      {actions !== undefined && <div className="mt-6 flex flex-wrap justify-center gap-2.5">{actions}</div>}
    </div>
  );
}
