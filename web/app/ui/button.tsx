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
  /** Shows that it works and takes no second press; keeps its width and its focus. */
  busy?: boolean;
  /** Makes it a link. Addresses of our pages keep their language; anything else, and with `download`, is left to the browser. */
  href?: string;
  download?: boolean | string;
  target?: string;
  ref?: Ref<HTMLButtonElement>;
  children?: ReactNode;
}

const variants: Record<ButtonVariant, string> = {
  primary: 'bg-blue text-on-blue hover:bg-blue-strong',
  line: 'border-line bg-card text-ink hover:bg-sunken',
  plain: 'text-ink-2 hover:bg-hover hover:text-ink',
  danger: 'bg-danger text-on-danger hover:bg-danger-strong',
};

const sizes: Record<ButtonSize, string> = {
  s: 'h-8 rounded-control px-3 text-13',
  m: 'h-9 rounded-control px-3.5 text-14',
  l: 'h-11 rounded-large px-5 text-14',
};

export function buttonClass(variant: ButtonVariant = 'line', size: ButtonSize = 'm', extra?: string): string {
  return cx(
    'relative inline-flex shrink-0 items-center justify-center gap-2 border border-transparent font-medium whitespace-nowrap select-none',
    'transition-colors disabled:pointer-events-none disabled:opacity-50 aria-disabled:opacity-50',
    variants[variant],
    sizes[size],
    extra,
  );
}

export function Button({
  variant = 'line', size = 'm', icon, busy = false, href, download, target, className, children, onClick, type = 'button', ...rest
}: ButtonProps) {
  const content = (
    <>
      {icon !== undefined && <span className={cx('contents', busy && 'invisible [&>svg]:invisible')}>{icon}</span>}
      <span className={cx('contents', busy && '[&]:inline-flex [&]:items-center [&]:gap-2 invisible')}>{children}</span>
      {busy && <Spinner className="absolute" />}
    </>
  );
  const look = buttonClass(variant, size, className);

  if (href !== undefined) {
    const inside = href.startsWith('/') && download === undefined && target === undefined;
    const { id, title } = rest;
    const shared = { id, title, className: look, 'aria-label': rest['aria-label'] };
    return inside ? (
      <LocaleLink to={href} {...shared}>
        {content}
      </LocaleLink>
    ) : (
      <a href={href} download={download} target={target} rel={target === '_blank' ? 'noopener' : undefined} {...shared}>
        {content}
      </a>
    );
  }
  return (
    <button {...rest} type={type} className={look} aria-busy={busy || undefined} aria-disabled={busy || rest['aria-disabled']} onClick={busy ? (event) => event.preventDefault() : onClick}>
      {content}
    </button>
  );
}
