import { createHash } from 'node:crypto';
import type { Database } from '../foundation/database/index.ts';
import type { Clock } from '../foundation/index.ts';
import { riskOf, type CaptchaKind, type Risk } from './captcha.ts';
import type { ShieldStore } from './shield-store.ts';
import { networkOf, standing } from './shield.ts';

/** The properties of a caller that determine the risk. */
export interface Asker {
  readonly address: string;
  readonly device: string;
  /** Account or share of the call. */
  readonly target: string | undefined;
}

/** Risk of callers, from counters that all processes share. */
export interface Risks {
  of(kind: CaptchaKind, asker: Asker): Promise<Risk>;
  failed(asker: Asker): Promise<void>;
  /** Records a successful sign-in: the device is known for this name, and its failures are forgiven. */
  cameIn(asker: Asker): Promise<void>;
  /** Counts a token request. Returns the seconds to wait if the network requests too many. */
  asked(address: string): Promise<number>;
}

const MINUTE_MS = 60_000;
const NO_WAIT = { longestWaitSeconds: 0 };
const FAILURES_KEPT_MS = 60 * MINUTE_MS;
const ASKING_WINDOW_MS = 10 * MINUTE_MS;
const DEVICE_KEPT_MS = 90 * 24 * 60 * MINUTE_MS;
/** Limit of tokens for one network in ten minutes; hundreds of people may share one. */
const MOST_ASKED = 3000;

interface Parts {
  database: Database;
  store: ShieldStore;
  clock: Clock;
}

export function createRisks({ database, store, clock }: Parts): Risks {
  const keyOf = (...parts: string[]): string =>
    `captcha:${createHash('sha256').update(JSON.stringify(parts)).digest('base64url')}`;
  const networkKey = (address: string): string => keyOf('network', networkOf(address));
  const askedKey = (address: string): string => keyOf('asked', networkOf(address));
  const targetKey = (target: string): string => keyOf('target', target);
  const deviceKey = ({ device, target }: Asker): string => keyOf('device', device, target ?? '');

  /** Counts an event within a window that began with the first. */
  async function count(key: string, windowMs: number): Promise<{ count: number; until: number }> {
    // A power cut can only lose a count.
    return database.transaction(
      async (tx) => {
        await tx.lock(`throttle:${key}`);
        const now = clock.now();
        const known = standing((await store.find(tx, [key])).get(key), now, NO_WAIT);
        // A window never exceeds its length, even if a wrong clock started it.
        const until = Math.min(known.failures > 0 ? known.forgetAt : Infinity, now + windowMs);
        await store.put(tx, key, { failures: known.failures + 1, blockedUntil: 0, forgetAt: until });
        return { count: known.failures + 1, until };
      },
      { durable: false },
    );
  }

  return {
    async of(kind, asker) {
      const target = asker.target === undefined ? undefined : targetKey(asker.target);
      const device = deviceKey(asker);
      const keys = [networkKey(asker.address), askedKey(asker.address), device, ...(target ? [target] : [])];
      const counts = await store.find(database, keys);
      const now = clock.now();
      const at = (key: string | undefined): number =>
        key === undefined ? 0 : standing(counts.get(key), now, NO_WAIT).failures;
      return riskOf(kind, {
        networkFailures: at(networkKey(asker.address)),
        targetFailures: at(target),
        asked: at(askedKey(asker.address)),
        isNewDevice: at(device) === 0,
      });
    },

    async failed({ address, target }) {
      await count(networkKey(address), FAILURES_KEPT_MS);
      if (target !== undefined) await count(targetKey(target), FAILURES_KEPT_MS);
    },

    async cameIn(asker) {
      const { device, target } = asker;
      if (device === '' || target === undefined) return;
      await database.transaction(
        async (tx) => {
          await store.remove(tx, targetKey(target));
          await store.put(tx, deviceKey(asker), {
            failures: 1,
            blockedUntil: 0,
            forgetAt: clock.now() + DEVICE_KEPT_MS,
          });
        },
        { durable: false },
      );
    },

    async asked(address) {
      const { count: asked, until } = await count(askedKey(address), ASKING_WINDOW_MS);
      return asked > MOST_ASKED ? Math.ceil((until - clock.now()) / 1000) : 0;
    },
  };
}
