import type { Foundation, Mount } from '../../foundation/domain/index.ts';
import type { Jobs } from '../../foundation/jobs/index.ts';
import type { Shield } from '../../shield/index.ts';
import { KNOWN_BROWSER, SECOND_FACTOR, SIGN_IN } from '../account-limits.ts';
import type { AccountStore } from '../account-store.ts';
import type { Notices } from '../notice/index.ts';
import type { Recipients } from '../verification/index.ts';
import { createAppPasswords } from './app-password-service.ts';
import { mountCredentials } from './credential-routes.ts';
import { createKnownBrowsers } from './known-browser.ts';
import { createPasses, type PassSessions } from './pass-service.ts';
import { createPassStore } from './pass-store.ts';
import { createPasswordChecks } from './password-check.ts';
import type { PasswordHashing } from './password-hashing.ts';
import { createSecondFactors } from './second-factor-service.ts';
import { createSecondFactorStore } from './second-factor-store.ts';
import { createSignInGuard } from './sign-in-guard.ts';

export type { AppPasswords } from './app-password-service.ts';
export { passView } from './credential-view.ts';
export { KNOWN_BROWSER_COOKIE, KNOWN_BROWSER_SECONDS, type KnownBrowsers } from './known-browser.ts';
export { isAccessToken, type Passes } from './pass-service.ts';
export type { PassStore } from './pass-store.ts';
export type { LivePass } from './pass.ts';
export { ownerOf, type Owner, type PasswordChecks } from './password-check.ts';
export { createPasswordHashing, type PasswordHashing } from './password-hashing.ts';
export type { Answer, SecondFactors } from './second-factor-service.ts';
export type { SecondFactorStore } from './second-factor-store.ts';
export type { SignInGuard } from './sign-in-guard.ts';

const HOUR_MS = 3600 * 1000;

interface Parts extends Foundation {
  hashing: PasswordHashing;
  shield: Shield;
  accounts: AccountStore;
  recipients: Recipients;
  notices: Notices;
  sessions: PassSessions;
}

/** Credentials of people and programs: passwords, second factors, passes. */
export function createCredentials(parts: Parts) {
  const { database, clock, ids, keys, hashing, shield, accounts, recipients, notices, sessions } = parts;
  const passStore = createPassStore();
  const secondFactorStore = createSecondFactorStore();
  const browsers = createKnownBrowsers({ keys, clock, ids });
  const guard = createSignInGuard({
    strangers: shield.guard('sign-in', SIGN_IN),
    browsers: shield.guard('sign-in-known', KNOWN_BROWSER),
    known: browsers,
    recipients,
  });
  const checks = createPasswordChecks({
    database,
    accounts,
    recipients,
    hashing,
    guard,
    owners: shield.guard('owner', SIGN_IN),
  });
  const passes = createPasses({ database, store: passStore, sessions, checks, clock, ids });
  const appPasswords = createAppPasswords({
    passes,
    checks,
    asksMore: (id) => secondFactorStore.isOn(database, id),
    clock,
  });
  const secondFactors = createSecondFactors({
    database,
    accounts,
    store: secondFactorStore,
    checks,
    hashing,
    notices,
    guard: shield.guard('second-factor', SECOND_FACTOR),
    keys,
    clock,
    ids,
  });
  return {
    hashing,
    browsers,
    guard,
    checks,
    passes,
    passStore,
    appPasswords,
    secondFactors,
    secondFactorStore,
    /** Deletes the account's passes and second factor. Returns the number of rows removed. */
    async eraseAccount(account: string, signal: AbortSignal): Promise<number> {
      let removed = 0;
      for (const store of [passStore, secondFactorStore])
        removed += await store.eraseAccount(database, account, signal);
      return removed;
    },
    mount: ({ api }: Mount) => mountCredentials(api, { secondFactors, passes }),
    define(jobs: Jobs) {
      jobs.define('forget-second-factors', () => secondFactors.forgetOld(), { everyMs: HOUR_MS });
      jobs.define('forget-passes', () => passes.forgetOld(), { everyMs: HOUR_MS });
    },
  };
}

export type Credentials = ReturnType<typeof createCredentials>;
