import { memo } from 'react';
import type { File } from '@bowerbird/contract';
import { cx } from '#app/ui/class-names.ts';
import { Dotted } from '#app/ui/dotted.tsx';
import { CheckPart, MenuPart, SizeAndDate, SmallTile, StarPart } from '../entry-parts.tsx';
import { isFolder, kindOf } from '../file-facts.ts';
import { MiddleName, TwoLineName } from '../name/middle-name.tsx';
import { PlayedBar } from '../played-bar.tsx';
import { EntryLink } from './entry-link.tsx';
import type { EntryPlaceProps, EntryProps } from './entry-props.ts';
import type { Column } from '../columns/column.ts';
import { RenameField } from './rename-field.tsx';

export const Row = memo(function Row(props: EntryProps) {
  const { file, row, look, style, isSelected, isCurrent, isDropTarget, isDimmed, renaming } = props;
  const wide = look.shapes === 'narrow' ? [] : look.columns;
  return (
    <div
      role="row"
      data-row={row}
      aria-rowindex={row + 2}
      aria-selected={isSelected}
      tabIndex={isCurrent ? 0 : -1}
      draggable={look.canDrag && isSelected && !renaming}
      style={style}
      className={cx(
        'group/entry entry-row row-grid',
        isSelected ? 'bg-blue-wash [&_.kind]:bg-card!' : 'hover:bg-hover',
        isDropTarget && 'z-1 bg-blue-wash outline-2 -outline-offset-2 outline-blue',
      )}
    >
      <span role="gridcell" className={cx('entry-check-cell', !look.isSelecting && '@max-[600px]:hidden')}>
        <CheckPart
          name={file.name}
          isSelected={isSelected}
          className={cx('size-full', !isSelected && !look.isSelecting && 'entry-on-hover')}
        />
      </span>
      <span
        role="gridcell"
        className={cx('entry-name-cell', !look.isSelecting && '@max-[600px]:ps-4', isDimmed && 'opacity-50')}
      >
        <NameCell file={file} look={look} renaming={renaming} />
      </span>
      {wide.map((column, at) => (
        <span
          key={column.id}
          role="gridcell"
          className={cx(
            'entry-fact',
            column.align === 'end' && 'text-end',
            column.align === 'end' && at < wide.length - 1 && 'pe-6',
          )}
        >
          {column.cell(file) ?? '—'}
        </span>
      ))}
      <span role="gridcell" className="entry-menu-cell">
        {look.hasMenu && (
          <MenuPart name={file.name} className={look.isCompact ? 'max-h-full' : 'pointer-coarse:size-11'} />
        )}
      </span>
    </div>
  );
});

function NameCell({ file, look, renaming }: Pick<EntryProps, 'file' | 'look' | 'renaming'>) {
  const kind = kindOf(file);
  const size = look.isCompact ? 24 : 32;
  if (renaming) {
    return (
      <>
        <SmallTile file={file} kind={kind} size={size} isEntry />
        <RenameField file={file} renaming={renaming} />
      </>
    );
  }
  return (
    <>
      <span draggable={look.canDrag} className="flex min-w-0 items-center gap-3">
        <span className="relative shrink-0">
          <SmallTile file={file} kind={kind} size={size} isEntry />
          <PlayedBar file={file} className="absolute inset-x-0.5 bottom-0.5 h-1 rounded-full" />
        </span>
        <span className="grid min-w-0">
          <NameText file={file} look={look} />
          {look.shapes !== 'wide' && <SecondLine file={file} columns={look.columns} />}
        </span>
      </span>
      {look.badges?.(file)}
      {look.canStar && (
        <StarPart file={file} className={cx('-ms-2 shrink-0', look.isCompact && 'max-h-full')} />
      )}
    </>
  );
}

function NameText({ file, look }: Pick<EntryProps, 'file' | 'look'>) {
  const kind = isFolder(file) ? 'folder' : 'file';
  const marks = look.marksOf?.(file);
  if (look.isCompact) {
    return (
      <EntryLink href={look.hrefOf?.(file)} className="min-w-0">
        <MiddleName name={file.name} kind={kind} marks={marks} className="font-medium text-ink" />
      </EntryLink>
    );
  }
  return (
    <EntryLink href={look.hrefOf?.(file)} className="min-w-0">
      {look.shapes !== 'narrow' && (
        <MiddleName
          name={file.name}
          kind={kind}
          marks={marks}
          className="font-medium text-ink @max-[600px]:hidden"
        />
      )}
      {look.shapes !== 'wide' && (
        <TwoLineName
          name={file.name}
          kind={kind}
          room={look.room}
          marks={marks}
          className="entry-narrow-name @min-[600px]:hidden"
        />
      )}
    </EntryLink>
  );
}

/** More don't fit on a phone's screen. */
const MOST_NARROW_FACTS = 3;

function SecondLine({ file, columns }: { file: File; columns: readonly Column[] }) {
  const isOwn = columns.every(({ id }) => id === 'modified' || id === 'size');
  return (
    <span className="entry-narrow-facts">
      {isOwn ? (
        <SizeAndDate file={file} />
      ) : (
        <Dotted
          facts={columns
            .map((column) => column.cell(file))
            .filter((fact) => fact !== undefined)
            .slice(0, MOST_NARROW_FACTS)}
        />
      )}
    </span>
  );
}

/** Placeholder of a row whose page is loading. */
export function RowPlace({ row, style, isCurrent }: EntryPlaceProps) {
  return (
    <div
      role="row"
      data-row={row}
      aria-rowindex={row + 2}
      aria-busy="true"
      tabIndex={isCurrent ? 0 : -1}
      style={style}
      className="row-grid h-(--entry) border-b border-line outline-none"
    >
      <span role="gridcell" className="@max-[600px]:hidden" />
      <span
        role="gridcell"
        className="flex animate-[appear_200ms_200ms_backwards] items-center gap-3 @max-[600px]:[grid-column:name] @max-[600px]:ps-4"
      >
        <span className="size-8 shrink-0 rounded-control bg-line/60" />
        <span className="h-3 rounded-full bg-line/60" style={{ width: `${30 + ((row * 37) % 40)}%` }} />
      </span>
    </div>
  );
}
