import { createHmac, randomBytes } from 'node:crypto';
import type { Member } from '../../foundation/http/index.ts';
import type { Clock } from '../../foundation/index.ts';
import { emailKey, requireUsable, type AccountRow } from '../account.ts';
import { passMember, type Passes } from './pass-service.ts';
import type { PasswordChecks } from './password-check.ts';

/** Verification for programs that send a name and a password with every request: WebDAV. */
export interface AppPasswords {
  /**
   * Returns the member with this name (an email address) and secret: an app password with the WebDAV scope, or
   * the account's own password if two-step verification is off. Undefined if they match no account; throws if
   * they match but the account may not be used, and `account_locked_retry` while this network is throttled for
   * wrong ones. Fast on every request except the first; a revoked credential fails at once.
   */
  verify(name: string, secret: string, address: string): Promise<Member | undefined>;
}

const RIGHT_HELD_MS = 300_000;
const WRONG_HELD_MS = 900_000;
const HELD_MOST = 5000;

interface Parts {
  passes: Passes;
  checks: PasswordChecks;
  /** Returns true if two-step verification is on for an account. */
  asksMore(account: string): Promise<boolean>;
  clock: Clock;
}

export function createAppPasswords({ passes, checks, asksMore, clock }: Parts): AppPasswords {
  const key = randomBytes(32);
  const held = new Map<string, { right: boolean; until: number }>();

  /** Includes the hash of the password that was compared: a result is never reused for another password. */
  const keyOf = (name: string, hash: string | undefined, secret: string): string =>
    createHmac('sha256', key)
      .update(JSON.stringify([emailKey(name), hash ?? '', secret]))
      .digest('base64url');

  function hold(at: string, right: boolean): void {
    if (held.size >= HELD_MOST) held.delete(held.keys().next().value!);
    held.delete(at);
    held.set(at, { right, until: clock.now() + (right ? RIGHT_HELD_MS : WRONG_HELD_MS) });
  }

  const ownMember = (account: AccountRow): Member => ({
    account: account.id,
    session: '',
    operator: account.role === 'operator',
    by: 'token',
    scopes: new Set(['dav']),
  });

  async function byOwnPassword(
    account: AccountRow | undefined,
    name: string,
    secret: string,
    address: string,
  ): Promise<Member | undefined> {
    const one = (await asksMore(account?.id ?? '')) ? undefined : account;
    const at = keyOf(name, one?.passwordHash, secret);
    const known = held.get(at);
    const isKnown = known !== undefined && known.until > clock.now();
    // A program that repeats one wrong password is not guessing: it counts as one attempt and does not lock
    // out the owner.
    const right = isKnown
      ? known.right
      : (await checks.compare(one, { name: account?.id ?? name, password: secret, address })).isRight;
    if (!isKnown) hold(at, right);
    if (!right || !one) return undefined;
    requireUsable(one);
    return ownMember(one);
  }

  return {
    async verify(name, secret, address) {
      const account = await checks.find(name);
      // App passwords can't be guessed, so a right one is accepted even while others are throttled.
      const pass = await passes.match(account, secret, address);
      if (pass && !pass.scopes.includes('dav')) return undefined;
      if (pass) requireUsable(pass);
      if (pass) return passMember(pass);
      return byOwnPassword(account, name, secret, address);
    },
  };
}
