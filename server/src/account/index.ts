import type { Database } from '../foundation/database/index.ts';
import type { Api } from '../foundation/http/index.ts';
import type { Clock, Config, Ids, Keys, Log } from '../foundation/index.ts';
import type { Jobs } from '../foundation/jobs/index.ts';
import type { Mailer } from '../foundation/mail/index.ts';
import type { GuardRules, Shield } from '../shield/index.ts';
import type { Settings } from '../site/index.ts';
import { createAccessTokens } from './access-token.ts';
import { mountAccounts } from './account-routes.ts';
import { createAccounts } from './account-service.ts';
import { createAccountStore } from './account-store.ts';
import { createArrivalStore } from './arrival-store.ts';
import { createArrivals } from './arrival-service.ts';
import { createAppPasswords } from './app-password-service.ts';
import { createPassStore } from './pass-store.ts';
import { createPasses } from './pass-service.ts';
import { createPasskeys } from './passkey-service.ts';
import { createPasskeyStore } from './passkey-store.ts';
import { createPasswordChecks } from './password-check.ts';
import { createNotices } from './notice-service.ts';
import { createPasswords } from './password-service.ts';
import { createProfiles } from './profile-service.ts';
import { createPasswordHashing } from './password-hashing.ts';
import { createSecondFactors } from './second-factor-service.ts';
import { createSecondFactorStore } from './second-factor-store.ts';
import { mountSecurity } from './security-routes.ts';
import { createSessions } from './session-service.ts';
import { createSignIns } from './sign-in-service.ts';
import { createSessionStore } from './session-store.ts';
import { createVerifications } from './verification-service.ts';
import { createVerificationStore } from './verification-store.ts';

export type { AppPasswords } from './app-password-service.ts';
export type { Accounts, NewAccount } from './account-service.ts';
export { profileView } from './account-view.ts';
export { maskedEmail, maskedName, type AccountRow } from './account.ts';
export type { Passwords } from './password-service.ts';
export type { SecondFactors } from './second-factor-service.ts';
export type { Sessions } from './session-service.ts';

const HOUR_MS = 3600 * 1000;

const SIGN_IN: GuardRules = {
  error: 'account_locked_retry',
  pair: { free: 5, firstWaitSeconds: 2, longestWaitSeconds: 900, forgetSeconds: 6 * 3600 },
  network: { free: 50, firstWaitSeconds: 2, longestWaitSeconds: 300, forgetSeconds: 3600 },
  target: { free: 50, firstWaitSeconds: 2, longestWaitSeconds: 60, forgetSeconds: 3600 },
};
/** Who is counted here knows the password, so nobody else can hold the owner up; and many networks gain nothing. */
const SECOND_FACTOR: GuardRules = {
  error: 'account_locked_retry',
  network: { free: 30, firstWaitSeconds: 10, longestWaitSeconds: 600, forgetSeconds: 6 * 3600 },
  target: { free: 8, firstWaitSeconds: 10, longestWaitSeconds: 300, forgetSeconds: 24 * 3600 },
};
const PASSKEY: GuardRules = {
  error: 'too_frequent',
  network: { free: 100, firstWaitSeconds: 5, longestWaitSeconds: 300, forgetSeconds: 3600 },
};
const SIGN_UP: GuardRules = {
  error: 'too_frequent',
  network: { free: 60, firstWaitSeconds: 10, longestWaitSeconds: 600, forgetSeconds: 3600 },
};
const MAIL: GuardRules = {
  error: 'verification_too_frequent',
  network: { free: 20, firstWaitSeconds: 30, longestWaitSeconds: 900, forgetSeconds: 3600 },
  target: { free: 0, firstWaitSeconds: 60, longestWaitSeconds: 3600, forgetSeconds: 3600 },
};

interface Parts {
  database: Database;
  clock: Clock;
  ids: Ids;
  keys: Keys;
  config: Config;
  log: Log;
  mailer: Mailer;
  jobs: Jobs;
  shield: Shield;
  settings: Settings;
}

/** Who members are, and their sessions. */
export function createAccount(parts: Parts) {
  const { database, clock, ids, keys, config, log, mailer, jobs, shield, settings } = parts;
  const store = createAccountStore();
  const sessionStore = createSessionStore();
  const secondFactorStore = createSecondFactorStore();
  const hashing = createPasswordHashing();
  const checks = createPasswordChecks({
    database,
    accounts: store,
    hashing,
    guard: shield.guard('sign-in', SIGN_IN),
  });
  const passStore = createPassStore();
  const passes = createPasses({
    database,
    store: passStore,
    sessions: sessionStore,
    checks,
    clock,
    ids,
  });
  const appPasswords = createAppPasswords({
    passes,
    checks,
    asksMore: (id) => secondFactorStore.isOn(database, id),
    clock,
  });
  const notices = createNotices({ jobs, mailer });
  const arrivals = createArrivals({ database, store: createArrivalStore(), notices, clock, ids, log });
  const sessions = createSessions({
    database,
    accounts: store,
    store: sessionStore,
    passes,
    arrivals,
    tokens: createAccessTokens({ keys, clock }),
    keys,
    clock,
    ids,
  });
  const secondFactors = createSecondFactors({
    database,
    accounts: store,
    store: secondFactorStore,
    checks,
    notices,
    guard: shield.guard('second-factor', SECOND_FACTOR),
    keys,
    clock,
    ids,
  });
  const signIns = createSignIns({
    database,
    accounts: store,
    sessions,
    checks,
    passes,
    secondFactors,
    arrivals,
    keys,
    clock,
  });
  const passkeys = createPasskeys({
    database,
    accounts: store,
    store: createPasskeyStore(),
    sessions,
    checks,
    arrivals,
    notices,
    guard: shield.guard('passkey', PASSKEY),
    clock,
    ids,
  });
  const verifications = createVerifications({
    database,
    store: createVerificationStore(),
    mailer,
    guard: shield.guard('verification-mail', MAIL),
    keys,
    clock,
    ids,
    log,
  });
  const provesAddresses = mailer.delivers;
  const accounts = createAccounts({
    database,
    store,
    sessions,
    verifications,
    hashing,
    settings,
    guard: shield.guard('sign-up', SIGN_UP),
    config,
    keys,
    clock,
    ids,
    provesAddresses,
  });
  const passwords = createPasswords({
    database,
    accounts: store,
    sessions: sessionStore,
    passes: passStore,
    secondFactors: secondFactorStore,
    verifications,
    checks,
    hashing,
    notices,
    clock,
  });
  const profiles = createProfiles({
    database,
    accounts: store,
    verifications,
    checks,
    notices,
    provesAddresses,
  });
  const rules = { open: config.SIGN_UP, provesAddresses, freeStorage: config.MEMBER_STORAGE };
  return {
    accounts,
    sessions,
    passwords,
    secondFactors,
    appPasswords,
    mount(api: Api) {
      mountAccounts(api, {
        database,
        accounts,
        sessions,
        signIns,
        passkeys,
        verifications,
        passwords,
        profiles,
        rules,
      });
      mountSecurity(api, {
        database,
        sessions,
        arrivals,
        secondFactors,
        passkeys,
        passes,
        passwords,
        profiles,
        verifications,
        provesAddresses,
      });
    },
    define() {
      notices.define();
      jobs.define('forget-sessions', () => sessions.forgetOld(), { everyMs: HOUR_MS });
      jobs.define('forget-arrivals', () => arrivals.forgetOld(), { everyMs: HOUR_MS });
      jobs.define('forget-second-factors', () => secondFactors.forgetOld(), { everyMs: HOUR_MS });
      jobs.define('forget-challenges', () => passkeys.forgetOld(), { everyMs: HOUR_MS });
      jobs.define('forget-passes', () => passes.forgetOld(), { everyMs: HOUR_MS });
      jobs.define('forget-verifications', () => verifications.forgetOld(), { everyMs: HOUR_MS });
    },
  };
}
