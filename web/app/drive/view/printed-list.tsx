import { useEffect, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
import { useT } from '#app/i18n/t.ts';
import type { Column, Entries } from '#app/node/index.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { MOST_PRINTED } from './use-print.ts';
import './printed-list.css';

/**
 * Replaces the list on paper, because only the rows near the screen exist: a plain table of all loaded
 * entries. Rendered while the browser prints, and not while a preview is open, which is printed itself.
 */
export function PrintedList({
  title,
  entries,
  columns,
}: {
  title: string;
  entries: Entries;
  columns: readonly Column[];
}) {
  const t = useT();
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const begin = () => flushSync(() => setPrinting(document.querySelector('dialog[open]') === null));
    const end = () => setPrinting(false);
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, []);
  if (!isPrinting) return null;
  const files = Array.from({ length: Math.min(entries.count, MOST_PRINTED) }, (_, row) =>
    entries.fileAt(row),
  ).filter((file) => file !== undefined);
  const missing = (entries.total ?? entries.count) - files.length;
  return createPortal(
    <div className="printed-list">
      <h1>
        <bdi>{shownName(title)}</bdi>
      </h1>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('node.column.name')}</th>
            {columns.map(({ id, label }) => (
              <th key={id} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {files.map((file) => (
            <tr key={file.id}>
              <td>
                <bdi>{shownName(file.name)}</bdi>
              </td>
              {columns.map((column) => (
                <td key={column.id} style={{ textAlign: column.align ?? 'start' }}>
                  {column.cell(file) ?? '—'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {missing > 0 && <p>{t('drive.print.more', { count: missing })}</p>}
    </div>,
    document.body,
  );
}
