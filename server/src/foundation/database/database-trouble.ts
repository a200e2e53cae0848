/** PostgreSQL can't be reached, or the connection was lost before it answered. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super(`The database is unavailable: ${reasonOf(cause)}`, { cause });
    this.name = 'DatabaseUnavailable';
  }

  /** True if PostgreSQL is running but rejects the login, or has no such database: waiting does not help. */
  get isRefusal(): boolean {
    const { code } = this.cause as { code?: unknown };
    return typeof code === 'string' && /^(?:28|3D)/.test(code);
  }
}

/** Node reports a host with several addresses as one error without a message. */
function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: unknown; code?: unknown };
  return String(message || code || error);
}

const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_PASSING = new Set([SQLITE_BUSY, SQLITE_LOCKED, SQLITE_READONLY, SQLITE_IOERR, SQLITE_CANTOPEN]);
/** Result codes of SQLite carry details above their lowest byte. */
const PRIMARY = 0xff;

const POSTGRES_FULL = '53100';
/**
 * Error codes for connections, resources, shutdown and crash, input and output, conflicts that outlasted
 * every retry, locks and statements that took too long, and a server that has become a read-only standby.
 */
const POSTGRES_BUSY = /^(?:08|53|57|58|40001|40P01|55P03|25006)/;

/**
 * Returns whether the database is out of space or temporarily unavailable: the response is 507 or 503, never
 * 500.
 */
export function databaseTrouble(error: unknown): 'full' | 'busy' | undefined {
  if (error instanceof DatabaseUnavailable) return databaseTrouble(error.cause) ?? 'busy';
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number') {
    const primary = errcode & PRIMARY;
    if (primary === SQLITE_FULL) return 'full';
    return SQLITE_PASSING.has(primary) ? 'busy' : undefined;
  }
  // PostgreSQL's codes have five characters and a severity beside them; the system's codes are longer or have
  // none.
  if (typeof code !== 'string' || !('severity' in (error as object))) return undefined;
  if (code === POSTGRES_FULL) return 'full';
  return POSTGRES_BUSY.test(code) ? 'busy' : undefined;
}
