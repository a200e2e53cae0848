/** Bytes with random access. */
export interface RandomAccess {
  readonly size: number;
  /** Bytes from `start`: `length` bytes, or fewer at the end of the file. */
  read(start: number, length: number): Promise<Buffer>;
  stream(start: number, length: number): Promise<AsyncIterable<Uint8Array>>;
}

/** Thrown if a file is not an archive, or is a broken or dishonest one. */
export class BadArchive extends Error {
  override name = 'BadArchive';
}

/** Thrown if the password is wrong. */
export class WrongPassword extends Error {
  override name = 'WrongPassword';
}

/** Thrown if an entry uses a compression method that we can't decode. */
export class UnknownMethod extends Error {
  override name = 'UnknownMethod';
}

/** Entry of an archive as the archive declares it; nothing of it is verified yet. */
export interface ArchiveItem {
  readonly index: number;
  /** Segments without absolute or parent paths. */
  readonly path: readonly string[];
  /** Links, devices and sockets are neither files nor folders, and are not extracted. */
  readonly kind: 'file' | 'folder' | 'other';
  readonly isLocked: boolean;
  readonly size: number;
  readonly modifiedAt: number | undefined;
}

/** Result of trying a password. */
export type Verdict = 'right' | 'missing' | 'wrong';

/** Archive whose directory was read. */
export interface OpenArchive {
  readonly items: readonly ArchiveItem[];
  /** Returns whether a password opens the given items, judged by the one that is quickest to test. */
  judge(items: readonly ArchiveItem[], password: string): Promise<Verdict>;
  /**
   * Contents of the given files, which must be in the archive's order. Each has the declared size and
   * checksum, or it throws {@link BadArchive}, {@link WrongPassword} or {@link UnknownMethod}. The signal
   * stops work outside of this process.
   */
  unpack(files: readonly ArchiveItem[], password: string, signal?: AbortSignal): AsyncIterable<Unpacked>;
}

export interface Unpacked {
  readonly item: ArchiveItem;
  /** Must be read to its end before the next one is requested. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** Maximum number of entries, more than any ordinary archive has. */
export const MOST_ITEMS = 100_000;
