import { Folder } from 'lucide-react';
import type { Color } from '@bowerbird/contract';
import { cx } from '#app/ui/class-names.ts';
import { FileTile } from '#app/ui/file-tile.tsx';

/** Icon of a folder with the color and the emoji that its owner gave it: as in menus, or as a tile. */
export function FolderIcon({
  color,
  emoji,
  isTile = false,
}: {
  color: Color | '';
  emoji: string;
  isTile?: boolean;
}) {
  const tint = color === '' ? undefined : `tint-${color}`;
  if (isTile)
    return (
      <FileTile category="folder" size={32} className={cx(tint)} icon={emoji && <Emoji>{emoji}</Emoji>} />
    );
  return (
    <span className={cx('grid size-4.5 shrink-0 place-items-center', tint && `kind ${tint} bg-transparent!`)}>
      {emoji === '' ? <Folder aria-hidden="true" /> : <Emoji>{emoji}</Emoji>}
    </span>
  );
}

function Emoji({ children }: { children: string }) {
  return (
    <span aria-hidden="true" className="text-16 leading-none">
      {children}
    </span>
  );
}
