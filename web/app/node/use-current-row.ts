import { useCallback, useEffect, useRef, useState } from 'react';
import type { Entries } from './entries.ts';
import { placeOf } from './place.ts';

export interface CurrentRow {
  readonly row: number;
  /** Makes a row current; `focus` gives it the keyboard as well. */
  readonly move: (row: number, focus: boolean) => void;
}

/** The one row of the list that the Tab key comes to. It stays with its entry when rows before it come or go. */
export function useCurrentRow(entries: Entries, placeKey: string, grid: () => HTMLElement | null): CurrentRow {
  const [kept, keep] = useState<{ row: number; id: string | undefined }>(() => ({
    row: placeOf(placeKey)?.row ?? 0,
    id: undefined,
  }));
  const last = Math.max(0, entries.count - 1);
  const row = Math.min(last, (kept.id === undefined ? undefined : entries.indexOf(kept.id)) ?? kept.row);
  const asked = useRef(false);
  const hadFocus = useRef(false);

  const id = entries.fileAt(row)?.id;
  if (id !== undefined && (kept.id === undefined || row !== kept.row)) keep({ row, id });

  const { fileAt } = entries;
  const move = useCallback(
    (next: number, focus: boolean) => {
      asked.current = focus;
      keep({ row: next, id: fileAt(next)?.id });
    },
    [fileAt],
  );

  // The row may have been rendered only now; and a row that left with the focus hands it on.
  useEffect(() => {
    const element = grid();
    const lost = hadFocus.current && document.activeElement === document.body;
    if (element && (asked.current || lost)) {
      element.querySelector<HTMLElement>(`[data-row="${row}"]`)?.focus({ preventScroll: true });
    }
    asked.current = false;
    hadFocus.current = element?.contains(document.activeElement) ?? false;
  });

  return { row, move };
}
