import { accountApi, ApiFailure, LIMITS, matchLocale, type Profile } from '@bowerbird/contract';
import type { Database } from '../../foundation/database/index.ts';
import type { SignUp } from '../../foundation/index.ts';
import type { Api } from '../../foundation/http/index.ts';
import type { Accounts } from './account-service.ts';
import { profileView } from './account-view.ts';
import type { AccountRow } from '../account.ts';
import type { Recipients } from '../verification/index.ts';
import type { MemberPictures } from './picture-service.ts';
import type { Profiles } from './profile-service.ts';
import { SESSION_COOKIE, type SessionTransports } from '../sign-in/index.ts';

/** Finds the external accounts with which a member signs in. */
export type ProvidersOf = (account: string) => Promise<Profile['providers']>;

interface Parts {
  database: Database;
  accounts: Accounts;
  transports: SessionTransports;
  profiles: Profiles;
  recipients: Recipients;
  pictures: MemberPictures;
  providersOf: ProvidersOf;
  rules: { signUp: SignUp; provesAddresses: boolean; freeStorage: number };
}

/** Endpoints for signing up, and for a member's own profile. */
export function mountAccounts(api: Api, parts: Parts): void {
  const { database, accounts, transports, profiles, recipients, pictures, providersOf, rules } = parts;
  const { open } = transports;

  api.handle(accountApi.signUpRules, async () => ({
    open: rules.signUp !== 'closed',
    approval: rules.signUp === 'approval',
    mail_verification: rules.provesAddresses,
    phone: recipients.offersPhones,
    password_min: LIMITS.passwordMin,
    free_storage: String(rules.freeStorage),
  }));

  api.handle(accountApi.signUp, ({ body, caller }) =>
    open(caller, body, (kind, maker) => {
      const { password, name, verification_token: proof } = body;
      const to = recipients.of(body);
      return accounts.signUp({ to, password, name, proof, locale: matchLocale(body.locale) }, kind, maker);
    }),
  );

  api.handle(accountApi.setUp, ({ body, caller }) =>
    open(caller, body, (kind, maker) => {
      const { setup_token: setUpToken, email, password, name } = body;
      return accounts.setUp({ setUpToken, email, password, name }, kind, maker);
    }),
  );

  api.handle(accountApi.me, async ({ viewer, caller }) => {
    const [account, providers] = await Promise.all([
      accounts.find(database, viewer.account),
      providersOf(viewer.account),
    ]);
    if (!account) throw new ApiFailure('unauthenticated');
    const secret = caller.secrets.read(SESSION_COOKIE);
    // Extends the browser's cookie together with the session.
    if (viewer.by === 'cookie' && secret) transports.setCookies(caller, { account: account.id, secret });
    return profileView(account, caller.origin, providers);
  });

  const profileOf = async (account: AccountRow, origin: string): Promise<Profile> =>
    profileView(account, origin, await providersOf(account.id));

  api.handle(accountApi.changeMe, { underKey: 'joined' }, async ({ body, viewer, caller }) => {
    const { name, new_device_mail: newDeviceMail, plan_mail: planMail } = body;
    const locale = matchLocale(body.locale);
    const changed = await profiles.change(viewer.account, { name, locale, newDeviceMail, planMail });
    return profileOf(changed, caller.origin);
  });

  api.handle(accountApi.setPicture, async ({ body, viewer, caller }) => {
    const bytes = Buffer.from(body.picture, 'base64');
    return profileOf(await pictures.set(viewer.account, bytes, caller.address), caller.origin);
  });

  api.handle(accountApi.removePicture, async ({ viewer, caller }) =>
    profileOf(await pictures.remove(viewer.account), caller.origin),
  );
}
