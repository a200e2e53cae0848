import { memo } from 'react';
import { cx } from '#app/ui/class-names.ts';
import { EntryKindIcon } from '../entry-icons.tsx';
import { CheckPart, MenuPart, Picture, SizeAndDate, StarPart } from '../entry-parts.tsx';
import { isFolder, kindOf } from '../file-facts.ts';
import { TwoLineName } from '../name/middle-name.tsx';
import { PlayedBar } from '../played-bar.tsx';
import { EntryLink } from './entry-link.tsx';
import type { EntryPlaceProps, EntryProps } from './entry-props.ts';
import { FLOW_CAPTION, GRID_CAPTION } from './geometry.ts';
import { RenameField } from './rename-field.tsx';

export interface TileProps extends EntryProps {
  /** True for a large, uncropped picture, with facts beside its name. */
  readonly isLarge: boolean;
}

export const Tile = memo(function Tile(props: TileProps) {
  const { file, row, look, style, isSelected, isCurrent, isDropTarget, isDimmed, renaming, isLarge } = props;
  const shows = isSelected || look.isSelecting;
  return (
    <div
      role="row"
      data-row={row}
      aria-rowindex={row + 1}
      aria-selected={isSelected}
      tabIndex={isCurrent ? 0 : -1}
      draggable={look.canDrag && !renaming}
      style={style}
      className={cx(
        'group/entry entry-tile',
        isDropTarget
          ? 'border-blue bg-blue-wash outline-2 outline-offset-2 outline-blue'
          : isSelected
            ? 'border-blue bg-blue-wash shadow-[0_0_0_1px_var(--blue)]'
            : 'entry-tile-off',
      )}
    >
      <span role="gridcell" className={cx('flex h-full flex-col', isDimmed && 'opacity-50')}>
        <span className="entry-picture">
          <Picture file={file} fit={isLarge ? 'contain' : 'cover'} isEntry />
          <PlayedBar file={file} className="absolute inset-x-0 bottom-0 h-1" />
          <CheckPart
            name={file.name}
            isSelected={isSelected}
            className={cx('entry-tile-check', !shows && 'entry-on-hover')}
          />
          {(look.canStar || look.badges) && (
            <span className="entry-corner">
              {look.canStar && <StarPart file={file} className="size-7! bg-card/90" />}
              <span className="entry-badge">{look.badges?.(file)}</span>
            </span>
          )}
        </span>
        <Caption {...props} />
      </span>
    </div>
  );
});

function Caption({ file, look, renaming, isLarge }: TileProps) {
  const kind = kindOf(file);
  // Large tiles have a line with facts instead.
  const hint = isLarge ? undefined : look.tileHint?.(file);
  return (
    <span className="entry-caption" style={{ height: (isLarge ? FLOW_CAPTION : GRID_CAPTION) - 2 }}>
      {/* The picture of a small tile shows it; the name needs the room. */}
      {file.thumbnail_link !== '' && (
        <span className={`kind kind-${kind} shrink-0 bg-transparent! max-sm:hidden`}>
          <EntryKindIcon category={kind} />
        </span>
      )}
      {renaming ? (
        <RenameField file={file} renaming={renaming} />
      ) : (
        <span className="min-w-0 flex-1">
          <EntryLink href={look.hrefOf?.(file)}>
            <TwoLineName
              name={file.name}
              kind={isFolder(file) ? 'folder' : 'file'}
              room={look.room}
              marks={look.marksOf?.(file)}
              className={cx('leading-[18px] font-medium text-ink', isLarge ? 'text-14' : 'text-13')}
            />
          </EntryLink>
          {hint !== undefined && <span className="block truncate text-12 leading-4 text-ink-3">{hint}</span>}
          {isLarge && (
            <span className="block truncate text-12 text-ink-3 tabular-nums">
              <SizeAndDate file={file} />
            </span>
          )}
        </span>
      )}
      {look.hasMenu && (
        <MenuPart name={file.name} className="-ms-1 shrink-0 pointer-coarse:h-12 pointer-coarse:w-9" />
      )}
    </span>
  );
}

/** Placeholder of a tile whose page is loading. */
export function TilePlace({ row, style, isCurrent }: EntryPlaceProps) {
  return (
    <div
      role="row"
      data-row={row}
      aria-rowindex={row + 1}
      aria-busy="true"
      tabIndex={isCurrent ? 0 : -1}
      style={style}
      className="rounded-card border border-line outline-none"
    >
      <span
        role="gridcell"
        className="block h-full animate-[appear_200ms_200ms_backwards] rounded-card bg-line/40"
      />
    </div>
  );
}
