import { BadArchive, WrongPassword, type OpenArchive, type RandomAccess } from './archive-items.ts';
import { openZipItem } from './zip-content.ts';
import { readZipDirectory, type ZipItem } from './zip-directory.ts';

/** A zip over its directory, which may have been read before. */
export function zipArchive(bytes: RandomAccess, items: readonly ZipItem[]): OpenArchive {
  return {
    items,
    async judge(chosen, password) {
      const locked = chosen
        .map(({ index }) => items[index]!)
        .filter(({ isLocked, kind }) => isLocked && kind === 'file');
      const [smallest] = locked.toSorted((a, b) => a.packedSize - b.packedSize);
      if (!smallest) return 'right';
      if (password === '') return 'missing';
      try {
        for await (const _ of await openZipItem(bytes, smallest, password)) break;
        return 'right';
      } catch (error) {
        if (error instanceof WrongPassword) return 'wrong';
        // Broken or unknown: the extraction says so where it comes to it.
        return 'right';
      }
    },
    async *unpack(files, password) {
      for (const item of files)
        yield { item, content: await openZipItem(bytes, items[item.index]!, password) };
    },
  };
}

/** Reads a zip's directory. Throws {@link BadArchive}. */
export async function zipItems(bytes: RandomAccess): Promise<ZipItem[]> {
  try {
    return await readZipDirectory(bytes);
  } catch (error) {
    if (error instanceof RangeError) throw new BadArchive(error.message, { cause: error });
    throw error;
  }
}
