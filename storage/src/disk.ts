import * as files from 'node:fs';
import * as fs from 'node:fs/promises';
import { promisify } from 'node:util';
import { StorageFull, StorageUnavailable } from './storage-errors.ts';

/**
 * The disk operations that the local engine needs. Errors are those of node:fs, distinguished by `code`; tests pass a
 * failing disk. Paths are absolute.
 */
export interface Disk {
  /** Links are not followed: opening a link fails with ELOOP. */
  open(path: string, mode: 'read' | 'create'): Promise<DiskFile>;
  /** Creates a folder and its parents. */
  makeFolders(path: string): Promise<void>;
  /** Creates one folder in an existing one; false if it already existed. */
  makeFolder(path: string): Promise<boolean>;
  /** Names in a folder, in no particular order. */
  names(path: string): Promise<string[]>;
  /** Inspects a path; links are not followed. `modifiedAt` includes changes of the content and of the name. */
  inspect(path: string): Promise<{ kind: 'file' | 'folder' | 'other'; size: number; modifiedAt: Date }>;
  /** Returns an identity that no other file or folder has, its device included; links are followed. */
  identify(path: string): Promise<string>;
  /** The path with all links resolved. */
  realPath(path: string): Promise<string>;
  /** Sets `modifiedAt` to the current time. */
  touch(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Removes a file or a folder with everything in it; succeeds if it doesn't exist. */
  remove(path: string): Promise<void>;
  /** Makes a folder's entries durable. */
  syncFolder(path: string): Promise<void>;
  freeSpace(path: string): Promise<number>;
}

export interface DiskFile {
  /** Writes at an offset; MAY write fewer bytes than given. */
  write(chunks: readonly Uint8Array[], position: number): Promise<number>;
  /** Reads into the start of `into`; returns 0 at the end of the file. */
  read(into: Uint8Array, position: number): Promise<number>;
  /** Makes the file's bytes durable. */
  sync(): Promise<void>;
  size(): Promise<number>;
  close(): Promise<void>;
}

const { O_CREAT, O_EXCL, O_RDONLY, O_WRONLY } = files.constants;
// Windows has no such flag.
const O_NOFOLLOW = (files.constants as { O_NOFOLLOW?: number }).O_NOFOLLOW ?? 0;

// Small files take as long as the trips to other threads that they need: handles of node:fs/promises make each of them
// more expensive, and need one for closing.
const open = promisify(files.open);
const close = promisify(files.close);
const read = promisify(files.read);
const writev = promisify(files.writev);
const stat = promisify(files.fstat);
const fsync = promisify(files.fsync);
const fdatasync = promisify(files.fdatasync);

export const nodeDisk: Disk = {
  async open(path, mode) {
    const file = await open(
      path,
      mode === 'read' ? O_RDONLY | O_NOFOLLOW : O_WRONLY | O_CREAT | O_EXCL,
      0o600,
    );
    return {
      write: async (chunks, position) => (await writev(file, chunks, position)).bytesWritten,
      read: async (into, position) => (await read(file, into, 0, into.byteLength, position)).bytesRead,
      sync: () => fdatasync(file),
      size: async () => (await stat(file)).size,
      // Closing takes time only if the file was removed meanwhile, and the disk releases its space.
      close: async () => (mode === 'read' ? close(file) : files.closeSync(file)),
    };
  },
  makeFolders: async (path) => void (await fs.mkdir(path, { recursive: true, mode: 0o700 })),
  async makeFolder(path) {
    try {
      await fs.mkdir(path, { mode: 0o700 });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  },
  names: (path) => fs.readdir(path),
  async inspect(path) {
    const found = await fs.lstat(path);
    const modifiedAt = found.ctime > found.mtime ? found.ctime : found.mtime;
    const kind = found.isDirectory() ? 'folder' : found.isFile() ? 'file' : 'other';
    return { kind, size: found.size, modifiedAt };
  },
  async identify(path) {
    const { dev, ino } = await fs.stat(path, { bigint: true });
    return `${dev}:${ino}`;
  },
  realPath: (path) => fs.realpath(path),
  async touch(path) {
    const now = new Date();
    await fs.lutimes(path, now, now);
  },
  rename: (from, to) => fs.rename(from, to),
  remove: (path) => fs.rm(path, { recursive: true, force: true, maxRetries: 3 }),
  async syncFolder(path) {
    if (process.platform === 'win32') return; // Windows can't open folders, and journals their entries itself
    const folder = await open(path, O_RDONLY);
    try {
      await fsync(folder);
    } finally {
      files.closeSync(folder);
    }
  },
  async freeSpace(path) {
    const { bavail, bsize } = await fs.statfs(path);
    return bavail * bsize;
  },
};

/**
 * The same disk, but errors that aren't about the structure of the tree are thrown as StorageFull and
 * StorageUnavailable.
 */
export function plainSpoken(disk: Disk): Disk {
  const told = <A extends unknown[], R>(call: (...parameters: A) => Promise<R>) => {
    return (...parameters: A): Promise<R> => call(...parameters).catch(tell);
  };
  return {
    open: (path, mode) =>
      disk.open(path, mode).then(
        (file) => ({
          write: told(file.write),
          read: told(file.read),
          sync: told(file.sync),
          size: told(file.size),
          close: told(file.close),
        }),
        tell,
      ),
    makeFolders: told(disk.makeFolders),
    makeFolder: told(disk.makeFolder),
    names: told(disk.names),
    inspect: told(disk.inspect),
    identify: told(disk.identify),
    realPath: told(disk.realPath),
    touch: told(disk.touch),
    rename: told(disk.rename),
    remove: told(disk.remove),
    syncFolder: told(disk.syncFolder),
    freeSpace: told(disk.freeSpace),
  };
}

// Errors about what exists where; the engine handles these itself.
const occupied = new Set(['EEXIST', 'ENOTEMPTY', 'ENOTDIR', 'EISDIR']);
if (process.platform === 'win32') occupied.add('EPERM'); // Windows' error for a folder in the way
const links = new Set(['ELOOP', 'EMLINK']); // EMLINK is FreeBSD's code
const full = new Set(['ENOSPC', 'EDQUOT']);

function tell(error: NodeJS.ErrnoException): never {
  const code = error.code ?? '';
  if (code === 'ENOENT' || occupied.has(code) || links.has(code)) throw error;
  if (full.has(code)) throw new StorageFull({ cause: error });
  throw new StorageUnavailable(error.message, { cause: error });
}

export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
}

/** The target name of a rename already exists. */
export function isOccupied(error: unknown): boolean {
  return occupied.has((error as NodeJS.ErrnoException | undefined)?.code ?? '');
}

/** A link was found in place of a file. */
export function isLink(error: unknown): boolean {
  return links.has((error as NodeJS.ErrnoException | undefined)?.code ?? '');
}
