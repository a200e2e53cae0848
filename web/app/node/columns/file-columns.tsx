import { useMemo } from 'react';
import type { File } from '@bowerbird/contract';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useFormat } from '#app/i18n/format.ts';
import { type MessageKey, useT } from '#app/i18n/t.ts';
import type { Column } from './column.ts';
import { bytesOf, isFolder } from '../file-facts.ts';
import { typeName } from '../type-name.ts';
import { useContentsText } from '../use-amount-text.ts';
import { type ColumnName, DEFAULT_COLUMNS } from '../display/column-name.ts';

export const COLUMN_LABELS: Readonly<Record<ColumnName, MessageKey>> = {
  modified: 'node.column.modified',
  size: 'node.column.size',
  type: 'node.column.type',
  created: 'node.details.created',
  contents: 'node.details.contents',
};

/** Columns of a list of files by their names, in their order. */
export function useFileColumns(names: readonly ColumnName[] = DEFAULT_COLUMNS): readonly Column[] {
  const t = useT();
  const format = useFormat();
  const contentsOf = useContentsText();
  return useMemo(() => {
    const columns: Readonly<Record<ColumnName, Omit<Column, 'id' | 'label'>>> = {
      modified: {
        sortKey: 'modified',
        width: '150px',
        cell: (file) => <DateTime at={file.modified_time} />,
      },
      size: {
        sortKey: 'size',
        width: '100px',
        align: 'end',
        cell: (file) => {
          const bytes = bytesOf(file);
          return bytes === undefined ? undefined : format.bytes(bytes);
        },
      },
      type: { sortKey: 'type', width: '160px', cell: (file) => typeName(file, t) },
      created: { width: '150px', cell: (file) => <DateTime at={file.created_time} /> },
      contents: { width: '190px', cell: (file: File) => (isFolder(file) ? contentsOf([file]) : undefined) },
    };
    return names.map((name) => ({ id: name, label: t(COLUMN_LABELS[name]), ...columns[name] }));
    // The texts change with the language only.
    // eslint-disable-next-line react/exhaustive-deps
  }, [names, t, format]);
}
