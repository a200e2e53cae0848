import type { Foundation, Mount } from '../../foundation/domain/index.ts';
import type { Jobs } from '../../foundation/jobs/index.ts';
import type { Shield } from '../../shield/index.ts';
import type { Settings } from '../../site/index.ts';
import { PICTURE, SIGN_UP } from '../account-limits.ts';
import type { AccountStore } from '../account-store.ts';
import type { Credentials } from '../credential/index.ts';
import type { Notices } from '../notice/index.ts';
import type { SignIn } from '../sign-in/index.ts';
import type { Verification } from '../verification/index.ts';
import { mountAccounts, type ProvidersOf } from './account-routes.ts';
import { createAccounts } from './account-service.ts';
import { mountClosings } from './closing-routes.ts';
import { createClosings } from './closing-service.ts';
import { mountContactAddresses } from './contact-address-routes.ts';
import { createErasing, ERASE } from './erasing-service.ts';
import { mountPictures } from './picture-routes.ts';
import { createMemberPictures, type AvatarStore } from './picture-service.ts';
import { mountPreferences } from './preference-routes.ts';
import { createPreferences } from './preference-service.ts';
import { createPreferenceStore } from './preference-store.ts';
import { createProfiles } from './profile-service.ts';

export type { NewAccount } from './account-creation-service.ts';
export type { Accounts } from './account-service.ts';
export { profileView } from './account-view.ts';
export type { Closings } from './closing-service.ts';
export type { Erasing } from './erasing-service.ts';
export type { AvatarStore } from './picture-service.ts';
export type { Preferences } from './preference-service.ts';

const HOUR_MS = 3600 * 1000;
const CLOSINGS_MS = 600_000;

interface Parts extends Foundation {
  /** Undefined if this installation cannot decode pictures. */
  avatarStore: AvatarStore | undefined;
  shield: Shield;
  settings: Settings;
  accounts: AccountStore;
  verification: Verification;
  credentials: Credentials;
  signIn: SignIn;
  notices: Notices;
  /** True if a sign-up must prove its address. */
  provesAddresses: boolean;
}

/** Members from their sign-up to the erasure of their accounts: profiles, pictures, preferences, closing. */
export function createIdentity(parts: Parts) {
  const { database, clock, ids, keys, config, jobs, shield, settings, notices, provesAddresses } = parts;
  const store = parts.accounts;
  const { recipients, verifications, store: verificationStore } = parts.verification;
  const { checks, hashing, passStore, secondFactorStore } = parts.credentials;
  const { admission, sessions, transports } = parts.signIn;
  const closings = createClosings({
    database,
    accounts: store,
    sessions,
    passes: passStore,
    secondFactors: secondFactorStore,
    checks,
    notices,
    admission,
    clock,
    days: config.CLOSING_DAYS,
  });
  const accounts = createAccounts({
    database,
    store,
    recipients,
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
    avatars: parts.avatarStore,
    guard: shield.guard('picture', PICTURE),
  });
  const erasing = createErasing({ database, accounts: store, verifications: verificationStore, jobs, clock });
  const preferenceStore = createPreferenceStore();
  const preferences = createPreferences({ database, store: preferenceStore });
  let providersOf: ProvidersOf = async () => [];
  return {
    accounts,
    closings,
    erasing,
    preferences,
    /** Deletes the account's preferences. Returns the number of rows removed. */
    eraseAccount: (account: string, signal: AbortSignal): Promise<number> =>
      preferenceStore.eraseAccount(database, account, signal),
    /** Hook that lists the external providers with which a member signs in. */
    onProviders(find: ProvidersOf): void {
      providersOf = find;
    },
    mount({ api, http }: Mount) {
      mountPictures(http, pictures);
      mountAccounts(api, {
        database,
        accounts,
        transports,
        profiles,
        recipients,
        pictures,
        providersOf: (id) => providersOf(id),
        rules: { signUp: config.SIGN_UP, provesAddresses, freeStorage: config.MEMBER_STORAGE },
      });
      mountContactAddresses(api, { profiles, verifications, recipients, provesAddresses });
      mountClosings(api, { closings, transports });
      mountPreferences(api, preferences);
    },
    define(jobs: Jobs) {
      jobs.define(
        'close-accounts',
        async () => {
          await closings.remind();
          await erasing.askDue();
        },
        { everyMs: CLOSINGS_MS },
      );
      jobs.define<{ account: string }>(ERASE, ({ account }, { signal }) => erasing.erase(account, signal));
      jobs.define('sweep-pictures', () => pictures.sweep(), { everyMs: 24 * HOUR_MS });
    },
  };
}
