import { message, type Clock, type Ids, type Log } from '../foundation/index.ts';
import type { Database, Tx } from '../foundation/database/index.ts';
import type { Jobs } from '../foundation/jobs/index.ts';
import type { PushMessage } from '@bowerbird/contract';
import { encrypted } from './push-encryption.ts';
import type { PushIdentity } from './push-identity.ts';
import type { SendPush } from './push-sending.ts';
import { pushStore as store } from './push-store.ts';
import {
  checkSubscription,
  DEVICES_MOST,
  type PushDeviceRow,
  type PushEvent,
  type Subscription,
} from './push.ts';

export interface Pushes {
  /** Lists the browsers of an account that get notifications, the newest first. */
  list(account: string): Promise<PushDeviceRow[]>;
  /** Adds a browser, or replaces its subscription; throws `invalid_argument`. */
  subscribe(
    device: Subscription & Pick<PushDeviceRow, 'account' | 'session' | 'name' | 'locale' | 'withNames'>,
  ): Promise<PushDeviceRow>;
  unsubscribe(account: string, id: string): Promise<void>;
  /** Notifies an account's browsers once the transaction has been committed. */
  tell(tx: Tx, account: string, event: PushEvent): Promise<void>;
  define(jobs: Jobs): void;
}

interface Parts {
  readonly database: Database;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly identity: PushIdentity;
  readonly send: SendPush;
  /** Returns true if a session may still be used. */
  readonly isLive: (device: Pick<PushDeviceRow, 'account' | 'session'>) => Promise<boolean>;
}

interface Delivery {
  readonly device: string;
  readonly event: PushEvent;
  readonly at: number;
}

const KIND = 'web-push';
/** Several events of a kind within this time are one notification. */
const GATHER_MS = 3000;
/** A push service keeps a message for a browser that isn't running for so long. */
const KEEP_S = 24 * 3600;
const KEEP_MS = KEEP_S * 1000;
const TRIES = 6;
const NAME_MOST = 100;
const PATHS = { download: '/drive/transfers', share: '/drive/shares' } as const;

export function createPushes({ database, jobs, clock, ids, log, identity, send, isLive }: Parts): Pushes {
  function textOf({ locale, withNames }: PushDeviceRow, { kind, name }: PushEvent): PushMessage {
    const shown = [...name].slice(0, NAME_MOST).join('');
    return {
      kind,
      title: message(locale, `notification.${kind}.title`),
      body:
        withNames && shown !== ''
          ? message(locale, `notification.${kind}.named`, { name: shown })
          : message(locale, `notification.${kind}.text`),
      path: `/${locale}${PATHS[kind]}`,
    };
  }

  const forget = (device: PushDeviceRow): Promise<void> =>
    database.transaction((tx) => store.remove(tx, device));

  /** Resolves when the message was accepted or isn't worth another attempt; rejects otherwise. */
  async function deliver({ device: id, event, at }: Delivery, attempts: number): Promise<void> {
    const device = await store.find(database, id);
    if (!device || clock.now() - at > KEEP_MS) return;
    if (!(await isLive(device))) return forget(device);
    const { origin } = new URL(device.endpoint);
    const headers = {
      authorization: identity.authorization(origin),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(KEEP_S),
      urgency: 'normal',
    };
    let status: number;
    try {
      status = await send(device.endpoint, headers, encrypted(JSON.stringify(textOf(device, event)), device));
    } catch (error) {
      if (attempts >= TRIES) return log.warn({ err: error, origin }, 'a push service can’t be reached');
      throw error;
    }
    if (status >= 200 && status < 300) return database.transaction((tx) => store.sent(tx, id, clock.now()));
    // 404 and 410: the browser has ended its subscription. 401 and 403: it was made with another key.
    if ([401, 403, 404, 410].includes(status)) return forget(device);
    if ((status === 429 || status >= 500) && attempts < TRIES)
      throw new Error(`The push service at ${origin} returned ${status}`);
    log.warn({ status, origin }, 'a push service refused a notification');
  }

  return {
    list: (account) => store.of(database, account),

    async subscribe(given) {
      checkSubscription(given);
      return database.transaction(async (tx) => {
        const device = { ...given, id: ids.next(), createdAt: clock.now(), sentAt: undefined };
        await store.put(tx, device);
        for (const old of (await store.of(tx, given.account)).slice(DEVICES_MOST))
          await store.remove(tx, old);
        return device;
      });
    },

    unsubscribe: (account, id) => database.transaction((tx) => store.remove(tx, { id, account })),

    async tell(tx, account, event) {
      for (const { id } of await store.of(tx, account)) {
        const delivery: Delivery = { device: id, event, at: clock.now() };
        await jobs.enqueue(tx, KIND, delivery, { key: `${id} ${event.kind}`, delayMs: GATHER_MS });
      }
    },

    define: (queue) =>
      queue.define<Delivery>(KIND, (delivery, { attempts }) => deliver(delivery, attempts), { parallel: 4 }),
  };
}
