import { ApiFailure, matchLocale, securityApi } from '@bowerbird/contract';
import type { Database } from '../foundation/database/index.ts';
import type { Api, Caller } from '../foundation/http/index.ts';
import { timeText } from '../foundation/index.ts';
import { passkeyView, passView, sessionView, signInView } from './account-view.ts';
import type { SignInHistory } from './sign-in-history-service.ts';
import type { Destinations } from './destination.ts';
import type { Passes } from './pass-service.ts';
import type { Passkeys } from './passkey-service.ts';
import type { Owner } from './password-check.ts';
import type { Passwords } from './password-service.ts';
import type { Profiles } from './profile-service.ts';
import type { SecondFactors } from './second-factor-service.ts';
import type { Sessions } from './session-service.ts';
import type { Verifications } from './verification-service.ts';

interface Parts {
  database: Database;
  sessions: Sessions;
  signInHistory: SignInHistory;
  secondFactors: SecondFactors;
  passkeys: Passkeys;
  passes: Passes;
  passwords: Passwords;
  profiles: Profiles;
  verifications: Verifications;
  destinations: Destinations;
  provesAddresses: boolean;
}

/** Endpoints for an owner's sessions, credentials and sign-in history. */
export function mountSecurity(api: Api, parts: Parts): void {
  const {
    database,
    sessions,
    signInHistory,
    secondFactors,
    passkeys,
    passes,
    passwords,
    profiles,
    verifications,
    destinations,
    provesAddresses,
  } = parts;

  api.handle(securityApi.listSessions, async ({ viewer }) => ({
    sessions: (await sessions.list(viewer.account)).map((one) => sessionView(one, viewer.session)),
  }));

  api.handle(securityApi.endSession, async ({ params, viewer }) => {
    await sessions.endOne(viewer.account, params.id);
    return {};
  });

  api.handle(securityApi.endOtherSessions, async ({ viewer: { account, session } }) => {
    await database.transaction((tx) => sessions.endAll(tx, account, session));
    return {};
  });

  api.handle(securityApi.listSignIns, async ({ viewer }) => ({
    sign_ins: (await signInHistory.list(viewer.account)).map(signInView),
  }));

  const owner = (account: string, password: string, { address }: Caller): Owner => ({
    account,
    password,
    address,
  });

  api.handle(securityApi.secondFactor, async ({ viewer }) => {
    const { since, codesLeft, devices } = await secondFactors.state(viewer.account);
    return {
      on: since !== undefined,
      since: since === undefined ? '' : timeText(since),
      recovery_codes_left: codesLeft,
      trusted_devices: devices,
    };
  });

  api.handle(securityApi.beginSecondFactor, ({ body, viewer, caller }) =>
    secondFactors.begin(owner(viewer.account, body.password, caller)),
  );

  api.handle(securityApi.confirmSecondFactor, async ({ body, viewer, caller }) => ({
    recovery_codes: await secondFactors.confirm(viewer.account, body.code, caller.address),
  }));

  api.handle(securityApi.renewRecoveryCodes, async ({ body, viewer, caller }) => ({
    recovery_codes: await secondFactors.renewCodes(owner(viewer.account, body.password, caller)),
  }));

  api.handle(securityApi.endSecondFactor, async ({ body, viewer, caller }) => {
    await secondFactors.end(owner(viewer.account, body.password, caller));
    return {};
  });

  api.handle(securityApi.forgetTrustedDevices, async ({ viewer }) => {
    await secondFactors.forgetDevices(viewer.account);
    return {};
  });

  api.handle(securityApi.listPasskeys, async ({ viewer }) => ({
    passkeys: (await passkeys.list(viewer.account)).map(passkeyView),
  }));

  api.handle(securityApi.beginPasskey, async ({ body, viewer, caller }) => {
    const asking = owner(viewer.account, body.password, caller);
    const { question, account, known } = await passkeys.begin(asking, caller.origin);
    return {
      question: question.id,
      challenge: question.challenge,
      rp_id: question.site,
      user_id: Buffer.from(account.id).toString('base64url'),
      user_name: account.email || account.phone,
      display_name: account.name,
      known: known.map(({ id }) => id),
    };
  });

  api.handle(securityApi.addPasskey, async ({ body, viewer, caller }) => {
    const { question, id, name, transports = [] } = body;
    const { client_data: clientData, authenticator_data: authenticatorData, public_key: publicKey } = body;
    const key = { question, id, name, transports, clientData, authenticatorData, publicKey };
    return passkeyView(await passkeys.add(viewer.account, key, caller.origin));
  });

  api.handle(securityApi.renamePasskey, async ({ params, body, viewer }) => {
    await passkeys.rename(viewer.account, params.id, body.name);
    return {};
  });

  api.handle(securityApi.removePasskey, async ({ body, viewer, caller }) => {
    await passkeys.remove(owner(viewer.account, body.password, caller), body.id);
    return {};
  });

  api.handle(securityApi.changePassword, async ({ body, viewer: { account, session }, caller }) => {
    const { password, new_password: next, keep_passes: keepPasses = false } = body;
    await passwords.change({ account, session, password, next, keepPasses, address: caller.address });
    return {};
  });

  api.handle(securityApi.sendEmailCode, async ({ body, caller }) => {
    if (!provesAddresses) throw new ApiFailure('unsupported');
    const locale = matchLocale(body.locale) ?? caller.locale;
    const { address } = caller;
    const to = destinations.of({ email: body.email });
    const sent = await verifications.send({
      to,
      usage: 'EMAIL_CHANGE',
      words: 'emailCode',
      locale,
      address,
    });
    return { verification_id: sent.id, retry_in: sent.retryIn, expires_in: sent.expiresIn };
  });

  api.handle(securityApi.changeEmail, async ({ body, viewer: { account }, caller }) => {
    const { email, password, verification_token: proof } = body;
    await profiles.changeEmail({ account, email, password, proof, address: caller.address });
    return {};
  });

  api.handle(securityApi.sendPhoneCode, async ({ body, caller }) => {
    const to = destinations.of({ phone_number: body.phone_number });
    const locale = matchLocale(body.locale) ?? caller.locale;
    const { address } = caller;
    const sent = await verifications.send({ to, usage: 'PHONE_CHANGE', words: 'code', locale, address });
    return { verification_id: sent.id, retry_in: sent.retryIn, expires_in: sent.expiresIn };
  });

  api.handle(securityApi.changePhone, async ({ body, viewer: { account }, caller: { address } }) => {
    const to = destinations.of({ phone_number: body.phone_number });
    const { password, verification_token: proof } = body;
    await profiles.changePhone({ account, to, password, proof, address });
    return {};
  });

  api.handle(securityApi.removePhone, async ({ body, viewer: { account }, caller: { address } }) => {
    await profiles.removePhone({ account, password: body.password, address });
    return {};
  });

  api.handle(securityApi.listPasses, async ({ viewer }) => ({
    passes: (await passes.list(viewer.account)).map(passView),
  }));

  api.handle(securityApi.createPass, async ({ body, viewer, caller }) => {
    const { password, kind, name, scopes, days } = body;
    const owner = { password, address: caller.address };
    const { pass, secret } = await passes.create(viewer.account, { kind, name, scopes, days }, owner);
    return { pass: passView(pass), secret };
  });

  api.handle(securityApi.revokePass, async ({ body, viewer, caller }) => {
    await passes.revokeByOwner(owner(viewer.account, body.password, caller), body.id);
    return {};
  });
}
