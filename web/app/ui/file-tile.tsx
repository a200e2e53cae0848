import { type ReactNode, useState } from 'react';
import type { FileCategory } from '@bowerbird/contract';
import { noticeBroken } from './broken-image.ts';
import { cx } from './class-names.ts';
import { KindIcon } from './kind-icon.tsx';

/** Rounded tile of a file: its thumbnail if it has one, otherwise the icon of its kind, or `icon` if given. */
export function FileTile({
  category,
  thumbnail,
  size = 36,
  icon,
  className,
}: {
  category: FileCategory;
  thumbnail?: string;
  size?: number;
  icon?: ReactNode;
  className?: string;
}) {
  const [isBroken, setBroken] = useState(false);
  const box = { width: size, height: size, borderRadius: Math.round(size / 4) };
  if (thumbnail && !isBroken) {
    return (
      <img
        src={thumbnail}
        alt=""
        loading="lazy"
        decoding="async"
        style={box}
        ref={noticeBroken(() => setBroken(true))}
        onError={() => setBroken(true)}
        className={cx('shrink-0 bg-sunken object-cover ring-1 ring-line ring-inset', className)}
      />
    );
  }
  return (
    <span style={box} className={cx(`kind kind-${category} grid shrink-0 place-items-center`, className)}>
      {icon || <KindIcon category={category} size={Math.round(size / 2)} />}
    </span>
  );
}
