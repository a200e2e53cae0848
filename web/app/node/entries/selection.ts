import { bytesOf } from '../file-facts.ts';

/**
 * Selection in a folder: some named entries, or all of them except named ones. The second form lets "select all"
 * cover the whole folder and not only the loaded pages.
 */
export type Selection = Some | AllBut;

export interface Some {
  readonly mode: 'some';
  readonly picked: ReadonlyMap<string, Picked>;
}

export interface AllBut {
  readonly mode: 'all';
  readonly except: ReadonlyMap<string, Picked>;
}

/** Data kept of a selected entry, so that it can be counted after its page was unloaded. */
export interface Picked {
  /** Bytes; `undefined` for folders whose size is not known. */
  readonly bytes: number | undefined;
}

/** Part of a file that selecting needs. */
export interface Selectable {
  readonly id: string;
  readonly kind: string;
  readonly size: string;
  readonly folder_size?: string | undefined;
}

export const NOTHING: Selection = { mode: 'some', picked: new Map() };
export const EVERYTHING: Selection = { mode: 'all', except: new Map() };

const pick = (entry: Selectable): Picked => ({
  bytes: bytesOf(entry),
});

export function only(...entries: readonly Selectable[]): Selection {
  return { mode: 'some', picked: new Map(entries.map((entry) => [entry.id, pick(entry)])) };
}

export function isSelected(selection: Selection, id: string): boolean {
  return selection.mode === 'all' ? !selection.except.has(id) : selection.picked.has(id);
}

export function toggled(selection: Selection, entry: Selectable): Selection {
  return isSelected(selection, entry.id) ? without(selection, [entry]) : including(selection, [entry]);
}

export function including(selection: Selection, entries: readonly Selectable[]): Selection {
  return selection.mode === 'all'
    ? { mode: 'all', except: less(selection.except, entries) }
    : { mode: 'some', picked: more(selection.picked, entries) };
}

export function without(selection: Selection, entries: readonly Selectable[]): Selection {
  return selection.mode === 'all'
    ? { mode: 'all', except: more(selection.except, entries) }
    : { mode: 'some', picked: less(selection.picked, entries) };
}

function more(map: ReadonlyMap<string, Picked>, entries: readonly Selectable[]): ReadonlyMap<string, Picked> {
  const next = new Map(map);
  for (const entry of entries) next.set(entry.id, pick(entry));
  return next;
}

function less(map: ReadonlyMap<string, Picked>, entries: readonly Selectable[]): ReadonlyMap<string, Picked> {
  const next = new Map(map);
  for (const entry of entries) next.delete(entry.id);
  return next;
}

/** Returns the selection without entries that have left the folder. */
export function afterLeaving(selection: Selection, ids: Iterable<string>): Selection {
  const gone = new Set(ids);
  const keep = (map: ReadonlyMap<string, Picked>) => new Map([...map].filter(([id]) => !gone.has(id)));
  return selection.mode === 'all'
    ? { mode: 'all', except: keep(selection.except) }
    : { mode: 'some', picked: keep(selection.picked) };
}

/** Counts the selected entries of a folder with `total` entries. */
export function countOf(selection: Selection, total: number): number {
  return selection.mode === 'all' ? Math.max(0, total - selection.except.size) : selection.picked.size;
}

export function isEmpty(selection: Selection, total = Number.POSITIVE_INFINITY): boolean {
  return countOf(selection, total) === 0;
}

/** Bytes of files and folders, and number of folders whose size is not known. */
export interface Amount {
  readonly bytes: number;
  readonly folders: number;
}

/** Size of the selection; `undefined` if it depends on rows of the folder that are not known. */
export function amountOf(selection: Selection, whole?: Amount): Amount | undefined {
  const named = sum((selection.mode === 'all' ? selection.except : selection.picked).values());
  if (selection.mode === 'some') return named;
  return whole && { bytes: whole.bytes - named.bytes, folders: whole.folders - named.folders };
}

export function amountIn(entries: readonly Selectable[]): Amount {
  return sum(entries.map(pick));
}

function sum(all: Iterable<Picked>): Amount {
  let [bytes, folders] = [0, 0];
  for (const picked of all) {
    if (picked.bytes === undefined) folders += 1;
    else bytes += picked.bytes;
  }
  return { bytes, folders };
}

/** Returns the ids of a selection that names them; "all but" needs the loaded folder (see `resolveIds`). */
export function namedIds(selection: Selection): readonly string[] {
  return selection.mode === 'some' ? [...selection.picked.keys()] : [];
}

/** Returns the id of the one selected entry, or `undefined` if none or several are selected. */
export function singleId(selection: Selection): string | undefined {
  return selection.mode === 'some' && selection.picked.size === 1 ? namedIds(selection)[0] : undefined;
}

/** Selection as batch calls accept it: all of a folder except some ids, or ids. */
export type WireSelection = { ids: string[] } | { all_in: string; except_ids: string[] };

/** Converts a selection to bodies of batch calls, each with at most `batch` ids; "all but" is a single body. */
export function wireSelections(selection: Selection, folderId: string, batch: number): WireSelection[] {
  if (selection.mode === 'all') return [{ all_in: folderId, except_ids: [...selection.except.keys()] }];
  const ids = namedIds(selection);
  return Array.from({ length: Math.ceil(ids.length / batch) }, (_, at) => ({
    ids: ids.slice(at * batch, (at + 1) * batch),
  }));
}
