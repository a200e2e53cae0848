import { securityApi } from '@bowerbird/contract';
import type { Database } from '../../foundation/database/index.ts';
import type { Api } from '../../foundation/http/index.ts';
import type { Passkeys } from './passkey-service.ts';
import { ownerOf } from '../credential/index.ts';
import type { Passwords } from './password-service.ts';
import type { Sessions } from './session-service.ts';
import type { SignInHistory } from './sign-in-history-service.ts';
import { passkeyView, sessionView, signInView } from './sign-in-view.ts';

interface Parts {
  database: Database;
  sessions: Sessions;
  signInHistory: SignInHistory;
  passkeys: Passkeys;
  passwords: Passwords;
}

/** Endpoints for an owner's sessions, sign-in history, passkeys and password. */
export function mountSecurity(api: Api, parts: Parts): void {
  const { database, sessions, signInHistory, passkeys, passwords } = parts;

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

  api.handle(securityApi.listPasskeys, async ({ viewer }) => ({
    passkeys: (await passkeys.list(viewer.account)).map(passkeyView),
  }));

  api.handle(securityApi.beginPasskey, async ({ body, viewer, caller }) => {
    const asking = ownerOf(viewer.account, body.password, caller);
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
    await passkeys.remove(ownerOf(viewer.account, body.password, caller), body.id);
    return {};
  });

  api.handle(securityApi.changePassword, async ({ body, viewer: { account, session }, caller }) => {
    const { password, new_password: next, keep_passes: keepPasses = false } = body;
    await passwords.change({ account, session, password, next, keepPasses, address: caller.address });
    return {};
  });
}
