import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { cx } from './class-names.ts';
import { Spinner } from './spinner.tsx';

export type ButtonVariant = 'primary' | 'line' | 'plain' | 'danger';
export type ButtonSize = 's' | 'm' | 'l';

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> {
  variant?: ButtonVariant;
  size?: ButtonSize;
  icon?: ReactNode;
  /** Shows a spinner and ignores clicks; the button keeps its width and its focus. */
  busy?: boolean;
  /**
   * Renders a link. Addresses of our pages keep their language; others, and those with `download`, are left to
   * the browser.
   */
  href?: string;
  download?: boolean | string;
  target?: string;
  ref?: Ref<HTMLButtonElement>;
  children?: ReactNode;
}

export function buttonClass(variant: ButtonVariant = 'line', size: ButtonSize = 'm', extra?: string): string {
  return cx('button', `button-${variant}`, `button-${size}`, extra);
}

export function Button({
  variant = 'line',
  size = 'm',
  icon,
  busy = false,
  href,
  download,
  target,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const content = (
    <>
      {icon}
      {children !== undefined && <span>{children}</span>}
      {busy && <Spinner className="button-spinner absolute" />}
    </>
  );
  const look = buttonClass(variant, size, cx(busy && 'button-busy', className));

  if (href !== undefined) {
    const inside = href.startsWith('/') && download === undefined && target === undefined;
    const { id, title } = rest;
    const shared = { id, title, className: look, 'aria-label': rest['aria-label'] };
    return inside ? (
      <LocaleLink to={href} {...shared}>
        {content}
      </LocaleLink>
    ) : (
      <a
        href={href}
        download={download}
        target={target}
        rel={target === '_blank' ? 'noopener' : undefined}
        {...shared}
      >
        {content}
      </a>
    );
  }
  return (
    <button
      {...rest}
      type={type}
      className={look}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled']}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {content}
    </button>
  );
}
