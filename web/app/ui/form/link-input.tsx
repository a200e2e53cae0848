import type { InputHTMLAttributes } from 'react';
import { cx } from '../class-names.ts';

/** Input for a link of any kind and length; submitted as `url`. */
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
