import type { FastifyInstance } from 'fastify';
import type { Database, Sql } from '../foundation/database/index.ts';
import type { Api } from '../foundation/http/index.ts';
import type { Clock, Config, Ids, Keys, Log } from '../foundation/index.ts';
import type { Jobs } from '../foundation/jobs/index.ts';
import type { Mailer } from '../foundation/mail/index.ts';
import type { SmsSender } from '../foundation/sms/index.ts';
import type { GuardRules, Shield } from '../shield/index.ts';
import type { Settings } from '../site/index.ts';
import { createAccessTokens } from './access-token.ts';
import { mountAccounts, type ProvidersOf } from './account-routes.ts';
import { createAccounts } from './account-service.ts';
import { createAccountStore } from './account-store.ts';
import { createArrivalStore } from './arrival-store.ts';
import { createArrivals } from './arrival-service.ts';
import { createAppPasswords } from './app-password-service.ts';
import { mountPictures } from './picture-routes.ts';
import { createMemberPictures, type PictureShelf } from './picture-service.ts';
import { createPassStore } from './pass-store.ts';
import { createPasses } from './pass-service.ts';
import { createPasskeys } from './passkey-service.ts';
import { createPasskeyStore } from './passkey-store.ts';
import { createPasswordChecks } from './password-check.ts';
import { mountClosings } from './closing-routes.ts';
import { createClosings } from './closing-service.ts';
import { createDeliveries } from './delivery.ts';
import { createErasing, ERASE } from './erasing-service.ts';
import { leavesAccount } from './leaving.ts';
import { createDestinations } from './destination.ts';
import { createKnownBrowsers } from './known-browser.ts';
import { createNotices } from './notice-service.ts';
import { createPasswords } from './password-service.ts';
import { mountPreferences } from './preference-routes.ts';
import { createPreferences } from './preference-service.ts';
import { createPreferenceStore } from './preference-store.ts';
import { createProfiles } from './profile-service.ts';
import { createPasswordHashing } from './password-hashing.ts';
import { createSigningKeys } from './signing-key-service.ts';
import { createSigningKeyStore } from './signing-key-store.ts';
import { createSecondFactors } from './second-factor-service.ts';
import { createSecondFactorStore } from './second-factor-store.ts';
import { mountSecurity } from './security-routes.ts';
import { createSessions } from './session-service.ts';
import { createSignInGuard } from './sign-in-guard.ts';
import { createSignIns } from './sign-in-service.ts';
import { createSessionStore } from './session-store.ts';
import { createTexting } from './texting-service.ts';
import { mountUnsubscribe } from './unsubscribe-routes.ts';
import { createUnsubscribes } from './unsubscribe-service.ts';
import { createVerifications } from './verification-service.ts';
import { createVerificationStore } from './verification-store.ts';

export type { AppPasswords } from './app-password-service.ts';
export type { Closings } from './closing-service.ts';
export type { Deliveries } from './delivery.ts';
export type { Erasing, Leave } from './erasing-service.ts';
export { TRUST_COOKIE, type Comer, type SignIns } from './sign-in-service.ts';
export type { Accounts, NewAccount } from './account-service.ts';
export { grantView, passkeyView, passView, profileView, sessionView, signInView } from './account-view.ts';
export type { Arrivals } from './arrival-service.ts';
export type { Passkeys } from './passkey-service.ts';
export type { PictureShelf } from './picture-service.ts';
export type { Preferences } from './preference-service.ts';
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
export type { Passes } from './pass-service.ts';
export type { Owner, PasswordChecks } from './password-check.ts';
export type { Passwords } from './password-service.ts';
export type { SecondFactors } from './second-factor-service.ts';
export type { AppBounds, Delivery, Grant, OpenedSession, SessionMaker, Sessions } from './session-service.ts';
export { SIGNING_ALGORITHM, type SigningKeys } from './signing-key-service.ts';

const HOUR_MS = 3600 * 1000;
const CLOSINGS_MS = 600_000;

const SIGN_IN: GuardRules = {
  error: 'account_locked_retry',
  pair: { free: 5, firstWaitSeconds: 2, longestWaitSeconds: 900, forgetSeconds: 6 * 3600 },
  network: { free: 50, firstWaitSeconds: 2, longestWaitSeconds: 300, forgetSeconds: 3600 },
  target: { free: 50, firstWaitSeconds: 2, longestWaitSeconds: 60, forgetSeconds: 3600 },
};
/** At a browser where the account was in before: nobody else is counted here, unless the cookie was stolen. */
const KNOWN_BROWSER: GuardRules = {
  error: 'account_locked_retry',
  target: { free: 5, firstWaitSeconds: 2, longestWaitSeconds: 900, forgetSeconds: 6 * 3600 },
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
/** Decoding costs time that others wait for. */
const PICTURE: GuardRules = {
  error: 'too_frequent',
  target: { free: 20, firstWaitSeconds: 30, longestWaitSeconds: 3600, forgetSeconds: 3600 },
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
const MAIL_FROM_KNOWN: GuardRules = { error: MAIL.error, target: MAIL.target! };
/** A text message costs more than a mail. */
const SMS: GuardRules = {
  error: 'verification_too_frequent',
  network: { free: 6, firstWaitSeconds: 120, longestWaitSeconds: 3600, forgetSeconds: 6 * 3600 },
  target: { free: 0, firstWaitSeconds: 60, longestWaitSeconds: 6 * 3600, forgetSeconds: 6 * 3600 },
};
const SMS_FROM_KNOWN: GuardRules = { error: SMS.error, target: SMS.target! };
/** What is counted is one country on one day, so that no wait needs an end. */
const countryRules = (daily: number): GuardRules => ({
  error: 'verification_too_frequent',
  target: {
    free: Math.max(0, daily - 1),
    firstWaitSeconds: 24 * 3600,
    longestWaitSeconds: 24 * 3600,
    forgetSeconds: 24 * 3600,
  },
});

interface Parts {
  database: Database;
  clock: Clock;
  ids: Ids;
  keys: Keys;
  config: Config;
  log: Log;
  mailer: Mailer;
  /** Undefined where no text messages are sent. */
  sms: SmsSender | undefined;
  /** Undefined where nothing here decodes pictures. */
  pictureShelf: PictureShelf | undefined;
  jobs: Jobs;
  shield: Shield;
  settings: Settings;
}

/** Returns true if there is any account; a new database has none. */
export const hasAccounts = (sql: Sql): Promise<boolean> => createAccountStore().hasAny(sql);

/** Who members are, and their sessions. */
export function createAccount(parts: Parts) {
  const { database, clock, ids, keys, config, log, mailer, sms, jobs, shield, settings } = parts;
  const store = createAccountStore();
  const sessionStore = createSessionStore();
  const secondFactorStore = createSecondFactorStore();
  const hashing = createPasswordHashing();
  const destinations = createDestinations({ offered: sms !== undefined, countries: config.SMS_COUNTRIES });
  const browsers = createKnownBrowsers({ keys, clock, ids });
  const guard = createSignInGuard({
    strangers: shield.guard('sign-in', SIGN_IN),
    browsers: shield.guard('sign-in-known', KNOWN_BROWSER),
    known: browsers,
    destinations,
  });
  const checks = createPasswordChecks({
    database,
    accounts: store,
    destinations,
    hashing,
    guard,
    owners: shield.guard('owner', SIGN_IN),
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
  const unsubscribes = createUnsubscribes({ database, accounts: store, keys });
  const notices = createNotices({ jobs, mailer, unsubscribes, siteUrl: config.SITE_URL });
  const signing = createSigningKeys({ database, store: createSigningKeyStore(), keys, clock });
  const arrivals = createArrivals({ database, store: createArrivalStore(), notices, clock, ids, log });
  const sessions = createSessions({
    database,
    accounts: store,
    store: sessionStore,
    passes,
    arrivals,
    tokens: createAccessTokens({ keys, signing, clock, site: config.SITE_URL }),
    keys,
    clock,
    ids,
  });
  const secondFactors = createSecondFactors({
    database,
    accounts: store,
    store: secondFactorStore,
    checks,
    hashing,
    notices,
    guard: shield.guard('second-factor', SECOND_FACTOR),
    keys,
    clock,
    ids,
  });
  const closings = createClosings({
    database,
    accounts: store,
    sessions,
    passes: passStore,
    secondFactors: secondFactorStore,
    checks,
    notices,
    keys,
    clock,
    days: config.CLOSING_DAYS,
  });
  const verificationStore = createVerificationStore();
  const verifications = createVerifications({
    database,
    store: verificationStore,
    mailer,
    texting: createTexting({
      sender: sms,
      numbers: shield.guard('verification-sms', SMS),
      browsers: shield.guard('verification-sms-known', SMS_FROM_KNOWN),
      countries: shield.guard('verification-sms-country', countryRules(config.SMS_DAILY)),
      site: config.SITE_URL,
      clock,
      log,
    }),
    guard: shield.guard('verification-mail', MAIL),
    browsers: shield.guard('verification-mail-known', MAIL_FROM_KNOWN),
    keys,
    clock,
    ids,
    log,
  });
  const provesAddresses = mailer.delivers;
  const signIns = createSignIns({
    database,
    accounts: store,
    sessions,
    checks,
    guard,
    verifications,
    passes,
    secondFactors,
    arrivals,
    closings,
    keys,
    clock,
    recovers(name) {
      const key = destinations.keyOf(name) ?? '';
      return key.includes('@') ? provesAddresses : key !== '' && destinations.offersPhones;
    },
  });
  const passkeys = createPasskeys({
    database,
    accounts: store,
    store: createPasskeyStore(),
    sessions,
    checks,
    arrivals,
    closings,
    notices,
    guard: shield.guard('passkey', PASSKEY),
    clock,
    ids,
  });
  const accounts = createAccounts({
    database,
    store,
    destinations,
    sessions,
    verifications,
    hashing,
    settings,
    notices,
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
  const pictures = createMemberPictures({
    database,
    accounts: store,
    shelf: parts.pictureShelf,
    guard: shield.guard('picture', PICTURE),
  });
  const deliveries = createDeliveries(sessions, browsers);
  const erasing = createErasing({ database, accounts: store, verifications: verificationStore, jobs, clock });
  const preferences = createPreferences({ database, store: createPreferenceStore() });
  let providersOf: ProvidersOf = async () => [];
  const rules = { signUp: config.SIGN_UP, provesAddresses, freeStorage: config.MEMBER_STORAGE };
  return {
    accounts,
    sessions,
    signing,
    signIns,
    deliveries,
    provesAddresses,
    offersPhones: destinations.offersPhones,
    passwords,
    secondFactors,
    passes,
    appPasswords,
    arrivals,
    passkeys,
    preferences,
    checks,
    closings,
    erasing,
    leave: leavesAccount(database, sessionStore),
    /** Says where a member signs in besides. */
    onProviders(find: ProvidersOf): void {
      providersOf = find;
    },
    mount(api: Api, app: FastifyInstance) {
      mountPictures(app, pictures);
      mountAccounts(api, {
        database,
        accounts,
        deliveries,
        browsers,
        signIns,
        passkeys,
        verifications,
        passwords,
        profiles,
        destinations,
        pictures,
        providersOf: (id) => providersOf(id),
        rules,
      });
      mountClosings(api, { closings, deliveries });
      mountPreferences(api, preferences);
      mountUnsubscribe(api, unsubscribes);
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
        destinations,
        provesAddresses,
      });
    },
    define() {
      notices.define();
      jobs.define(
        'close-accounts',
        async () => {
          await closings.remind();
          await erasing.askDue();
        },
        { everyMs: CLOSINGS_MS },
      );
      jobs.define<{ account: string }>(ERASE, ({ account }, { signal }) => erasing.erase(account, signal));
      jobs.define('forget-signing-keys', () => signing.forgetOld(), { everyMs: 24 * HOUR_MS });
      jobs.define('sweep-pictures', () => pictures.sweep(), { everyMs: 24 * HOUR_MS });
      jobs.define('forget-sessions', () => sessions.forgetOld(), { everyMs: HOUR_MS });
      jobs.define('forget-arrivals', () => arrivals.forgetOld(), { everyMs: HOUR_MS });
      jobs.define('forget-second-factors', () => secondFactors.forgetOld(), { everyMs: HOUR_MS });
      jobs.define('forget-challenges', () => passkeys.forgetOld(), { everyMs: HOUR_MS });
      jobs.define('forget-passes', () => passes.forgetOld(), { everyMs: HOUR_MS });
      jobs.define('forget-verifications', () => verifications.forgetOld(), { everyMs: HOUR_MS });
    },
  };
}
