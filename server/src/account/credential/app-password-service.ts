import { createHmac, randomBytes } from 'node:crypto';
import type { Member } from '../../foundation/http/index.ts';
import type { Clock } from '../../foundation/index.ts';
import { emailKey, requireUsable, type AccountRow } from '../account.ts';
import { passMember, type Passes } from './pass-service.ts';
import type { PasswordChecks } from './password-check.ts';

/** Who may come in where a program gives a name and a password with every request: WebDAV. */
export interface AppPasswords {
  /**
   * Whose the name (an e-mail address) and the secret are: an app password that is good for WebDAV, or the account's own
   * password where no second factor is asked for. Undefined where they are nobody's; refused where they are right and
   * the account may not be used, and with `account_locked_retry` while wrong ones from this network are held up. Quick at every request but the first, and over at once when what it says ends.
   */
  verify(name: string, secret: string, address: string): Promise<Member | undefined>;
}

const RIGHT_HELD_MS = 300_000;
const WRONG_HELD_MS = 900_000;
const HELD_MOST = 5000;

interface Parts {
  passes: Passes;
  checks: PasswordChecks;
  /** Whether an account asks for a second factor. */
  asksMore(account: string): Promise<boolean>;
  clock: Clock;
}

export function createAppPasswords({ passes, checks, asksMore, clock }: Parts): AppPasswords {
  const key = randomBytes(32);
  const held = new Map<string, { right: boolean; until: number }>();

  /** The hash of the password that counted is in it: what was said of another one is never said again. */
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
    // A program that repeats one wrong password guesses nothing: it is one attempt, and its owner is not held up for it.
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
      // Nobody guesses an app password, so a right one is let in whatever others try.
      const pass = await passes.match(account, secret, address);
      if (pass && !pass.scopes.includes('dav')) return undefined;
      if (pass) requireUsable(pass);
      if (pass) return passMember(pass);
      return byOwnPassword(account, name, secret, address);
    },
  };
}
