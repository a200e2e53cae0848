import type { Foundation, Mount } from '../../foundation/domain/index.ts';
import type { Jobs } from '../../foundation/jobs/index.ts';
import type { Shield } from '../../shield/index.ts';
import { PASSKEY } from '../account-limits.ts';
import type { AccountStore } from '../account-store.ts';
import type { Credentials } from '../credential/index.ts';
import type { Notices } from '../notice/index.ts';
import type { Verification } from '../verification/index.ts';
import { createAccessTokens } from './access-token.ts';
import { createAdmission } from './admission.ts';
import { createPasskeys } from './passkey-service.ts';
import { createPasskeyStore } from './passkey-store.ts';
import { createPasswords } from './password-service.ts';
import { mountSecurity } from './security-routes.ts';
import { createSessions } from './session-service.ts';
import type { SessionStore } from './session-store.ts';
import { createSessionTransports } from './session-transport.ts';
import { createSignInHistory } from './sign-in-history-service.ts';
import { createSignInHistoryStore } from './sign-in-history-store.ts';
import { mountSignIns } from './sign-in-routes.ts';
import { createSignIns } from './sign-in-service.ts';
import { createSigningKeys } from './signing-key-service.ts';
import { createSigningKeyStore } from './signing-key-store.ts';

export { deviceName } from './device-name.ts';
export type { Admission } from './admission.ts';
export type { Passkeys } from './passkey-service.ts';
export type { Passwords } from './password-service.ts';
export type { AppBounds, Sessions } from './session-service.ts';
export {
  SESSION_COOKIE,
  type Grant,
  type OpenedSession,
  type SessionMaker,
  type SessionTransport,
} from './session.ts';
export { createSessionStore, type SessionStore } from './session-store.ts';
export type { SessionTransports } from './session-transport.ts';
export type { SignInHistory } from './sign-in-history-service.ts';
export { TRUST_COOKIE, type SignInContext, type SignIns } from './sign-in-service.ts';
export { grantView, passkeyView, sessionView, signInView } from './sign-in-view.ts';
export { SIGNING_ALGORITHM, type SigningKeys } from './signing-key-service.ts';

const HOUR_MS = 3600 * 1000;

interface Parts extends Foundation {
  shield: Shield;
  accounts: AccountStore;
  sessionStore: SessionStore;
  verification: Verification;
  credentials: Credentials;
  notices: Notices;
  /** True if a sign-up must prove its address. */
  provesAddresses: boolean;
}

/** Sessions, and all ways to open one. */
export function createSignIn(parts: Parts) {
  const { database, clock, ids, keys, config, log, shield, accounts, sessionStore, notices } = parts;
  const { provesAddresses } = parts;
  const { recipients, verifications } = parts.verification;
  const { browsers, checks, guard, hashing, passes, passStore, secondFactors, secondFactorStore } =
    parts.credentials;
  const historyStore = createSignInHistoryStore();
  const passkeyStore = createPasskeyStore();
  const signing = createSigningKeys({ database, store: createSigningKeyStore(), keys, clock });
  const signInHistory = createSignInHistory({
    database,
    store: historyStore,
    notices,
    clock,
    ids,
    log,
  });
  const sessions = createSessions({
    database,
    accounts,
    store: sessionStore,
    passes,
    signInHistory,
    tokens: createAccessTokens({ keys, signing, clock, site: config.SITE_URL }),
    keys,
    clock,
    ids,
  });
  const admission = createAdmission({ keys, clock });
  const signIns = createSignIns({
    database,
    accounts,
    sessions,
    checks,
    guard,
    verifications,
    passes,
    secondFactors,
    signInHistory,
    admission,
    keys,
    clock,
    recovers(name) {
      const key = recipients.keyOf(name) ?? '';
      return key.includes('@') ? provesAddresses : key !== '' && recipients.offersPhones;
    },
  });
  const passkeys = createPasskeys({
    database,
    accounts,
    store: passkeyStore,
    sessions,
    checks,
    signInHistory,
    admission,
    notices,
    guard: shield.guard('passkey', PASSKEY),
    clock,
    ids,
  });
  const passwords = createPasswords({
    database,
    accounts,
    sessions: sessionStore,
    passes: passStore,
    secondFactors: secondFactorStore,
    verifications,
    checks,
    hashing,
    notices,
    clock,
  });
  const transports = createSessionTransports(sessions, browsers);
  return {
    sessions,
    signing,
    signInHistory,
    admission,
    signIns,
    passkeys,
    passwords,
    transports,
    /** Deletes the account's passkeys, sign-in history and sessions. Returns the number of rows removed. */
    async eraseAccount(account: string, signal: AbortSignal): Promise<number> {
      let removed = 0;
      for (const store of [passkeyStore, historyStore, sessionStore])
        removed += await store.eraseAccount(database, account, signal);
      return removed;
    },
    mount({ api }: Mount) {
      mountSignIns(api, {
        transports,
        browsers,
        signIns,
        passkeys,
        verifications,
        passwords,
        checks,
        recipients,
        rules: { signUp: config.SIGN_UP, provesAddresses },
      });
      mountSecurity(api, { database, sessions, signInHistory, passkeys, passwords });
    },
    define(jobs: Jobs) {
      jobs.define('forget-signing-keys', () => signing.forgetOld(), { everyMs: 24 * HOUR_MS });
      jobs.define('forget-sessions', () => sessions.forgetOld(), { everyMs: HOUR_MS });
      jobs.define('forget-arrivals', () => signInHistory.forgetOld(), { everyMs: HOUR_MS });
      jobs.define('forget-challenges', () => passkeys.forgetOld(), { everyMs: HOUR_MS });
    },
  };
}

export type SignIn = ReturnType<typeof createSignIn>;
