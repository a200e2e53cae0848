import { accountApi, ApiFailure, LIMITS, matchLocale } from '@bowerbird/contract';
import type { SignUp } from '../../foundation/index.ts';
import type { Api } from '../../foundation/http/index.ts';
import type { Recipients, Words, Verifications } from '../verification/index.ts';
import { KNOWN_BROWSER_COOKIE, type KnownBrowsers, type PasswordChecks } from '../credential/index.ts';
import type { Passkeys } from './passkey-service.ts';
import type { Passwords } from './password-service.ts';
import type { SessionTransports } from './session-transport.ts';
import { TRUST_COOKIE, type SignIns } from './sign-in-service.ts';

interface Parts {
  transports: SessionTransports;
  browsers: KnownBrowsers;
  signIns: SignIns;
  passkeys: Passkeys;
  verifications: Verifications;
  passwords: Passwords;
  checks: PasswordChecks;
  recipients: Recipients;
  rules: { signUp: SignUp; provesAddresses: boolean };
}

const WORDS: Readonly<
  Record<'REGISTER' | 'SIGN_IN' | 'PASSWORD_RESET', Readonly<Record<'member' | 'nobody', Words>>>
> = {
  REGISTER: { member: 'code', nobody: 'code' },
  SIGN_IN: { member: 'signInCode', nobody: 'noSignIn' },
  PASSWORD_RESET: { member: 'reset', nobody: 'noAccount' },
};

/** Endpoints for visitors who sign in: codes, passwords, the second step, passkeys. */
export function mountSignIns(api: Api, parts: Parts): void {
  const { transports, browsers, signIns, passkeys, verifications, passwords, checks, recipients, rules } =
    parts;
  const { open } = transports;

  /** Returns the refusal of a sign-in without a password or code; a phone number can be sent a code. */
  const nothingShown = (username: string): ApiFailure =>
    recipients.offersPhones && recipients.keyOf(username)?.startsWith('+')
      ? new ApiFailure('sms_code_required')
      : new ApiFailure('invalid_argument', { field: 'password' });

  api.handle(accountApi.sendCode, async ({ body, caller }) => {
    const { usage } = body;
    const { address } = caller;
    const to = recipients.of(body);
    const locale = matchLocale(body.locale) ?? caller.locale;
    if (usage === 'REGISTER' && rules.signUp === 'closed') throw new ApiFailure('permission_denied');
    const isSure = usage === 'REGISTER' || to.kind === 'phone' || rules.provesAddresses;
    if (!isSure) throw new ApiFailure('unsupported');
    const account = usage === 'REGISTER' ? undefined : await checks.find(to.key);
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

  api.handle(accountApi.signIn, ({ body, caller }) =>
    open(caller, body, (kind, maker) => {
      const { username, password, verification_token: proof } = body;
      const browser = caller.secrets.read(KNOWN_BROWSER_COOKIE);
      const context = { ...maker, trust: caller.secrets.read(TRUST_COOKIE), browser };
      if (proof !== undefined) return signIns.byCode({ username, proof }, kind, context);
      if (password === undefined) throw nothingShown(username);
      return signIns.byPassword({ username, password }, kind, context);
    }),
  );

  api.handle(accountApi.secondFactor, ({ body, caller }) =>
    open(caller, body, async (kind, maker) => {
      const { ticket, code = '', recovery_code: recoveryCode, remember = false } = body;
      const answer = recoveryCode ? { recoveryCode } : { code };
      const context = { ...maker, trust: undefined };
      const { grant, trust } = await signIns.bySecondFactor({ ticket, remember, ...answer }, kind, context);
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
}
