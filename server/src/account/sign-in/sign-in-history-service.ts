import { createHash } from 'node:crypto';
import type { Database, Tx } from '../../foundation/database/index.ts';
import { timeText, type Clock, type Ids, type Log } from '../../foundation/index.ts';
import { networkOf } from '../../shield/index.ts';
import type { AccountRow } from '../account.ts';
import type { SessionOrigin } from './session.ts';
import type { SignInHistoryStore } from './sign-in-history-store.ts';
import type { SignInRecord, Way } from './sign-in-record.ts';
import { deviceName } from './device-name.ts';
import type { Notices } from '../notice/index.ts';

/** History of sign-ins and refused attempts, shown to the owner of an account. */
export interface SignInHistory {
  /** Records a sign-in. Sends the owner a mail if the account was never used from that device and network. */
  recordSuccess(tx: Tx, account: AccountRow, way: Way, from: SessionOrigin): Promise<void>;
  /**
   * Records a refused attempt, if there is an account. Not awaited, so that its duration does not reveal whether there
   * is one.
   */
  recordFailure(account: AccountRow | undefined, way: Way, from: SessionOrigin): void;
  list(account: string): Promise<SignInRecord[]>;
  forgetOld(): Promise<void>;
}

const DAY_MS = 24 * 3600 * 1000;
const KEPT_MS = 30 * DAY_MS;
const DEVICES_KEPT_MS = 400 * DAY_MS;
const LISTED = 200;
/**
 * Ways to sign in that send no mail: signing up, app passwords (used all day), and apps (which have the
 * owner's consent).
 */
const WITHOUT_MAIL: ReadonlySet<Way> = new Set(['sign_up', 'app_password', 'app', 'handover']);

interface Parts {
  database: Database;
  store: SignInHistoryStore;
  notices: Notices;
  clock: Clock;
  ids: Ids;
  log: Log;
}

export function createSignInHistory({ database, store, notices, clock, ids, log }: Parts): SignInHistory {
  const record = (
    account: string,
    way: Way,
    outcome: SignInRecord['outcome'],
    { address, userAgent, clientId }: SessionOrigin,
  ): SignInRecord => ({
    id: ids.next(),
    account,
    way,
    outcome,
    address,
    userAgent,
    clientId,
    at: clock.now(),
  });

  const placeOf = ({ deviceId, userAgent, address }: SessionOrigin): string =>
    createHash('sha256')
      .update(JSON.stringify([deviceId || userAgent, networkOf(address)]))
      .digest('base64url');

  return {
    async recordSuccess(tx, account, way, from) {
      await store.insert(tx, record(account.id, way, 'in', from));
      const isNew = await store.recordDevice(tx, account.id, placeOf(from), clock.now());
      if (!isNew || WITHOUT_MAIL.has(way) || !account.newDeviceMail) return;
      await notices.tell(tx, account, 'newDevice', {
        device: deviceName(from.userAgent) || '?',
        address: from.address,
        time: `${timeText(clock.now()).slice(0, 16).replace('T', ' ')} UTC`,
      });
    },

    recordFailure(account, way, from) {
      if (!account) return;
      database
        .transaction((tx) => store.insert(tx, record(account.id, way, 'refused', from)))
        .catch((error: unknown) => log.warn({ err: error }, 'could not record a refused sign-in'));
    },

    list: (account) => store.list(database, account, clock.now() - KEPT_MS, LISTED),

    forgetOld: () =>
      database.transaction((tx) =>
        store.removeBefore(tx, clock.now() - KEPT_MS, clock.now() - DEVICES_KEPT_MS),
      ),
  };
}
