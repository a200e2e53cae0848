import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CommandMistake } from './command-mistake.ts';
import type { Config } from '../foundation/config.ts';

/** Time to wait for the previous server, which may still be stopping. */
const PATIENCE_MS = 5_000;
const NAME = 'server.lock';
const SQLITE_BUSY = 5;

/** The lock of a data folder that this process holds. */
export interface FolderLock {
  /** Shares the data folder with the servers that this process supervises, but not with others. */
  share(): void;
  release(): void;
}

const NO_LOCK: FolderLock = { share() {}, release() {} };

/**
 * Makes this the only server of a data folder with a SQLite database: servers that don't belong together would run the
 * same background work. Other commands may run alongside it. The lock is SQLite's lock on a file, which the operating
 * system releases however the process ends.
 */
export function becomeOnlyServer(config: Config): FolderLock {
  if (config.DATABASE_URL !== undefined) return NO_LOCK;
  const lock = openLock(config);
  take(lock, 'begin exclusive', config);
  return {
    share() {
      lock.exec('commit');
      take(lock, 'begin immediate', config);
    },
    release: () => lock.close(),
  };
}

/**
 * Joins the servers of a supervisor that shares its lock. If the supervisor is killed, another one can only start once
 * all of its servers have ended.
 */
export function joinServers(config: Config): FolderLock {
  if (config.DATABASE_URL !== undefined) return NO_LOCK;
  const lock = openLock(config);
  take(lock, 'begin', config);
  lock.prepare('select count(*) from sqlite_schema').get();
  return { share() {}, release: () => lock.close() };
}

function openLock({ DATA_DIR }: Config): DatabaseSync {
  mkdirSync(DATA_DIR, { recursive: true, mode: 0o700 });
  const file = join(DATA_DIR, NAME);
  // If the folder isn't writable, the system reports the reason; SQLite would not.
  closeSync(openSync(file, 'a', 0o600));
  return new DatabaseSync(file, { timeout: PATIENCE_MS });
}

function take(lock: DatabaseSync, begin: string, { DATA_DIR }: Config): void {
  try {
    lock.exec(begin);
  } catch (error) {
    lock.close();
    if ((error as { errcode?: unknown }).errcode !== SQLITE_BUSY) throw error;
    throw new CommandMistake(
      `Another server is already using ${DATA_DIR}. Stop it first, choose another folder with DATA_DIR, or set DATABASE_URL to a PostgreSQL database, which any number of servers can share.`,
      { cause: error },
    );
  }
}
