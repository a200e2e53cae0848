import type { Sql } from '../foundation/database/index.ts';
import type { Foundation, Mount } from '../foundation/domain/index.ts';
import type { Jobs } from '../foundation/jobs/index.ts';
import type { Mailer } from '../foundation/mail/index.ts';
import type { SmsSender } from '../foundation/sms/index.ts';
import type { Shield } from '../shield/index.ts';
import type { Settings } from '../site/index.ts';
import { createAccountStore } from './account-store.ts';
import { createCredentials, type PasswordHashing } from './credential/index.ts';
import { createIdentity, type AvatarStore } from './identity/index.ts';
import { createNotice } from './notice/index.ts';
import { createSessionStore, createSignIn } from './sign-in/index.ts';
import { createVerification } from './verification/index.ts';

export {
  emailKey,
  isEmail,
  isUsable,
  maskedEmail,
  maskedName,
  oneLine,
  refusalOf,
  requireUsable,
  type AccountRow,
  type Status,
} from './account.ts';
export {
  createPasswordHashing,
  passView,
  type AppPasswords,
  type Owner,
  type PasswordHashing,
  type Passes,
  type PasswordChecks,
  type SecondFactors,
} from './credential/index.ts';
export type { Notices } from './notice/index.ts';
export { readPhone } from './verification/index.ts';
export {
  profileView,
  type Accounts,
  type AvatarStore,
  type Closings,
  type Erasing,
  type NewAccount,
  type Preferences,
} from './identity/index.ts';
export {
  deviceName,
  grantView,
  passkeyView,
  sessionView,
  SIGNING_ALGORITHM,
  signInView,
  TRUST_COOKIE,
  type AppBounds,
  type SignInContext,
  type Grant,
  type OpenedSession,
  type Passkeys,
  type Passwords,
  type SessionMaker,
  type Sessions,
  type SessionTransport,
  type SessionTransports,
  type SignInHistory,
  type SigningKeys,
  type SignIns,
} from './sign-in/index.ts';

interface Parts extends Foundation {
  hashing: PasswordHashing;
  mailer: Mailer;
  /** Undefined if no text messages are sent. */
  sms: SmsSender | undefined;
  /** Undefined if this installation cannot decode pictures. */
  avatarStore: AvatarStore | undefined;
  shield: Shield;
  settings: Settings;
}

/** Returns true if there is any account; a new database has none. */
export const hasAccounts = (sql: Sql): Promise<boolean> => createAccountStore().hasAny(sql);

/** Accounts, sessions and all ways to sign in. */
export function createAccount(parts: Parts) {
  const accountStore = createAccountStore();
  const sessionStore = createSessionStore();
  const provesAddresses = parts.mailer.delivers;
  const notice = createNotice({ ...parts, accounts: accountStore });
  const { notices } = notice;
  const verification = createVerification(parts);
  const { recipients } = verification;
  const credentials = createCredentials({
    ...parts,
    accounts: accountStore,
    recipients,
    notices,
    sessions: sessionStore,
  });
  const shared = { ...parts, accounts: accountStore, verification, credentials, notices, provesAddresses };
  const signIn = createSignIn({ ...shared, sessionStore });
  const identity = createIdentity({ ...shared, signIn });
  const { checks, passes, appPasswords, secondFactors } = credentials;
  const { sessions, signing, signIns, signInHistory, passkeys, passwords, transports } = signIn;
  const { accounts, closings, erasing, preferences, onProviders } = identity;
  return {
    accounts,
    sessions,
    signing,
    signIns,
    transports,
    provesAddresses,
    offersPhones: recipients.offersPhones,
    passwords,
    secondFactors,
    passes,
    appPasswords,
    signInHistory,
    passkeys,
    preferences,
    notices,
    checks,
    closings,
    erasing,
    onProviders,
    /** Deletes all data of the account except its row. Returns the number of rows removed. */
    async eraseAccount(account: string, signal: AbortSignal): Promise<number> {
      let removed = 0;
      for (const part of [credentials, identity, signIn]) removed += await part.eraseAccount(account, signal);
      return removed;
    },
    mount(server: Mount) {
      for (const part of [identity, credentials, signIn, notice]) part.mount(server);
    },
    define(jobs: Jobs) {
      for (const part of [notice, verification, credentials, signIn, identity]) part.define(jobs);
    },
  };
}
