import { FILE_CATEGORIES, type FileCategory } from '@bowerbird/contract';

/** Bytes of files, and their number. */
export interface Amount {
  readonly bytes: number;
  readonly files: number;
}

const NOTHING: Amount = { bytes: 0, files: 0 };

/** Sums of the files of an account's drive. */
export interface Breakdown {
  /** Files outside the trash, largest sum first; without empty kinds. */
  readonly kinds: readonly (Amount & { readonly category: FileCategory })[];
  /** The largest folders at the top of the drive, largest first. */
  readonly folders: readonly (Amount & { readonly id: string; readonly name: string })[];
  /** All other folders at the top of the drive together. */
  readonly otherFolders: Amount & { readonly folders: number };
  /** Files that are not in a folder. */
  readonly root: Amount;
  readonly trash: Amount;
  /** Earlier versions of files, including those of files in the trash. */
  readonly versions: Amount;
}

/** Sums of files, by any key. */
export function createSums<Key>() {
  const sums = new Map<Key, { bytes: number; files: number }>();
  return {
    add(key: Key, bytes: number): void {
      const sum = sums.get(key);
      if (sum) {
        sum.bytes += bytes;
        sum.files += 1;
      } else sums.set(key, { bytes, files: 1 });
    },
    of: (key: Key): Amount => sums.get(key) ?? NOTHING,
    /** All keys, largest sum first. */
    largest: (): (readonly [Key, Amount])[] => [...sums].toSorted(([, a], [, b]) => b.bytes - a.bytes),
  };
}

/** Category in a node's `type_key`, which begins with its number. */
export const categoryIn = (typeKey: string): FileCategory =>
  FILE_CATEGORIES[Number(typeKey.slice(0, 2))] ?? 'other';

/** Node in a list, ordered by `rank`, largest first, then by id. */
export interface Ranked {
  readonly id: string;
  readonly rank: number;
}

/** Content that several files of an account have. */
export interface Duplicates {
  /** Id of the blob's row. */
  readonly blob: number;
  /** Bytes of one copy. */
  readonly size: number;
  readonly count: number;
}

/** Bytes that would be freed if one of the copies remained: each copy counts against the quota. */
export const gainOf = ({ size, count }: Duplicates): number => size * (count - 1);

const compare = (a: Ranked, b: Ranked): number => b.rank - a.rank || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** Keeps the first of any number of nodes, in the order of {@link Ranked}. */
export function createRanking(most: number) {
  let kept: Ranked[] = [];
  const cut = (): Ranked[] => (kept = kept.toSorted(compare).slice(0, most));
  return {
    add(id: string, rank: number): void {
      kept.push({ id, rank });
      if (kept.length >= 2 * most) cut();
    },
    all: (): readonly Ranked[] => cut(),
  };
}

/** Returns the nodes after a place, which is the rank and the id of the last one that was shown. */
export function beyondPlace(
  list: readonly Ranked[],
  place: readonly (string | number)[] | undefined,
): readonly Ranked[] {
  if (!place) return list;
  const last = { rank: Number(place[0]), id: String(place[1]) };
  return list.filter((one) => compare(one, last) > 0);
}
