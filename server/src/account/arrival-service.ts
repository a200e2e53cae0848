import { createHash } from 'node:crypto';
import type { Database, Tx } from '../foundation/database/index.ts';
import { timeText, type Clock, type Ids, type Log } from '../foundation/index.ts';
import { networkOf } from '../shield/index.ts';
import type { AccountRow, SessionOrigin } from './account.ts';
import type { ArrivalStore } from './arrival-store.ts';
import type { Arrival, Way } from './arrival.ts';
import { deviceName } from './device-name.ts';
import type { Notices } from './notice-service.ts';

/** What an owner may know of who came in, or tried to. */
export interface Arrivals {
  /** Somebody came in. From a device and network that the account was not seen at, its owner is told by mail. */
  came(tx: Tx, account: AccountRow, way: Way, from: SessionOrigin): Promise<void>;
  /** Somebody failed to. Nobody waits for it, so that it tells nothing about whether there is an account. */
  failed(account: AccountRow | undefined, way: Way, from: SessionOrigin): void;
  list(account: string): Promise<Arrival[]>;
  forgetOld(): Promise<void>;
}

const DAY_MS = 24 * 3600 * 1000;
const KEPT_MS = 30 * DAY_MS;
const DEVICES_KEPT_MS = 400 * DAY_MS;
const LISTED = 200;
/** Ways that are no surprise to the owner: the account begins with one, programs come in all day, and apps were let in. */
const QUIET: ReadonlySet<Way> = new Set(['sign_up', 'app_password', 'app', 'handover']);

interface Parts {
  database: Database;
  store: ArrivalStore;
  notices: Notices;
  clock: Clock;
  ids: Ids;
  log: Log;
}

export function createArrivals({ database, store, notices, clock, ids, log }: Parts): Arrivals {
  const arrival = (
    account: string,
    way: Way,
    outcome: Arrival['outcome'],
    { address, userAgent, clientId }: SessionOrigin,
  ): Arrival => ({ id: ids.next(), account, way, outcome, address, userAgent, clientId, at: clock.now() });

  const placeOf = ({ deviceId, userAgent, address }: SessionOrigin): string =>
    createHash('sha256')
      .update(JSON.stringify([deviceId || userAgent, networkOf(address)]))
      .digest('base64url');

  return {
    async came(tx, account, way, from) {
      await store.insert(tx, arrival(account.id, way, 'in', from));
      const isNew = await store.meet(tx, account.id, placeOf(from), clock.now());
      if (!isNew || QUIET.has(way) || !account.newDeviceMail) return;
      await notices.tell(tx, account, 'newDevice', {
        device: deviceName(from.userAgent) || '?',
        address: from.address,
        time: `${timeText(clock.now()).slice(0, 16).replace('T', ' ')} UTC`,
      });
    },

    failed(account, way, from) {
      if (!account) return;
      database
        .transaction((tx) => store.insert(tx, arrival(account.id, way, 'refused', from)))
        .catch((error: unknown) => log.warn({ err: error }, 'a refused sign-in could not be noted'));
    },

    list: (account) => store.list(database, account, clock.now() - KEPT_MS, LISTED),

    forgetOld: () =>
      database.transaction((tx) =>
        store.removeBefore(tx, clock.now() - KEPT_MS, clock.now() - DEVICES_KEPT_MS),
      ),
  };
}
