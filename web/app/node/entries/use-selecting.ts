import { useMemo, useState } from 'react';
import type { Entries } from './entries.ts';
import { amountOf, countOf, EVERYTHING, isEmpty, NOTHING, type Amount, type Selection } from './selection.ts';

/** The selection of one listing, as pages hold it: the list, the bar and the details panel all read it. */
export interface Selecting {
  readonly selection: Selection;
  readonly count: number;
  /** How much is selected; undefined as long as not all of it is known. */
  readonly amount: Amount | undefined;
  /** True while taps select: something is selected, or a touching person has asked to begin. */
  readonly isActive: boolean;
  readonly set: (selection: Selection) => void;
  readonly selectAll: () => void;
  /** Begins selecting with nothing selected yet (the "Select" button on touch screens). */
  readonly begin: () => void;
  /** Selects nothing and ends selecting. */
  readonly clear: () => void;
}

interface State {
  readonly scope: string;
  readonly selection: Selection;
  readonly begun: boolean;
}

/** `scope` names the listing: another one begins with nothing selected. */
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
