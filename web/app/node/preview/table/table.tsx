import { type CSSProperties, useMemo, useRef } from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useT } from '#app/i18n/t.ts';
import { cx } from '#app/ui/class-names.ts';
import { shownName } from '../../name/shown-name.ts';
import { cellsOf, columnsOf, type Delimited, MOST_COLUMNS, rowCount, type TableColumn } from './delimited.ts';

const ROW_PX = 32;
/** Width of a letter of the table's typeface, and of a cell's padding. */
const [LETTER_PX, PADDING_PX] = [8.4, 26];

/** Table of which only the rows near the screen exist. Its first row stays at the top if it is a header. */
export function Table({ table, hasHeader, name }: { table: Delimited; hasHeader: boolean; name: string }) {
  const t = useT();
  const box = useRef<HTMLDivElement>(null);
  const columns = useMemo(() => columnsOf(table, hasHeader), [table, hasHeader]);
  const before = hasHeader ? 1 : 0;
  const count = Math.max(0, rowCount(table) - before);
  const rows = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    paddingStart: before * ROW_PX,
  });
  const digits = String(count).length;
  const style = {
    '--columns': [
      `${digits * LETTER_PX + PADDING_PX}px`,
      ...columns.map(({ letters }) => `${Math.ceil(letters * LETTER_PX + PADDING_PX)}px`),
    ].join(' '),
  } as CSSProperties;
  const header = hasHeader && rowCount(table) > 0 ? cellsOf(table, 0) : undefined;
  const isCut = cellsOf(table, 0).length > MOST_COLUMNS;
  return (
    <div
      ref={box}
      data-viewer-focus
      data-no-swipe
      // Scrollable, so it must be reachable by keyboard.
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      style={style}
      className="min-h-0 flex-1 overflow-auto text-13 outline-none"
    >
      <div
        role="table"
        aria-label={shownName(name)}
        aria-rowcount={rowCount(table)}
        aria-colcount={columns.length + 1}
        className="relative w-max min-w-full"
        style={{ height: rows.getTotalSize() }}
      >
        {header && (
          <div
            role="row"
            aria-rowindex={1}
            className="sticky top-0 z-1 grid h-8 w-full grid-cols-(--columns) border-b border-line-strong bg-card font-semibold"
          >
            <span role="columnheader" className="sr-only">
              {t('node.table.row')}
            </span>
            <span aria-hidden="true" />
            {columns.map((column, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- columns never change places
              <Cell key={at} role="columnheader" column={column} text={header[at] ?? ''} />
            ))}
          </div>
        )}
        {rows.getVirtualItems().map(({ index, start }) => {
          const cells = cellsOf(table, index + before);
          return (
            <div
              key={index}
              role="row"
              aria-rowindex={index + before + 1}
              style={{ top: start }}
              className="absolute grid h-8 w-full grid-cols-(--columns) border-b border-line hover:bg-hover"
            >
              <span
                role="rowheader"
                className="flex items-center justify-end px-3 text-12 text-ink-3 tabular-nums select-none"
              >
                {index + 1}
              </span>
              {columns.map((column, at) => (
                // oxlint-disable-next-line react/no-array-index-key -- columns never change places
                <Cell key={at} role="cell" column={column} text={cells[at] ?? ''} />
              ))}
            </div>
          );
        })}
      </div>
      {isCut && (
        <p className="sticky start-0 p-4 text-ink-2">{t('node.table.columns', { count: MOST_COLUMNS })}</p>
      )}
    </div>
  );
}

function Cell({ role, column, text }: { role: 'cell' | 'columnheader'; column: TableColumn; text: string }) {
  return (
    <span
      role={role}
      dir="auto"
      title={text.length >= column.letters ? text : undefined}
      className={cx(
        'block truncate border-s border-line px-3 leading-8 select-text',
        column.isNumeric && 'text-end tabular-nums',
      )}
    >
      {text}
    </span>
  );
}
