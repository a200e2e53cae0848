import { useCallback, useEffect, useRef } from 'react';
import type { File } from '@bowerbird/contract';
import type { Entries } from '../entries/entries.ts';
import { including, isEmpty, NOTHING, only, type Selection, toggled } from '../entries/selection.ts';
import type { Selecting } from '../entries/use-selecting.ts';
import type { CurrentRow } from './use-current-row.ts';

/** Ways in which pointer and keys select; each starts or continues from an anchor row. */
export interface Picking {
  readonly pick: (row: number) => void;
  readonly toggle: (row: number) => void;
  /** Selects from the anchor to this row; `adds` keeps the rest of the selection. */
  readonly extend: (row: number, adds: boolean) => void;
  /**
   * Returns the target of an action: the selection, or the current entry if nothing is selected; for handlers,
   * not for rendering.
   */
  readonly meant: () => Selection;
  readonly fileAt: (row: number) => File | undefined;
}

export function meantIn(entries: Entries, selection: Selection, currentRow: number): Selection {
  if (!isEmpty(selection, entries.total ?? entries.count)) return selection;
  const file = entries.fileAt(currentRow);
  return file ? only(file) : NOTHING;
}

export function usePicking(entries: Entries, selecting: Selecting, current: CurrentRow): Picking {
  const anchor = useRef(current.row);
  const turn = useRef(0);
  const now = useRef({ entries, selecting, current });
  useEffect(() => {
    now.current = { entries, selecting, current };
  });

  const fileAt = useCallback((row: number) => now.current.entries.fileAt(row), []);

  const pick = useCallback(
    (row: number) => {
      const file = fileAt(row);
      anchor.current = row;
      turn.current += 1;
      if (file) now.current.selecting.set(only(file));
    },
    [fileAt],
  );

  const toggle = useCallback(
    (row: number) => {
      const file = fileAt(row);
      anchor.current = row;
      turn.current += 1;
      if (file) now.current.selecting.set(toggled(now.current.selecting.selection, file));
    },
    [fileAt],
  );

  const extend = useCallback((row: number, adds: boolean) => {
    const { entries, selecting } = now.current;
    const base = adds ? selecting.selection : NOTHING;
    const range = { from: Math.min(anchor.current, row), to: Math.max(anchor.current, row) + 1 };
    turn.current += 1;
    const { current: asked } = turn;
    const select = (rows: ReturnType<Entries['known']>) => {
      // Ignores an outdated result: another click or key came while pages were loading.
      if (turn.current === asked) selecting.set(including(base, rows));
    };
    const known = entries.known(range);
    if (known.length === range.to - range.from) select(known);
    else entries.between(range).then(select, () => undefined);
  }, []);

  const meant = useCallback(
    () => meantIn(now.current.entries, now.current.selecting.selection, now.current.current.row),
    [],
  );

  return { pick, toggle, extend, meant, fileAt };
}
