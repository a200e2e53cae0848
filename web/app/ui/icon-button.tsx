import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { cx } from './class-names.ts';

export interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> {
  /** Accessible name, also shown as a tooltip. */
  label: string;
  icon: ReactNode;
  size?: 's' | 'm' | 'l';
  variant?: 'plain' | 'line';
  /** Key for the same action, shown in the tooltip. */
  shortcut?: string;
  isPressed?: boolean;
  href?: string;
  ref?: Ref<HTMLButtonElement>;
}

export function IconButton({
  label,
  icon,
  size = 'm',
  variant = 'plain',
  shortcut,
  isPressed,
  href,
  className,
  type = 'button',
  ...rest
}: IconButtonProps) {
  const look = cx(
    'icon-button',
    size !== 'm' && `icon-button-${size}`,
    variant === 'line' && 'icon-button-line',
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
    <button
      {...rest}
      type={type}
      aria-label={label}
      aria-pressed={isPressed}
      data-tip={label}
      data-tip-key={shortcut}
      className={look}
    >
      {icon}
    </button>
  );
}
