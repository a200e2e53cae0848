import { useMemo, useState } from 'react';
import type { Entries } from './entries.ts';
import { amountOf, countOf, EVERYTHING, isEmpty, NOTHING, type Amount, type Selection } from './selection.ts';

/** Selection of one listing; the list, the bar and the details panel all read it. */
export interface Selecting {
  readonly selection: Selection;
  readonly count: number;
  /** Size of the selection; `undefined` while parts of it are unknown. */
  readonly amount: Amount | undefined;
  /** True while taps select: something is selected, or a touch user has started selecting. */
  readonly isActive: boolean;
  readonly set: (selection: Selection) => void;
  readonly selectAll: () => void;
  /** Starts selecting with nothing selected yet (the "Select" button on touch screens). */
  readonly begin: () => void;
  /** Clears the selection and ends selecting. */
  readonly clear: () => void;
}

interface State {
  readonly scope: string;
  readonly selection: Selection;
  readonly begun: boolean;
}

/** `scope` identifies the listing: a new one starts with an empty selection. */
export function useSelecting(entries: Entries, scope: string): Selecting {
  const [kept, keep] = useState<State>({ scope, selection: NOTHING, begun: false });
  const { selection, begun } = kept.scope === scope ? kept : { selection: NOTHING, begun: false };
  const actions = useMemo(() => {
    const set = (selection: Selection) =>
      keep((old) => ({ scope, selection, begun: old.scope === scope && old.begun }));
    return {
      set,
      selectAll: () => set(EVERYTHING),
      begin: () => keep({ scope, selection: NOTHING, begun: true }),
      clear: () => keep({ scope, selection: NOTHING, begun: false }),
    };
  }, [scope]);

  const { count: rows, total, amount } = entries;
  return useMemo(
    () => ({
      ...actions,
      selection,
      count: countOf(selection, total ?? rows),
      amount: amountOf(selection, amount),
      isActive: begun || !isEmpty(selection, total ?? rows),
    }),
    [actions, selection, begun, rows, total, amount],
  );
}
