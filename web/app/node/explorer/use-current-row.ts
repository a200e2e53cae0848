import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Entries } from '../entries/entries.ts';
import { placeOf } from './place.ts';

export interface CurrentRow {
  readonly row: number;
  /** Makes a row current; `focus` also moves the keyboard focus to it. */
  readonly move: (row: number, focus: boolean) => void;
}

/** The only row in the tab order. It stays with its entry when rows before it are added or removed. */
export function useCurrentRow(
  entries: Entries,
  placeKey: string,
  grid: () => HTMLElement | null,
): CurrentRow {
  const [kept, keep] = useState<{ row: number; id: string | undefined }>(() => ({
    row: placeOf(placeKey)?.row ?? 0,
    id: undefined,
  }));
  const last = Math.max(0, entries.count - 1);
  const row = Math.min(last, (kept.id === undefined ? undefined : entries.indexOf(kept.id)) ?? kept.row);
  const asked = useRef(false);
  const hadFocus = useRef(false);
  const latestGrid = useRef(grid);

  const id = entries.fileAt(row)?.id;
  if (id !== undefined && (kept.id === undefined || row !== kept.row)) keep({ row, id });

  const { fileAt } = entries;
  const move = useCallback(
    (next: number, focus: boolean) => {
      // Focuses a rendered row at once: a menu that opens in the same tick takes the focus afterwards.
      const element = focus ? rowElement(latestGrid.current(), next) : null;
      element?.focus({ preventScroll: true });
      asked.current = focus && !element;
      keep({ row: next, id: fileAt(next)?.id });
    },
    [fileAt],
  );

  useKeptFocus(() => rowElement(latestGrid.current(), row));

  // The row may have been rendered only now; a removed row that had the focus passes it on.
  useEffect(() => {
    latestGrid.current = grid;
    const element = grid();
    const active = document.activeElement;
    const lost = hadFocus.current && active === document.body;
    // A closed preview returns the focus to the row that it was opened from.
    const rowOfActive =
      active instanceof HTMLElement && element?.contains(active) ? active.dataset['row'] : undefined;
    const isElsewhere = rowOfActive !== undefined && rowOfActive !== String(row);
    if (element && (asked.current || lost || isElsewhere)) {
      rowElement(element, row)?.focus({ preventScroll: true });
    }
    asked.current = false;
    hadFocus.current = element?.contains(document.activeElement) ?? false;
  });

  return { row, move };
}

let leftWithFocus = false;

/** Passes the focus of a listing that is removed on to its replacement: to the replacement's `target`. */
export function useKeptFocus(target: () => HTMLElement | null): void {
  const latest = useRef(target);
  useEffect(() => {
    latest.current = target;
  });
  useEffect(() => {
    if (leftWithFocus && document.activeElement === document.body)
      latest.current()?.focus({ preventScroll: true });
    leftWithFocus = false;
  }, []);
  useLayoutEffect(
    () => () => {
      const element = latest.current();
      leftWithFocus = element?.closest('[data-listing]')?.contains(document.activeElement) ?? false;
    },
    [],
  );
}

const rowElement = (grid: HTMLElement | null, row: number): HTMLElement | null =>
  grid?.querySelector<HTMLElement>(`[data-row="${row}"]`) ?? null;
