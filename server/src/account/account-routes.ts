import {
  accountApi,
  ApiFailure,
  LIMITS,
  matchLocale,
  WEB_CLIENT_ID,
  type TokenReply,
} from '@bowerbird/contract';
import type { Database } from '../foundation/database/index.ts';
import type { Api, Caller } from '../foundation/http/index.ts';
import type { Accounts } from './account-service.ts';
import { grantView, profileView } from './account-view.ts';
import type { Passkeys } from './passkey-service.ts';
import type { Passwords } from './password-service.ts';
import type { Profiles } from './profile-service.ts';
import {
  SESSION_COOKIE,
  type Delivery,
  type Grant,
  type SessionMaker,
  type Sessions,
} from './session-service.ts';
import type { SignIns } from './sign-in-service.ts';
import type { Verifications } from './verification-service.ts';

const TRUST_COOKIE = 'pp_trusted_device';
const USER_COOKIE = 'pp_user_id';
const YEAR_SECONDS = 365 * 24 * 3600;

interface Parts {
  database: Database;
  accounts: Accounts;
  sessions: Sessions;
  signIns: SignIns;
  passkeys: Passkeys;
  verifications: Verifications;
  passwords: Passwords;
  profiles: Profiles;
  rules: { open: boolean; provesAddresses: boolean; freeStorage: number };
}

export function mountAccounts(api: Api, parts: Parts): void {
  const { database, accounts, sessions, signIns, passkeys, verifications, passwords, profiles, rules } =
    parts;

  /** Opens a session the way that was asked for, and hands it over. */
  async function open(
    caller: Caller,
    body: { client_id?: string; session?: Delivery },
    work: (kind: Delivery, maker: SessionMaker) => Promise<Grant>,
  ): Promise<TokenReply> {
    const kind = body.session ?? 'token';
    // A page of another site must not put its own session into a visitor's browser.
    if (kind === 'cookie' && caller.foreign) throw new ApiFailure('permission_denied');
    const clientId = body.client_id || caller.clientId || (kind === 'cookie' ? WEB_CLIENT_ID : 'unknown');
    const grant = await work(kind, { ...caller, clientId });
    if (grant.kind === 'cookie') {
      if (caller.viewer?.by === 'cookie') await sessions.end(caller.viewer.session);
      keepCookies(caller, grant);
    }
    return grantView(grant);
  }

  function keepCookies(caller: Caller, { account, secret }: { account: string; secret: string }): void {
    caller.setCookie(SESSION_COOKIE, secret, { httpOnly: true, maxAgeSeconds: LIMITS.webSessionSeconds });
    caller.setCookie(USER_COOKIE, account, { maxAgeSeconds: YEAR_SECONDS });
  }

  const isMember = async (email: string): Promise<boolean> =>
    (await accounts.byEmail(database, email)) !== undefined;

  api.handle(accountApi.signUpRules, async () => ({
    open: rules.open,
    mail_verification: rules.provesAddresses,
    password_min: LIMITS.passwordMin,
    free_storage: String(rules.freeStorage),
  }));

  api.handle(accountApi.sendCode, async ({ body, caller }) => {
    const { email, usage } = body;
    const { address } = caller;
    const locale = matchLocale(body.locale) ?? caller.locale;
    if (usage === 'SIGN_IN') throw new ApiFailure('unsupported');
    if (usage === 'REGISTER' && !rules.open) throw new ApiFailure('permission_denied');
    if (usage === 'PASSWORD_RESET' && !rules.provesAddresses) throw new ApiFailure('unsupported');
    const words = usage === 'REGISTER' ? 'code' : (await isMember(email)) ? 'reset' : 'noAccount';
    const sent = await verifications.send({ email, usage, words, locale, address });
    // Whether the address has an account is said to whoever reads its mail, at sign-up, and to nobody else.
    return { verification_id: sent.id, is_user: false, retry_in: sent.retryIn, expires_in: sent.expiresIn };
  });

  api.handle(accountApi.checkCode, async ({ body }) => {
    const { token, expiresIn } = await verifications.check(body.verification_id, body.verification_code);
    return { verification_token: token, expires_in: expiresIn };
  });

  api.handle(accountApi.resetPassword, async ({ body }) => {
    await passwords.reset(body.verification_token, body.new_password);
    return {};
  });

  api.handle(accountApi.signUp, ({ body, caller }) =>
    open(caller, body, (kind, maker) => {
      const { email, password, name, verification_token: proof } = body;
      return accounts.signUp({ email, password, name, proof, locale: matchLocale(body.locale) }, kind, maker);
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
      const { username, password } = body;
      return signIns.byPassword({ username, password }, kind, {
        ...maker,
        trust: caller.cookies[TRUST_COOKIE],
      });
    }),
  );

  api.handle(accountApi.secondFactor, ({ body, caller }) =>
    open(caller, body, async (kind, maker) => {
      const { ticket, code = '', recovery_code: recoveryCode, remember = false } = body;
      const answer = recoveryCode ? { recoveryCode } : { code };
      const comer = { ...maker, trust: undefined };
      const { grant, trust } = await signIns.bySecondFactor({ ticket, remember, ...answer }, kind, comer);
      if (trust)
        caller.setCookie(TRUST_COOKIE, trust, { httpOnly: true, maxAgeSeconds: LIMITS.trustedDeviceSeconds });
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

  api.handle(accountApi.token, async ({ body, caller }) => {
    if (body.grant_type !== 'refresh_token') throw new ApiFailure('invalid_request', { field: 'grant_type' });
    if (!body.refresh_token) throw new ApiFailure('invalid_request', { field: 'refresh_token' });
    return grantView(await sessions.refresh(body.refresh_token, caller.origin));
  });

  api.handle(accountApi.signOut, async ({ body, viewer, caller }) => {
    if (body.token) await sessions.endByToken(body.token);
    else if (viewer) await sessions.end(viewer.session);
    if (!caller.foreign && (viewer?.by === 'cookie' || !viewer)) {
      caller.clearCookie(SESSION_COOKIE);
      caller.clearCookie(USER_COOKIE);
    }
    return {};
  });

  api.handle(accountApi.me, async ({ viewer, caller }) => {
    const account = await accounts.find(database, viewer.account);
    if (!account) throw new ApiFailure('unauthenticated');
    const secret = caller.cookies[SESSION_COOKIE];
    // The browser's copy slides along with ours.
    if (viewer.by === 'cookie' && secret) keepCookies(caller, { account: account.id, secret });
    return profileView(account);
  });

  api.handle(accountApi.changeMe, async ({ body, viewer }) => {
    const { name, new_device_mail: newDeviceMail } = body;
    const locale = matchLocale(body.locale);
    return profileView(await profiles.change(viewer.account, { name, locale, newDeviceMail }));
  });
}
