import { removeRows, type Database } from '../foundation/database/index.ts';
import type { Leave } from './erasing-service.ts';
import type { SessionStore } from './session-store.ts';

const TABLES = [
  'pass',
  'second_factor',
  'recovery_code',
  'trusted_device',
  'passkey',
  'challenge',
  'sign_in',
  'known_device',
  'preference',
  'session',
] as const;

/** What is kept of who an account is and how its owner came in. */
export function leavesAccount(database: Database, sessions: Pick<SessionStore, 'idsOf'>): Leave {
  return async (account, signal) => {
    let removed = 0;
    for (const session of await sessions.idsOf(database, account))
      removed += await removeRows(database, 'refresh_token', { session }, signal);
    for (const table of TABLES) removed += await removeRows(database, table, { account }, signal);
    return removed;
  };
}
