import { removeRows, type Database } from '../../foundation/database/index.ts';
import type { EraseAccount } from './erasing-service.ts';
import type { SessionStore } from '../sign-in/index.ts';

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

/** Deletes the account's credentials, sessions, sign-in history and preferences; the account row itself stays. */
export function createAccountEraser(database: Database, sessions: Pick<SessionStore, 'idsOf'>): EraseAccount {
  return async (account, signal) => {
    let removed = 0;
    for (const session of await sessions.idsOf(database, account))
      removed += await removeRows(database, 'refresh_token', { session }, signal);
    for (const table of TABLES) removed += await removeRows(database, table, { account }, signal);
    return removed;
  };
}
