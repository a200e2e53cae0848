import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Check, ChevronRight, Minus } from 'lucide-react';
import { categoryOf } from '@bowerbird/contract';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { Badge } from '#app/ui/badge.tsx';
import { cx } from '#app/ui/class-names.ts';
import { FileTile } from '#app/ui/file-tile.tsx';
import { useIsPhone } from '#app/ui/use-is-phone.ts';
import type { TreeRow } from './file-tree.ts';

interface RowsProps {
  readonly label: string;
  readonly rows: readonly TreeRow[];
  readonly isReadOnly: boolean;
  readonly isOpen: (path: string) => boolean;
  readonly onFold: (path: string, isOpen: boolean) => void;
  readonly onChoose: (row: TreeRow) => void;
}

/** Single tab stop; arrow keys move, collapse and expand, Space chooses. Only the visible rows are rendered. */
export function TorrentRows({ label, rows, isReadOnly, isOpen, onFold, onChoose }: RowsProps) {
  const t = useT();
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const height = useIsPhone() ? 44 : 36;
  const [at, setAt] = useState(0);
  const current = Math.min(at, rows.length - 1);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: 6,
  });
  const goTo = (row: number): void => {
    const next = Math.max(0, Math.min(rows.length - 1, row));
    setAt(next);
    list.scrollToIndex(next);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[current];
    if (!row) return;
    const inPage = Math.floor((box.current?.clientHeight ?? 0) / height);
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => goTo(current + 1),
      ArrowUp: () => goTo(current - 1),
      PageDown: () => goTo(current + inPage),
      PageUp: () => goTo(current - inPage),
      Home: () => goTo(0),
      End: () => goTo(rows.length - 1),
      ' ': () => onChoose(row),
      Enter: () => (row.kind === 'folder' ? onFold(row.path, !isOpen(row.path)) : onChoose(row)),
      ArrowRight: () => {
        if (row.kind !== 'folder') return;
        if (isOpen(row.path)) goTo(current + 1);
        else onFold(row.path, true);
      },
      ArrowLeft: () => {
        if (row.kind === 'folder' && isOpen(row.path)) onFold(row.path, false);
        else goTo(rows.findLastIndex((other, place) => place < current && other.depth < row.depth));
      },
    };
    if (!Object.hasOwn(moves, event.key)) return;
    event.preventDefault();
    moves[event.key]!();
  };

  if (rows.length === 0) return <p className="p-6 text-center text-ink-3">{t('offline.tree.nothing')}</p>;
  return (
    <div
      ref={box}
      role="tree"
      aria-label={label}
      aria-multiselectable={!isReadOnly}
      aria-activedescendant={`${id}-${current}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
      className="group max-h-75 overflow-y-auto overscroll-contain -outline-offset-2"
    >
      <div role="presentation" className="relative" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]!;
          const isFolder = row.kind === 'folder';
          const name = shownName(isFolder ? row.name : row.file.name);
          return (
            // The tree handles the keys.
            // eslint-disable-next-line jsx-a11y/click-events-have-key-events
            <div
              key={isFolder ? row.path : row.place}
              id={`${id}-${index}`}
              role="treeitem"
              tabIndex={-1}
              aria-level={row.depth + 1}
              aria-expanded={isFolder ? isOpen(row.path) : undefined}
              aria-checked={isReadOnly ? undefined : checkedOf(row)}
              aria-selected={false}
              onClick={() => {
                setAt(index);
                if (isFolder && isReadOnly) onFold(row.path, !isOpen(row.path));
                else onChoose(row);
              }}
              style={{ transform: `translateY(${start}px)`, height, paddingInlineStart: 8 + row.depth * 20 }}
              className={cx(
                'absolute inset-x-0 top-0 flex cursor-default items-center gap-2 pr-3 outline-none hover:bg-hover',
                index === current && 'group-focus-visible:bg-blue-wash',
              )}
            >
              {isFolder ? (
                <button
                  type="button"
                  tabIndex={-1}
                  aria-hidden="true"
                  onClick={(event) => {
                    event.stopPropagation();
                    setAt(index);
                    onFold(row.path, !isOpen(row.path));
                  }}
                  className="grid h-full w-6 shrink-0 place-items-center text-ink-3 hover:text-ink"
                >
                  <ChevronRight
                    className={cx('size-4 transition-transform', isOpen(row.path) && 'rotate-90')}
                  />
                </button>
              ) : (
                <span className="w-6 shrink-0" />
              )}
              {!isReadOnly && <CheckMark state={checkedOf(row)} />}
              <FileTile
                category={isFolder ? 'folder' : categoryOf(row.file.name)}
                size={24}
                className="max-md:hidden"
              />
              <span className="min-w-0 flex-1 truncate" title={name}>
                <bdi>{name}</bdi>
              </span>
              <RowFacts row={row} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function RowFacts({ row }: { row: TreeRow }) {
  const t = useT();
  const format = useFormat();
  if (row.kind === 'file')
    return (
      <>
        {row.file.isOwned && <Badge tone="success">{t('offline.owned')}</Badge>}
        <span className="num shrink-0 text-13 text-ink-3">{format.bytes(row.file.size)}</span>
      </>
    );
  return (
    <span className="num shrink-0 text-13 text-ink-3">
      <span className="max-md:hidden">{`${t('offline.files', { count: row.count })} · `}</span>
      {format.bytes(row.bytes)}
    </span>
  );
}

type Checked = boolean | 'mixed';

const checkedOf = (row: TreeRow): Checked =>
  row.kind === 'file' ? row.isChosen : row.chosen === row.count ? true : row.chosen > 0 ? 'mixed' : false;

/** Looks like a checkbox; the row itself has that role. */
function CheckMark({ state }: { state: Checked }) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        'grid size-4.5 shrink-0 place-items-center rounded-small border-[1.5px] text-on-blue',
        state === false ? 'border-line-strong bg-card' : 'border-blue bg-blue',
      )}
    >
      {state === true && <Check className="size-3.5 [stroke-width:3]" />}
      {state === 'mixed' && <Minus className="size-3.5 [stroke-width:3]" />}
    </span>
  );
}
