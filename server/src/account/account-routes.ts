import { accountApi, ApiFailure, LIMITS, matchLocale, type Profile } from '@bowerbird/contract';
import type { Database } from '../foundation/database/index.ts';
import type { SignUp } from '../foundation/index.ts';
import type { Api } from '../foundation/http/index.ts';
import type { Accounts } from './account-service.ts';
import { profileView } from './account-view.ts';
import type { AccountRow } from './account.ts';
import type { SessionTransports } from './session-transport.ts';
import type { Destinations } from './destination.ts';
import { KNOWN_BROWSER_COOKIE, type KnownBrowsers } from './known-browser.ts';
import type { Passkeys } from './passkey-service.ts';
import type { Passwords } from './password-service.ts';
import type { MemberPictures } from './picture-service.ts';
import type { Profiles } from './profile-service.ts';
import { SESSION_COOKIE } from './session-service.ts';
import { TRUST_COOKIE, type SignIns } from './sign-in-service.ts';
import type { Words } from './verification.ts';
import type { Verifications } from './verification-service.ts';

/** Accounts elsewhere with which a member signs in. */
export type ProvidersOf = (account: string) => Promise<Profile['providers']>;

interface Parts {
  database: Database;
  accounts: Accounts;
  transports: SessionTransports;
  browsers: KnownBrowsers;
  signIns: SignIns;
  passkeys: Passkeys;
  verifications: Verifications;
  passwords: Passwords;
  profiles: Profiles;
  destinations: Destinations;
  pictures: MemberPictures;
  providersOf: ProvidersOf;
  rules: { signUp: SignUp; provesAddresses: boolean; freeStorage: number };
}

const WORDS: Readonly<
  Record<'REGISTER' | 'SIGN_IN' | 'PASSWORD_RESET', Readonly<Record<'member' | 'nobody', Words>>>
> = {
  REGISTER: { member: 'code', nobody: 'code' },
  SIGN_IN: { member: 'signInCode', nobody: 'noSignIn' },
  PASSWORD_RESET: { member: 'reset', nobody: 'noAccount' },
};

export function mountAccounts(api: Api, parts: Parts): void {
  const {
    database,
    accounts,
    transports,
    browsers,
    signIns,
    passkeys,
    verifications,
    passwords,
    profiles,
    destinations,
    pictures,
    providersOf,
    rules,
  } = parts;

  const { open } = transports;

  /** Returns the refusal of a sign-in without a password or code; a phone number can be sent a code. */
  const nothingShown = (username: string): ApiFailure =>
    destinations.offersPhones && destinations.keyOf(username)?.startsWith('+')
      ? new ApiFailure('sms_code_required')
      : new ApiFailure('invalid_argument', { field: 'password' });

  api.handle(accountApi.signUpRules, async () => ({
    open: rules.signUp !== 'closed',
    approval: rules.signUp === 'approval',
    mail_verification: rules.provesAddresses,
    phone: destinations.offersPhones,
    password_min: LIMITS.passwordMin,
    free_storage: String(rules.freeStorage),
  }));

  api.handle(accountApi.sendCode, async ({ body, caller }) => {
    const { usage } = body;
    const { address } = caller;
    const to = destinations.of(body);
    const locale = matchLocale(body.locale) ?? caller.locale;
    if (usage === 'REGISTER' && rules.signUp === 'closed') throw new ApiFailure('permission_denied');
    const isSure = usage === 'REGISTER' || to.kind === 'phone' || rules.provesAddresses;
    if (!isSure) throw new ApiFailure('unsupported');
    const account = usage === 'REGISTER' ? undefined : await accounts.named(database, to.key);
    const browser = account && browsers.find(account.id, caller.secrets.read(KNOWN_BROWSER_COOKIE));
    const words = WORDS[usage][account ? 'member' : 'nobody'];
    const isIdle = usage !== 'REGISTER' && !account;
    const sent = await verifications.send({ to, usage, words, isIdle, locale, address, browser });
    // `is_user` is always false: only the mail of a sign-up reveals whether the address has an account.
    return { verification_id: sent.id, is_user: false, retry_in: sent.retryIn, expires_in: sent.expiresIn };
  });

  api.handle(accountApi.checkCode, async ({ body, caller }) => {
    const { verification_id: id, verification_code: code } = body;
    const from = { address: caller.address, browser: caller.secrets.read(KNOWN_BROWSER_COOKIE) };
    const { token, expiresIn } = await signIns.checkCode({ id, code }, from);
    return { verification_token: token, expires_in: expiresIn };
  });

  api.handle(accountApi.resetPassword, async ({ body }) => {
    await passwords.reset(body.verification_token, body.new_password);
    return {};
  });

  api.handle(accountApi.signUp, ({ body, caller }) =>
    open(caller, body, (kind, maker) => {
      const { password, name, verification_token: proof } = body;
      const to = destinations.of(body);
      return accounts.signUp({ to, password, name, proof, locale: matchLocale(body.locale) }, kind, maker);
    }),
  );

  api.handle(accountApi.setUp, ({ body, caller }) =>
    open(caller, body, (kind, maker) => {
      const { setup_token: setUpToken, email, password, name } = body;
      return accounts.setUp({ setUpToken, email, password, name }, kind, maker);
    }),
  );

  api.handle(accountApi.signIn, ({ body, caller }) =>
    open(caller, body, (kind, maker) => {
      const { username, password, verification_token: proof } = body;
      const browser = caller.secrets.read(KNOWN_BROWSER_COOKIE);
      const comer = { ...maker, trust: caller.secrets.read(TRUST_COOKIE), browser };
      if (proof !== undefined) return signIns.byCode({ username, proof }, kind, comer);
      if (password === undefined) throw nothingShown(username);
      return signIns.byPassword({ username, password }, kind, comer);
    }),
  );

  api.handle(accountApi.secondFactor, ({ body, caller }) =>
    open(caller, body, async (kind, maker) => {
      const { ticket, code = '', recovery_code: recoveryCode, remember = false } = body;
      const answer = recoveryCode ? { recoveryCode } : { code };
      const comer = { ...maker, trust: undefined };
      const { grant, trust } = await signIns.bySecondFactor({ ticket, remember, ...answer }, kind, comer);
      if (trust) caller.secrets.keep(TRUST_COOKIE, trust, LIMITS.trustedDeviceSeconds);
      return grant;
    }),
  );

  api.handle(accountApi.askPasskey, async ({ caller }) => {
    const { id: question, challenge, site } = await passkeys.ask(caller);
    return { question, challenge, rp_id: site };
  });

  api.handle(accountApi.passkeySignIn, ({ body, caller }) =>
    open(caller, body, (kind, maker) => {
      const {
        question,
        id,
        signature,
        client_data: clientData,
        authenticator_data: authenticatorData,
      } = body;
      return passkeys.signIn({ question, id, clientData, authenticatorData, signature }, kind, maker);
    }),
  );

  api.handle(accountApi.me, async ({ viewer, caller }) => {
    const [account, providers] = await Promise.all([
      accounts.find(database, viewer.account),
      providersOf(viewer.account),
    ]);
    if (!account) throw new ApiFailure('unauthenticated');
    const secret = caller.secrets.read(SESSION_COOKIE);
    // The browser's copy slides along with ours.
    if (viewer.by === 'cookie' && secret) transports.setCookies(caller, { account: account.id, secret });
    return profileView(account, caller.origin, providers);
  });

  const profileOf = async (account: AccountRow, origin: string): Promise<Profile> =>
    profileView(account, origin, await providersOf(account.id));

  api.handle(accountApi.changeMe, { underKey: 'joined' }, async ({ body, viewer, caller }) => {
    const { name, new_device_mail: newDeviceMail } = body;
    const locale = matchLocale(body.locale);
    const changed = await profiles.change(viewer.account, { name, locale, newDeviceMail });
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
