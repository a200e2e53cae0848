import {
  BadArchive,
  UnknownMethod,
  WrongPassword,
  type ArchiveItem,
  type OpenArchive,
  type RandomAccess,
  type Unpacked,
} from './archive-items.ts';
import { packedArchive } from './packed-archive.ts';
import type { Unpacker } from './unpacker.ts';
import { isUnpackedHere, openZipItem } from './zip-content.ts';
import { readZipDirectory, type ZipItem } from './zip-directory.ts';
import { zipForEngine } from './zip-for-engine.ts';
import { passwordBytes } from './zip-passwords.ts';

/** Entries for each run of the engine, which is a new process. */
const ENTRIES_A_RUN = 500;
/** Maximum size of an entry that is unpacked completely to test several encodings of a password. */
const JUDGED_WHOLE = 4 * 2 ** 20;

/**
 * Zip archive with its directory, which may have been read before. Methods that we can't decode are passed to
 * the engine.
 */
export function zipArchive(unpacker: Unpacker, bytes: RandomAccess, items: readonly ZipItem[]): OpenArchive {
  async function* unpackByEngine(
    files: readonly ZipItem[],
    password: string,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Unpacked, void, undefined> {
    const made = await zipForEngine(bytes, files);
    const archive = packedArchive({ unpacker, bytes: made.bytes, format: 'zip' }, made.items);
    for await (const { item, content } of archive.unpack(made.items, password, signal))
      yield { item: files[item.index]!, content };
  }

  /**
   * Returns the encoding of a password that opens the entry, or UTF-8 if none does. Throws the error of
   * UTF-8.
   */
  async function passwordFor(item: ZipItem | undefined, password: string): Promise<Buffer> {
    const [plain, ...others] = passwordBytes(password);
    if (!item || others.length === 0) return plain!;
    let refusal: unknown;
    for (const candidate of [plain!, ...others]) {
      try {
        for await (const _ of await openZipItem(bytes, item, candidate))
          if (item.packedSize > JUDGED_WHOLE) break;
        return candidate;
      } catch (error) {
        refusal ??= error;
        // A wrong encoding may pass the first check, and then produces a broken entry.
        if (!(error instanceof WrongPassword || error instanceof BadArchive)) throw error;
      }
    }
    throw refusal;
  }

  const smallestLocked = (chosen: readonly ArchiveItem[], here: boolean): ZipItem | undefined =>
    chosen
      .map(({ index }) => items[index]!)
      .filter((item) => item.isLocked && item.kind === 'file' && isUnpackedHere(item) === here)
      .toSorted((a, b) => a.packedSize - b.packedSize)[0];

  return {
    items,
    async judge(chosen, password) {
      const [own, foreign] = [smallestLocked(chosen, true), smallestLocked(chosen, false)];
      if (!own && !foreign) return 'right';
      if (password === '') return 'missing';
      try {
        if (own) for await (const _ of await openZipItem(bytes, own, await passwordFor(own, password))) break;
        else
          for await (const { content } of unpackByEngine([foreign!], password, undefined))
            for await (const _ of content) break;
        return 'right';
      } catch (error) {
        if (error instanceof WrongPassword) return 'wrong';
        // Broken or unknown entries are reported when the extraction reaches them.
        if (error instanceof BadArchive || error instanceof UnknownMethod) return 'right';
        throw error;
      }
    },
    async *unpack(files, password, signal) {
      const wanted = files.map(({ index }) => items[index]!);
      const secret = await passwordFor(smallestLocked(wanted, true), password);
      for (let at = 0; at < wanted.length;) {
        const item = wanted[at]!;
        if (isUnpackedHere(item)) {
          yield { item, content: await openZipItem(bytes, item, secret) };
          at += 1;
          continue;
        }
        const end = wanted.findIndex((next, place) => place > at && isUnpackedHere(next));
        const run = wanted.slice(at, Math.min(end < 0 ? wanted.length : end, at + ENTRIES_A_RUN));
        yield* unpackByEngine(run, password, signal);
        at += run.length;
      }
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
