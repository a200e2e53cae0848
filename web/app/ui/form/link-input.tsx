import type { InputHTMLAttributes } from 'react';
import { cx } from '../class-names.ts';

/** Takes a link, of whatever kind and length; sent as `url`. */
export function LinkInput({ className, ...rest }: InputHTMLAttributes<HTMLInputElement>) {
  return (
    <input
      name="url"
      type="text"
      inputMode="url"
      required
      maxLength={100_000}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      className={cx('field h-12! shrink-0 text-16!', className)}
      {...rest}
    />
  );
}
