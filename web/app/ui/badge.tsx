import type { ReactNode } from 'react';
import { cx } from './class-names.ts';

export type BadgeTone = 'neutral' | 'blue' | 'success' | 'warning' | 'danger' | 'gold';

const tones: Record<BadgeTone, string> = {
  neutral: 'bg-sunken text-ink-2 ring-1 ring-inset ring-line',
  blue: 'bg-blue-wash text-blue-strong',
  success: 'bg-success-wash text-success',
  warning: 'bg-warning-wash text-warning',
  danger: 'bg-danger-wash text-danger',
  gold: 'bg-gold-wash text-gold',
};

export function Badge({
  tone = 'neutral',
  icon,
  children,
  className,
}: {
  tone?: BadgeTone;
  icon?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-12 font-semibold whitespace-nowrap tabular-nums [&>svg]:size-3.5',
        tones[tone],
        className,
      )}
    >
      {icon}
      {children}
    </span>
  );
}
