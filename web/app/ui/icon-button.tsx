import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { cx } from './class-names.ts';

export interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> {
  /** Its name for everybody: read aloud and shown as a tooltip. */
  label: string;
  icon: ReactNode;
  size?: 's' | 'm' | 'l';
  variant?: 'plain' | 'line';
  /** Key that does the same, shown in the tooltip. */
  shortcut?: string;
  isPressed?: boolean;
  href?: string;
  ref?: Ref<HTMLButtonElement>;
}

const sizes = { s: 'size-8', m: 'size-9', l: 'size-11' };

export function IconButton({
  label, icon, size = 'm', variant = 'plain', shortcut, isPressed, href, className, type = 'button', ...rest
}: IconButtonProps) {
  const look = cx(
    'relative inline-grid shrink-0 place-items-center rounded-control border border-transparent text-ink-2 transition-colors',
    'hover:bg-hover hover:text-ink disabled:pointer-events-none disabled:opacity-45 aria-pressed:bg-blue-wash aria-pressed:text-blue-strong',
    // A finger needs 44 px, whatever the eye sees.
    'pointer-coarse:after:absolute pointer-coarse:after:-inset-1',
    variant === 'line' && 'border-line bg-card',
    sizes[size],
    className,
  );
  if (href !== undefined) {
    return (
      <LocaleLink to={href} aria-label={label} data-tip={label} className={look}>
        {icon}
      </LocaleLink>
    );
  }
  return (
    <button {...rest} type={type} aria-label={label} aria-pressed={isPressed} data-tip={label} data-tip-key={shortcut} className={look}>
      {icon}
    </button>
  );
}
