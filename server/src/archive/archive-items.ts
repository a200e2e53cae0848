/** Bytes that can be read anywhere. */
export interface RandomAccess {
  readonly size: number;
  /** Bytes from `start` on, `length` of them or fewer where the end comes first. */
  read(start: number, length: number): Promise<Buffer>;
  stream(start: number, length: number): Promise<AsyncIterable<Uint8Array>>;
}

/** It is no archive, or a broken or dishonest one. */
export class BadArchive extends Error {
  override name = 'BadArchive';
}

/** The password is not the one. */
export class WrongPassword extends Error {
  override name = 'WrongPassword';
}

/** How something is packed is nothing that we can undo. */
export class UnknownMethod extends Error {
  override name = 'UnknownMethod';
}

/** One thing in an archive as the archive describes it: nothing of it is true yet. */
export interface ArchiveItem {
  readonly index: number;
  /** Segments without any that lead elsewhere. */
  readonly path: readonly string[];
  /** Links, devices and sockets are neither files nor folders, and nothing is made of them. */
  readonly kind: 'file' | 'folder' | 'other';
  readonly isLocked: boolean;
  readonly size: number;
  readonly modifiedAt: number | undefined;
}

/** Whether a password opens something. */
export type Verdict = 'right' | 'missing' | 'wrong';

/** An archive whose directory was read. */
export interface OpenArchive {
  readonly items: readonly ArchiveItem[];
  /** Whether a password opens some of the items, judged by the one that is tried fastest. */
  judge(items: readonly ArchiveItem[], password: string): Promise<Verdict>;
  /**
   * What files of it consist of, in the order in which they are given, which is the archive's own. Each has as many
   * bytes as it says and the checksum that it says, or it throws {@link BadArchive}, {@link WrongPassword} or
   * {@link UnknownMethod}. The signal ends what goes on beside this process.
   */
  unpack(files: readonly ArchiveItem[], password: string, signal?: AbortSignal): AsyncIterable<Unpacked>;
}

export interface Unpacked {
  readonly item: ArchiveItem;
  /** To be read to its end before the next one is asked for. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** More entries than this are nobody's. */
export const MOST_ITEMS = 100_000;
