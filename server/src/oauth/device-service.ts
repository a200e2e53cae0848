import { ApiFailure, type ErrorId, type GrantScope } from '@bowerbird/contract';
import {
  refusalOf,
  requireUsable,
  type Accounts,
  type AccountRow,
  type OpenedSession,
  type SessionMaker,
  type Sessions,
} from '../account/index.ts';
import { isUniqueViolation, type Database } from '../foundation/database/index.ts';
import type { Member } from '../foundation/http/index.ts';
import type { Clock, Ids } from '../foundation/index.ts';
import type { Guard } from '../shield/index.ts';
import type { Clients } from './client-service.ts';
import type { Redeemed } from './code-service.ts';
import type { Consents } from './consent-service.ts';
import type { DeviceStore } from './device-store.ts';
import { digest, drawUserCode, typedUserCode, type Client, type DeviceRow } from './oauth.ts';

/** Sign-in of devices that show a code, which their owner types on another device (RFC 8628). */
export interface Devices {
  ask(
    client: Client,
    scopes: readonly GrantScope[],
    address: string,
  ): Promise<{ secret: string; userCode: string }>;
  /** Returns the device with this code to a member who may decide. */
  shown(
    userCode: string,
    member: Member,
    address: string,
  ): Promise<{ device: DeviceRow; client: Client; account: AccountRow }>;
  decide(device: DeviceRow, client: Client, member: Member, decision: 'allow' | 'deny'): Promise<void>;
  /** Result for the polling device: a session once, and until then the reason for waiting. */
  poll(secret: string, client: Client, maker: SessionMaker): Promise<Omit<Redeemed, 'nonce'>>;
  forgetOld(): Promise<void>;
}

export const DEVICE_SECONDS = 900;
export const POLL_SECONDS = 5;
const SLOWER_MS = 5000;
const KEPT_MS = 3600 * 1000;
const TRIES = 5;

interface Parts {
  database: Database;
  store: DeviceStore;
  clients: Clients;
  consents: Consents;
  accounts: Accounts;
  sessions: Sessions;
  /** Limits requests for codes. */
  asking: Guard;
  /** Limits guesses at codes. */
  guessing: Guard;
  clock: Clock;
  ids: Ids;
}

type Polled =
  | { readonly refusal: ErrorId }
  | { readonly opened: OpenedSession; readonly account: AccountRow; readonly device: DeviceRow };

export function createDevices(parts: Parts): Devices {
  const { database, store, clients, consents, accounts, sessions, asking, guessing, clock, ids } = parts;

  async function keep(client: Client, scopes: readonly GrantScope[], hash: string): Promise<string> {
    for (let tries = 1; ; tries++) {
      const userCode = drawUserCode();
      const now = clock.now();
      const device: DeviceRow = {
        hash,
        userCode,
        client: client.id,
        scopes,
        state: 'pending',
        account: undefined,
        consent: undefined,
        authenticatedAt: undefined,
        decidedAt: undefined,
        intervalMs: POLL_SECONDS * 1000,
        polledAt: undefined,
        createdAt: now,
        expiresAt: now + DEVICE_SECONDS * 1000,
      };
      try {
        await database.transaction((tx) => store.insert(tx, device));
        return userCode;
      } catch (error) {
        if (tries >= TRIES || !isUniqueViolation(error)) throw error;
      }
    }
  }

  return {
    async ask(client, scopes, address) {
      await asking.attempt('device-code', address);
      const secret = ids.secret() + ids.secret();
      return { secret, userCode: await keep(client, scopes, digest(secret)) };
    },

    async shown(text, member, address) {
      await guessing.attempt(member.account, address);
      const device = await store.byUserCode(database, typedUserCode(text));
      const client = device && (await clients.find(database, device.client));
      if (!device || !client || device.state !== 'pending') throw new ApiFailure('not_found');
      await guessing.succeed(member.account, address);
      if (device.expiresAt <= clock.now()) throw new ApiFailure('expired_token');
      const account = await accounts.find(database, member.account);
      requireUsable(account);
      return { device, client, account };
    },

    async decide({ hash, scopes }, client, { account, session }, decision) {
      const signedIn = await sessions.find(database, session);
      const decidedAt = clock.now();
      const authenticatedAt = signedIn?.createdAt ?? decidedAt;
      const isFirst = await database.transaction(async (tx) => {
        const consent = decision === 'allow' ? await consents.give(tx, account, client, scopes) : undefined;
        const state = consent ? 'allowed' : 'denied';
        return store.decide(tx, hash, { state, account, consent: consent?.id, authenticatedAt, decidedAt });
      });
      if (!isFirst) throw new ApiFailure('not_found');
    },

    async poll(secret, client, maker) {
      const hash = digest(secret);
      const polled = await database.transaction(async (tx): Promise<Polled> => {
        await tx.lock(`oauth-device:${hash}`);
        const device = await store.find(tx, hash);
        const now = clock.now();
        if (device?.client !== client.id || device.state === 'used') return { refusal: 'invalid_grant' };
        if (device.expiresAt <= now) return { refusal: 'expired_token' };
        const isTooSoon =
          device.polledAt !== undefined && Math.abs(now - device.polledAt) < device.intervalMs;
        if (device.state === 'pending' || isTooSoon) {
          const intervalMs = device.intervalMs + (isTooSoon ? SLOWER_MS : 0);
          await store.polled(tx, hash, now, intervalMs);
          return { refusal: isTooSoon ? 'slow_down' : 'authorization_pending' };
        }
        if (device.state === 'denied') return { refusal: 'access_denied' };
        const account = await accounts.find(tx, device.account!);
        const consent = await consents.find(tx, device.consent!);
        const refusal = account && refusalOf(account);
        if (refusal) return { refusal };
        const isGood = (account?.passwordUpdatedAt ?? 0) <= (device.decidedAt ?? 0);
        if (!account || !isGood || !consent) return { refusal: 'invalid_grant' };
        await sessions.hold(tx, account);
        const bounds = { consent: consent.id, scopes: device.scopes };
        const opened = await sessions.open(tx, account, 'token', maker, 'app', bounds);
        await consents.use(tx, consent);
        await store.use(tx, hash);
        return { opened, account, device };
      });
      if ('refusal' in polled) throw new ApiFailure(polled.refusal);
      const { opened, account, device } = polled;
      const grant = await sessions.grant(opened, maker.origin);
      return { grant, account, scopes: device.scopes, authenticatedAt: device.authenticatedAt! };
    },

    forgetOld: () => database.transaction((tx) => store.removeOver(tx, clock.now() - KEPT_MS)),
  };
}
