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
