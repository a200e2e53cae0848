import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CommandMistake } from './command.ts';
import type { Config } from './foundation/index.ts';

/** Time to wait for the previous server, which may still be stopping. */
const PATIENCE_MS = 5_000;
const NAME = 'server.lock';
const SQLITE_BUSY = 5;

/**
 * Makes this the only server of a data folder with a SQLite database, because other servers would not see the
 * state that it keeps in memory (limits, active requests). Other commands may run alongside it. The lock is
 * SQLite's lock on a file, which the operating system releases however the process ends. Returns a function
 * that releases it.
 */
export function becomeOnlyServer({ DATABASE_URL, DATA_DIR }: Config): () => void {
  if (DATABASE_URL !== undefined) return () => {};
  mkdirSync(DATA_DIR, { recursive: true, mode: 0o700 });
  const file = join(DATA_DIR, NAME);
  // If the folder isn't writable, the system reports the reason; SQLite would not.
  closeSync(openSync(file, 'a', 0o600));
  const lock = new DatabaseSync(file, { timeout: PATIENCE_MS });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if ((error as { errcode?: unknown }).errcode !== SQLITE_BUSY) throw error;
    throw new CommandMistake(
      `Another server is already using ${DATA_DIR}. Stop it first, choose another folder with DATA_DIR, or set DATABASE_URL to a PostgreSQL database, which any number of servers can share.`,
      { cause: error },
    );
  }
  return () => lock.close();
}
