import { ApiFailure, nameProblem, numberedName } from '@bowerbird/contract';
import type { Sql, Tx } from '../../foundation/database/index.ts';
import type { DriveStore } from '../drive-store.ts';
import { FOLDER, type Conflict } from '../drive.ts';
import { nameFold, nameKey, typeKey } from '../name-key.ts';

/** Returns all columns that derive from a name. */
export function nameColumns(name: string, kind: 0 | 1) {
  return { name, name_fold: nameFold(name), name_key: nameKey(name), type_key: typeKey(name, kind) };
}

export function checkName(name: string): void {
  const problem = nameProblem(name);
  if (problem) throw new ApiFailure(problem);
}

export interface Wanted {
  readonly name: string;
  readonly kind: 0 | 1;
}

const FIRST_TRIES = 4;

/**
 * Returns the names for nodes added to a folder, in order: the requested one if it is free, otherwise a numbered
 * one; no two are alike. While the account's tree lock is held, free names stay free.
 */
export async function freeNames(
  sql: Sql,
  store: DriveStore,
  parent: string,
  wanted: readonly Wanted[],
): Promise<string[]> {
  const asked = new Set<string>();
  const taken = new Set<string>();
  const look = async (names: Iterable<string>): Promise<void> => {
    const folds = [...new Set(Array.from(names, nameFold))].filter((fold) => !asked.has(fold));
    if (folds.length === 0) return;
    for (const row of await store.named(sql, parent, folds)) taken.add(row.name_fold);
    for (const fold of folds) asked.add(fold);
  };
  const numbered = ({ name, kind }: Wanted, from: number, count: number): string[] =>
    Array.from({ length: count }, (_, at) =>
      numberedName(name, from + at, kind === FOLDER ? 'folder' : 'file'),
    );

  await look(wanted.map(({ name }) => name));
  await look(clashing(wanted, taken).flatMap((entry) => numbered(entry, 1, FIRST_TRIES)));

  const reached = new Map<string, number>();
  const settle = async (entry: Wanted): Promise<string> => {
    if (!taken.has(nameFold(entry.name))) return entry.name;
    const stem = `${entry.kind}${nameFold(entry.name)}`;
    for (let from = reached.get(stem) ?? 1, count = FIRST_TRIES; ; from += count, count *= 4) {
      const candidates = numbered(entry, from, count);
      await look(candidates);
      const free = candidates.findIndex((candidate) => !taken.has(nameFold(candidate)));
      if (free < 0) continue;
      reached.set(stem, from + free);
      return candidates[free]!;
    }
  };
  const settled: string[] = [];
  for (const entry of wanted) {
    const name = await settle(entry);
    taken.add(nameFold(name));
    settled.push(name);
  }
  return settled;
}

/** Returns those whose name is taken, or requested by an earlier one. */
function clashing(wanted: readonly Wanted[], taken: ReadonlySet<string>): Wanted[] {
  const seen = new Set(taken);
  return wanted.filter(({ name }) => {
    const fold = nameFold(name);
    const clashes = seen.has(fold);
    seen.add(fold);
    return clashes;
  });
}

export interface Arrival extends Wanted {
  readonly id: string;
}

export interface Admission {
  readonly parent: string;
  readonly conflict: Conflict;
  /** Folders that must not be trashed, because they contain the arriving nodes. */
  readonly above?: ReadonlySet<string>;
  /** Moves nodes to the trash. */
  readonly putAside: (tx: Tx, ids: readonly string[]) => Promise<void>;
}

/** Returns the names for nodes added to a folder, by the rule for taken names; undefined for those to skip. */
export async function admit(
  tx: Tx,
  store: DriveStore,
  arrivals: readonly Arrival[],
  { parent, conflict, above, putAside }: Admission,
): Promise<(string | undefined)[]> {
  if (conflict === 'rename') return freeNames(tx, store, parent, arrivals);
  const coming = new Set(arrivals.map(({ id }) => id));
  const residents = (
    await store.named(
      tx,
      parent,
      arrivals.map(({ name }) => nameFold(name)),
    )
  ).filter(({ id }) => !coming.has(id));
  const taken = new Set(residents.map(({ name_fold }) => name_fold));
  const refused = clashing(arrivals, taken);
  if (conflict === 'fail') {
    if (refused.length > 0) throw new ApiFailure('file_duplicated_name', { name: refused[0]!.name });
    return arrivals.map(({ name }) => name);
  }
  if (conflict === 'skip') {
    const out = new Set(refused);
    return arrivals.map((arrival) => (out.has(arrival) ? undefined : arrival.name));
  }
  if (residents.some(({ id }) => above?.has(id))) throw new ApiFailure('file_move_into_itself');
  await putAside(
    tx,
    residents.map(({ id }) => id),
  );
  return freeNames(tx, store, parent, arrivals);
}
