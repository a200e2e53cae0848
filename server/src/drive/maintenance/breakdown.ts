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
