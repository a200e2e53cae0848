import { open, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

/** A cache of open file handles of one folder. */
export interface FileHandles {
  /** Runs `work` with a handle. For reading the file must exist; for writing it is created. */
  use<T>(name: string, purpose: 'read' | 'write', work: (handle: FileHandle) => Promise<T>): Promise<T>;
  forget(name: string): Promise<void>;
  /** Closes all handles after the work in progress; `use` rejects from then on. */
  close(): Promise<void>;
}

const MOST_OPEN = 64;

interface Opened {
  readonly handle: Promise<FileHandle>;
  users: number;
  released: (() => void) | undefined;
}

export function createFileHandles(folder: string): FileHandles {
  const opened = new Map<string, Opened>();
  let closed = false;

  async function openFile(name: string, purpose: 'read' | 'write'): Promise<FileHandle> {
    const path = join(folder, name);
    try {
      return await open(path, 'r+');
    } catch (error) {
      if (purpose === 'read' || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    await writeFile(path, '', { flag: 'a' });
    return open(path, 'r+');
  }

  function take(name: string, purpose: 'read' | 'write'): Opened {
    const entry = opened.get(name) ?? { handle: openFile(name, purpose), users: 0, released: undefined };
    // Moves the entry to the end: the least recently used handle is closed first.
    opened.delete(name);
    opened.set(name, entry);
    entry.users += 1;
    return entry;
  }

  function closeUnused(): void {
    for (const [name, { users }] of opened) {
      if (opened.size <= MOST_OPEN) return;
      if (users === 0) void forget(name);
    }
  }

  async function forget(name: string): Promise<void> {
    const entry = opened.get(name);
    if (!entry) return;
    opened.delete(name);
    if (entry.users > 0) await new Promise<void>((resolve) => (entry.released = resolve));
    await entry.handle.then((handle) => handle.close()).catch(() => {});
  }

  return {
    async use(name, purpose, work) {
      if (closed) throw new Error('The folder is closed');
      const entry = take(name, purpose);
      try {
        return await work(await entry.handle);
      } finally {
        entry.users -= 1;
        if (entry.users === 0) entry.released?.();
        if (await isBroken(entry.handle)) opened.delete(name);
        closeUnused();
      }
    },
    forget,
    async close() {
      closed = true;
      await Promise.all([...opened.keys()].map(forget));
    },
  };
}

const isBroken = (handle: Promise<FileHandle>): Promise<boolean> =>
  handle.then(
    () => false,
    () => true,
  );
