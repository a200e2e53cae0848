import { open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseUnavailable } from './database-trouble.ts';

/**
 * Makes commits durable, outside of the main thread. Transactions that commit during a flush share the next one, so
 * many of them wait for the disk no longer than one.
 */
export interface Flushes {
  /** Throws if a flush has failed: a disk reports a lost write only once, so nothing after it can be trusted. */
  confirm(): void;
  /** Resolves once everything that was committed before the call is on the disk. */
  flush(): Promise<void>;
  /** Counts as a failed flush from now on: another process had one. */
  distrust(): void;
  close(): Promise<void>;
}

/**
 * SQLite itself flushes its log only before it copies it into the database (`synchronous=NORMAL`). `failed` is called
 * once, if a flush fails; `confirm` after each flush, which counts only if it doesn't throw.
 */
export function createFlushes(
  file: string,
  {
    failed = () => {},
    confirm: confirmFiles = () => {},
  }: { failed?: (() => void) | undefined; confirm?: () => void } = {},
): Flushes {
  let log: FileHandle | undefined;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let failure: DatabaseUnavailable | undefined;

  function confirm(): void {
    if (failure) throw failure;
  }

  /** The log is created by the first commit; from then on its entry in the folder has to be durable, too. */
  async function openLog(): Promise<FileHandle> {
    const opened = await open(`${file}-wal`, 'r+');
    const folder = await open(dirname(file), 'r');
    await folder.sync().finally(() => folder.close());
    return opened;
  }

  async function sync(): Promise<void> {
    try {
      confirm();
      log ??= await openLog();
      await log.datasync();
    } catch (error) {
      if (!failure) failed();
      failure ??= new DatabaseUnavailable(error);
      throw failure;
    }
  }

  function start(): Promise<void> {
    running = sync()
      .then(confirmFiles)
      .finally(() => {
        running = undefined;
      });
    return running;
  }

  return {
    confirm,
    flush() {
      if (!running) return start();
      next ??= running
        .catch(() => {})
        .then(() => {
          next = undefined;
          return start();
        });
      return next;
    },
    distrust() {
      failure ??= new DatabaseUnavailable(new Error('another process could not write to the disk'));
    },
    async close() {
      await next?.catch(() => {});
      await running?.catch(() => {});
      await log?.close();
    },
  };
}
