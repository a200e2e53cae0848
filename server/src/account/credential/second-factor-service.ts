import { createHash, randomBytes } from 'node:crypto';
import { ApiFailure, LIMITS } from '@bowerbird/contract';
import type { Database, Sql, Tx } from '../../foundation/database/index.ts';
import type { Clock, Ids, Keys } from '../../foundation/index.ts';
import type { Guard } from '../../shield/index.ts';
import type { AccountStore } from '../account-store.ts';
import type { AccountRow } from '../account.ts';
import type { Notices } from '../notice/index.ts';
import type { Owner, PasswordChecks } from './password-check.ts';
import type { PasswordHashing } from './password-hashing.ts';
import { drawRecoveryCodes, plainRecoveryCode } from './recovery-code.ts';
import type { SecondFactorStore } from './second-factor-store.ts';
import { drawTotpSecret, stepOfCode, totpUri } from './totp.ts';

/** Code of the authenticator app, or a recovery code. */
export type Answer = { readonly code: string } | { readonly recoveryCode: string };

export interface SecondFactors {
  isOn(account: string): Promise<boolean>;
  state(account: string): Promise<{ since: number | undefined; codesLeft: number; devices: number }>;
  /** Returns the data for an authenticator app; the second step is not required until a code confirms it. */
  begin(owner: Owner): Promise<{ secret: string; uri: string }>;
  /** Turns two-step verification on; returns the recovery codes. */
  confirm(account: string, code: string, address: string): Promise<string[]>;
  /** Replaces the recovery codes; the old ones become invalid. */
  renewCodes(owner: Owner): Promise<string[]>;
  end(owner: Owner): Promise<void>;
  /** Turns it off at the request of an administrator, for a member who lost everything. */
  lift(account: AccountRow): Promise<void>;
  /** Throws `second_factor_wrong` or `recovery_code_wrong`; each code is valid once. */
  require(account: string, answer: Answer, address: string): Promise<void>;
  /** Returns true if the browser with this secret is trusted and may skip the second step. */
  trusts(account: string, secret: string | undefined): Promise<boolean>;
  /** Trusts this browser for a while; returns the secret for its cookie. */
  trust(tx: Tx, account: string, userAgent: string): Promise<string>;
  forgetDevices(account: string): Promise<void>;
  forgetOld(): Promise<void>;
}

const ISSUER = 'Bowerbird';
const PURPOSE = 'second-factor';
const CODES = 'recovery-code';
const DAY_MS = 24 * 3600 * 1000;

const digest = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

interface Parts {
  database: Database;
  accounts: AccountStore;
  store: SecondFactorStore;
  checks: PasswordChecks;
  hashing: PasswordHashing;
  notices: Notices;
  guard: Guard;
  keys: Keys;
  clock: Clock;
  ids: Ids;
}

export function createSecondFactors(parts: Parts): SecondFactors {
  const { database, accounts, store, checks, hashing, notices, guard, keys, clock, ids } = parts;

  /**
   * Returns the stored hash of a code: neither a copy of the database nor the installation's secret alone allows
   * trying codes, and both together only slowly.
   */
  async function codeHash(account: string, code: string, salt: string): Promise<string> {
    const plain = plainRecoveryCode(code);
    // Codes created before salts were introduced.
    if (salt === '') return keys.sign(CODES, `${account} ${plain}`);
    const stretched = await hashing.stretch(plain, Buffer.from(salt, 'base64url'));
    return `${salt}.${keys.sign(CODES, `${account} ${stretched.toString('base64url')}`)}`;
  }

  /** Returns ten codes and their hashes; runs outside of transactions, since it takes a while. */
  async function drawCodes(account: string): Promise<{ codes: string[]; hashes: string[] }> {
    const codes = drawRecoveryCodes();
    const salt = randomBytes(16).toString('base64url');
    return { codes, hashes: await Promise.all(codes.map((code) => codeHash(account, code, salt))) };
  }

  /** Returns the time step of an app's code; undefined if the code is wrong or was used. */
  async function stepOf(sql: Sql, account: string, code: string): Promise<number | undefined> {
    const known = await store.find(sql, account);
    const secret = known && keys.decrypt(PURPOSE, known.secret);
    return known && secret !== undefined ? stepOfCode(secret, code, clock.now(), known.lastStep) : undefined;
  }

  /** Marks the app's code as used; returns false if it is wrong or was used. */
  async function useCode(tx: Tx, account: string, code: string): Promise<boolean> {
    const step = await stepOf(tx, account, code);
    return step !== undefined && store.useStep(tx, account, step);
  }

  async function redeemCode(account: string, code: string): Promise<boolean> {
    const hash = await codeHash(account, code, await store.saltOfCodes(database, account));
    return database.transaction((tx) => store.useCode(tx, account, hash, clock.now()));
  }

  async function remove(tx: Tx, account: AccountRow): Promise<void> {
    if (!(await store.isOn(tx, account.id))) return;
    await store.remove(tx, account.id);
    await store.forgetDevices(tx, account.id);
    await notices.tell(tx, account, 'secondFactorOff');
  }

  return {
    isOn: (account) => store.isOn(database, account),

    async state(account) {
      const [factor, codesLeft, devices] = await Promise.all([
        store.find(database, account),
        store.codesLeft(database, account),
        store.devices(database, account, clock.now()),
      ]);
      return { since: factor?.confirmedAt, codesLeft, devices };
    },

    async begin({ account: id, password, address }) {
      const account = await checks.confirm(id, password, address);
      const secret = drawTotpSecret();
      await database.transaction(async (tx) => {
        await tx.lock(`account:${id}`);
        if (await store.isOn(tx, id)) throw new ApiFailure('already_exists');
        await store.propose(tx, id, keys.encrypt(PURPOSE, secret), clock.now());
      });
      return { secret, uri: totpUri(secret, ISSUER, account.email || account.phone) };
    },

    async confirm(id, code, address) {
      await guard.attempt(id, address);
      if (await store.isOn(database, id)) throw new ApiFailure('already_exists');
      if ((await stepOf(database, id, code)) === undefined) throw new ApiFailure('second_factor_wrong');
      const { codes, hashes } = await drawCodes(id);
      await database.transaction(async (tx) => {
        await tx.lock(`account:${id}`);
        if (await store.isOn(tx, id)) throw new ApiFailure('already_exists');
        if (!(await useCode(tx, id, code))) throw new ApiFailure('second_factor_wrong');
        await store.confirm(tx, id, clock.now());
        await notices.tell(tx, (await accounts.find(tx, id))!, 'secondFactorOn');
        await store.putCodes(tx, id, hashes);
      });
      await guard.succeed(id, address);
      return codes;
    },

    async renewCodes({ account: id, password, address }) {
      await checks.confirm(id, password, address);
      if (!(await store.isOn(database, id))) throw new ApiFailure('not_found');
      const { codes, hashes } = await drawCodes(id);
      await database.transaction(async (tx) => {
        await tx.lock(`account:${id}`);
        if (!(await store.isOn(tx, id))) throw new ApiFailure('not_found');
        await store.putCodes(tx, id, hashes);
      });
      return codes;
    },

    async end({ account: id, password, address }) {
      const account = await checks.confirm(id, password, address);
      await database.transaction(async (tx) => {
        await tx.lock(`account:${id}`);
        await remove(tx, account);
      });
    },

    lift: (account) => database.transaction((tx) => remove(tx, account)),

    async require(id, answer, address) {
      await guard.attempt(id, address);
      const isRight =
        'code' in answer
          ? await database.transaction((tx) => useCode(tx, id, answer.code))
          : await redeemCode(id, answer.recoveryCode);
      if (!isRight) throw new ApiFailure('code' in answer ? 'second_factor_wrong' : 'recovery_code_wrong');
      await guard.succeed(id, address);
    },

    trusts: async (account, secret) =>
      secret !== undefined &&
      secret !== '' &&
      store.isTrusted(database, account, digest(secret), clock.now()),

    async trust(tx, account, userAgent) {
      const secret = ids.secret() + ids.secret();
      const createdAt = clock.now();
      const expiresAt = createdAt + LIMITS.trustedDeviceSeconds * 1000;
      await store.trust(tx, { id: ids.next(), account, userAgent, createdAt, expiresAt }, digest(secret));
      return secret;
    },

    forgetDevices: (account) => database.transaction((tx) => store.forgetDevices(tx, account)),
    forgetOld: () => database.transaction((tx) => store.removeOver(tx, clock.now(), clock.now() - DAY_MS)),
  };
}
