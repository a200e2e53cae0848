import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { createFileHandles, type FileHandles } from './file-handles.ts';
import { createBits, type Bits, type Layout } from './layout.ts';
import type { Torrent } from './torrent-file.ts';

/**
 * Stores the pieces of one torrent in a folder with numbered files. Each wanted file has a sparse file of its own. The
 * bytes of other files that a piece contains are stored in one leftover file per piece. A bit field records which
 * pieces were written, so that holes are not read after a crash.
 */
export interface Scratch {
  /** Pieces that were complete when {@link openScratch} verified them. */
  readonly found: Bits;
  /** Files that an earlier run dropped; undefined without an earlier run. */
  readonly dropped: readonly number[] | undefined;
  pathOf(file: number): string;
  put(piece: number, bytes: Uint8Array): Promise<void>;
  /** Reads from a piece. Rejects if it is missing or was dropped. */
  get(piece: number, offset: number, length: number): Promise<Buffer>;
  /** Creates the file of its own for a wanted file, and moves bytes from leftover files into it. */
  createOwnFile(file: number): Promise<void>;
  /** Deletes a file that was moved to the storage, and records that. */
  drop(file: number): Promise<void>;
  close(): Promise<void>;
}

const WRITTEN = 'written';
/** Prefix of the markers of dropped files. */
const DROPPED = 'd';

export async function openScratch(
  folder: string,
  torrent: Torrent,
  layout: Layout,
  wanted: readonly number[],
  signal: AbortSignal,
): Promise<Scratch> {
  const isNew = (await mkdir(folder, { recursive: true })) !== undefined;
  const present = new Set(await readdir(folder));
  const handles = createFileHandles(folder);
  const ownFiles = new Set([...present].filter((name) => /^\d+$/.test(name)).map(Number));
  const written = await readWritten(handles, layout.pieceCount);
  const writings = new Set<Promise<void>>();
  let moving: Promise<unknown> = Promise.resolve();

  const leftover = (piece: number): string => `p${piece}`;
  const isFiller = (file: number): boolean => torrent.files[file]!.filler;
  /** Returns the byte ranges on disk of a piece, with adjacent ones merged, without padding files, which are zeros. */
  function runsOf(piece: number): Run[] {
    const runs: Run[] = [];
    for (const { file, start, at, size } of layout.segmentsOf(piece)) {
      if (isFiller(file)) continue;
      const hasOwnFile = ownFiles.has(file);
      const [name, position] = hasOwnFile ? [String(file), start] : [leftover(piece), at];
      const last = runs.at(-1);
      if (last?.name === name && last.at + last.size === at) last.size += size;
      else runs.push({ name, position, at, size });
    }
    return runs;
  }

  async function read(piece: number, offset: number, length: number): Promise<Buffer> {
    const bytes = Buffer.alloc(length);
    for (const { name, position, at, size } of runsOf(piece)) {
      const from = Math.max(offset, at);
      const to = Math.min(offset + length, at + size);
      if (from >= to) continue;
      const { bytesRead } = await handles.use(name, 'read', (handle) =>
        handle.read(bytes, from - offset, to - from, position + from - at),
      );
      if (bytesRead < to - from) throw new Error(`Piece ${piece} is incomplete on disk`);
    }
    return bytes;
  }

  async function write(piece: number, bytes: Uint8Array): Promise<void> {
    for (const { name, position, at, size } of runsOf(piece)) {
      const part = bytes.subarray(at, at + size);
      await handles.use(name, 'write', (handle) => writeAll(handle, part, position));
    }
    written.add(piece);
    await handles.use(WRITTEN, 'write', (note) => note.write(written.bytes, piece >>> 3, 1, piece >>> 3));
  }

  function put(piece: number, bytes: Uint8Array): Promise<void> {
    const writing = moving.then(() => write(piece, bytes)).finally(() => writings.delete(writing));
    writings.add(writing);
    return writing;
  }

  /** Waits for running writes and holds back new ones while bytes are moved. */
  function createOwnFile(file: number): Promise<void> {
    const before = [...writings];
    const moved = moving.then(() => Promise.allSettled(before)).then(() => move(file));
    moving = moved.catch(() => {});
    return moved;
  }

  async function move(file: number): Promise<void> {
    if (ownFiles.has(file)) return;
    const pieces = layout.piecesOf(file);
    await handles.use(String(file), 'write', async (target) => {
      // Only the first and last piece can have been fetched for other files.
      for (const piece of pieces ? new Set([pieces.from, pieces.to]) : []) {
        const { start, at, size } = layout.segmentsOf(piece).find((part) => part.file === file)!;
        const bytes = Buffer.alloc(size);
        if (await readLeftover(piece, bytes, at)) await writeAll(target, bytes, start);
      }
    });
    ownFiles.add(file);
  }

  const readLeftover = (piece: number, bytes: Buffer, at: number): Promise<boolean> =>
    handles
      .use(leftover(piece), 'read', (source) => source.read(bytes, 0, bytes.length, at))
      .then(
        ({ bytesRead }) => bytesRead === bytes.length,
        () => false,
      );

  async function verify(): Promise<Bits> {
    const found = createBits(layout.pieceCount);
    for (let piece = 0; piece < layout.pieceCount; piece += 1) {
      if (!written.has(piece)) continue;
      signal.throwIfAborted();
      const bytes = await read(piece, 0, layout.pieceSize(piece)).catch(() => undefined);
      if (bytes && createHash('sha1').update(bytes).digest().equals(torrent.pieceHash(piece)))
        found.add(piece);
      else written.delete(piece);
    }
    return found;
  }

  try {
    for (const file of wanted) await createOwnFile(file);
    const marked = [...present].filter((name) => name.startsWith(DROPPED));
    return {
      found: await verify(),
      dropped: isNew ? undefined : marked.map((name) => Number(name.slice(DROPPED.length))),
      pathOf: (file) => join(folder, String(file)),
      put,
      get: read,
      createOwnFile,
      async drop(file) {
        ownFiles.delete(file);
        await handles.forget(String(file));
        await writeFile(join(folder, `${DROPPED}${file}`), '');
        await rm(join(folder, String(file)), { force: true });
      },
      close: handles.close,
    };
  } catch (error) {
    await handles.close();
    throw error;
  }
}

interface Run {
  readonly name: string;
  /** Offset in the file of that name. */
  readonly position: number;
  /** Offset in the piece. */
  readonly at: number;
  size: number;
}

async function readWritten(handles: FileHandles, count: number): Promise<Bits> {
  const bytes = new Uint8Array(Math.ceil(count / 8));
  await handles.use(WRITTEN, 'write', (note) => note.read(bytes, 0, bytes.length, 0));
  return createBits(count, bytes);
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
