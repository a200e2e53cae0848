import { statSync } from 'node:fs';
import { DatabaseUnavailable } from './database-trouble.ts';

/** Whether a SQLite database still lies where it was opened. */
export interface Presence {
  /**
   * Throws DatabaseUnavailable where its file or its log was removed, or is another one: SQLite goes on writing into files
   * that have no name any more, and what it commits is gone with the process. Two looks at the file system.
   */
  confirm(): void;
}

export function rememberFiles(file: string): Presence {
  const opened = new Map<string, string>();
  // The log is made by the first write, and stays the same file from then on.
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
