import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { createFileHandles, type FileHandles } from './file-handles.ts';
import { createBits, type Bits, type Layout } from './layout.ts';
import type { Torrent } from './torrent-file.ts';

/**
 * Pieces of one torrent on disk, in a folder where everything is called by its number: files that are wanted as they
 * will be, sparse while they grow; what pieces bring along of other files in one file a piece; and a note which
 * pieces were written, so that nobody reads holes after a crash.
 */
export interface Scratch {
  /** Pieces that are whole, as found after {@link openScratch}. */
  readonly found: Bits;
  /** Files that an earlier run dropped; undefined where there was none. */
  readonly dropped: readonly number[] | undefined;
  pathOf(file: number): string;
  put(piece: number, bytes: Uint8Array): Promise<void>;
  /** Rejects where a piece isn't here, or not any more. */
  get(piece: number, offset: number, length: number): Promise<Buffer>;
  /** Gives a file a place of its own, and moves there what pieces had brought along of it. */
  house(file: number): Promise<void>;
  /** The file is elsewhere now, which stays known. */
  drop(file: number): Promise<void>;
  close(): Promise<void>;
}

const WRITTEN = 'written';
/** Before the number of a file that was there, and was brought elsewhere. */
const DROPPED = 'd';

export async function openScratch(
  folder: string,
  torrent: Torrent,
  layout: Layout,
  housed: readonly number[],
  signal: AbortSignal,
): Promise<Scratch> {
  const isNew = (await mkdir(folder, { recursive: true })) !== undefined;
  const present = new Set(await readdir(folder));
  const handles = createFileHandles(folder);
  const houses = new Set([...present].filter((name) => /^\d+$/.test(name)).map(Number));
  const written = await readWritten(handles, layout.pieceCount);
  const writings = new Set<Promise<void>>();
  let moving: Promise<unknown> = Promise.resolve();

  const leftover = (piece: number): string => `p${piece}`;
  const isFiller = (file: number): boolean => torrent.files[file]!.filler;
  /** Where the bytes of a piece lie, without fillers, which are zeros. What lies together is one run. */
  function runsOf(piece: number): Run[] {
    const runs: Run[] = [];
    for (const { file, start, at, size } of layout.segmentsOf(piece)) {
      if (isFiller(file)) continue;
      const isHoused = houses.has(file);
      const [name, position] = isHoused ? [String(file), start] : [leftover(piece), at];
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
      if (bytesRead < to - from) throw new Error(`Piece ${piece} is cut short`);
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

  /** Nothing is written while bytes move from one place to another. */
  function house(file: number): Promise<void> {
    const before = [...writings];
    const moved = moving.then(() => Promise.allSettled(before)).then(() => move(file));
    moving = moved.catch(() => {});
    return moved;
  }

  async function move(file: number): Promise<void> {
    if (houses.has(file)) return;
    const pieces = layout.piecesOf(file);
    await handles.use(String(file), 'write', async (target) => {
      // Only pieces at the edges can have been fetched for the sake of others.
      for (const piece of pieces ? new Set([pieces.from, pieces.to]) : []) {
        const { start, at, size } = layout.segmentsOf(piece).find((part) => part.file === file)!;
        const bytes = Buffer.alloc(size);
        if (await readLeftover(piece, bytes, at)) await writeAll(target, bytes, start);
      }
    });
    houses.add(file);
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
    for (const file of housed) await house(file);
    const marked = [...present].filter((name) => name.startsWith(DROPPED));
    return {
      found: await verify(),
      dropped: isNew ? undefined : marked.map((name) => Number(name.slice(DROPPED.length))),
      pathOf: (file) => join(folder, String(file)),
      put,
      get: read,
      house,
      async drop(file) {
        houses.delete(file);
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
  /** Where it begins in the file of that name. */
  readonly position: number;
  /** Where it begins in the piece. */
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
