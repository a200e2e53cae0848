import { useMemo } from 'react';
import type { ExplorerProps } from './explorer-props.ts';

/** Headings of a list: their rows, in order, and their texts. */
export interface Groups {
  readonly headings: readonly number[];
  readonly labelOf: (row: number) => string | undefined;
}

/** Groups of the loaded entries; the array of rows stays the same while the rows don't change. */
export function useGroups(entries: ExplorerProps['entries'], groupOf: ExplorerProps['groupOf']): Groups {
  const labels = useMemo(() => {
    const found = new Map<number, string>();
    let last: string | undefined;
    for (let row = 0; groupOf && row < entries.count; row += 1) {
      const file = entries.fileAt(row);
      const group = file && groupOf(file);
      if (!group || group.id === last) continue;
      last = group.id;
      found.set(row, group.label);
    }
    return found;
  }, [entries, groupOf]);
  const rows = [...labels.keys()].join();
  const headings = useMemo(() => (rows === '' ? [] : rows.split(',').map(Number)), [rows]);
  return { headings, labelOf: (row) => labels.get(row) };
}
