import { statSync } from 'node:fs';
import { DatabaseUnavailable } from './database-trouble.ts';

/** Check that a SQLite database still exists where it was opened. */
export interface Presence {
  /**
   * Throws DatabaseUnavailable if the database file or its log was removed or replaced: SQLite continues to
   * write to deleted files, and those commits are lost when the process ends. Costs two file system calls.
   */
  confirm(): void;
}

export function rememberFiles(file: string): Presence {
  const opened = new Map<string, string>();
  // The log is created by the first write, and stays the same file from then on.
  const paths = [file, `${file}-wal`];

  const identify = (path: string): string | undefined => {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found && `${found.dev}:${found.ino}`;
  };

  function confirm(): void {
    for (const path of paths) {
      const found = identify(path);
      const before = opened.get(path);
      if (before === undefined && found !== undefined) opened.set(path, found);
      else if (found !== before)
        throw new DatabaseUnavailable(new Error(`${path} isn’t the file that was opened`));
    }
  }

  confirm();
  return { confirm };
}
