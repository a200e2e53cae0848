import { accountApi, ApiFailure, oauthApi, type TokenReply } from '@bowerbird/contract';
import {
  grantView,
  maskedEmail,
  type Accounts,
  type SessionTransports,
  type Sessions,
  type SigningKeys,
} from '../account/index.ts';
import type { Database } from '../foundation/database/index.ts';
import type { Api, Caller, Member } from '../foundation/http/index.ts';
import type { Authorizations } from './authorization-service.ts';
import type { ClientProof, Clients } from './client-service.ts';
import { CODE_SECONDS, type Codes } from './code-service.ts';
import type { Consents } from './consent-service.ts';
import { DEVICE_SECONDS, POLL_SECONDS, type Devices } from './device-service.ts';
import type { IdTokens } from './id-token-service.ts';
import { readScopes, shownUserCode } from './oauth.ts';
import { clientView, connectedAppView, consentView, metadataView } from './oauth-view.ts';
import type { TokenRequest, Tokens } from './token-service.ts';

interface Parts {
  database: Database;
  accounts: Accounts;
  transports: SessionTransports;
  sessions: Sessions;
  signing: SigningKeys;
  clients: Clients;
  consents: Consents;
  codes: Codes;
  devices: Devices;
  idTokens: IdTokens;
  authorizations: Authorizations;
  tokens: Tokens;
  isOpen: boolean;
}

export function mountOauth(api: Api, parts: Parts): void {
  const { database, accounts, transports, sessions, signing, clients, consents } = parts;
  const { codes, devices, idTokens, authorizations, tokens, isOpen } = parts;

  /** Reads the client credentials: from the body, or from Basic authentication, which wins if both are sent. */
  const proofOf = (body: { client_id?: string; client_secret?: string }, caller: Caller): ClientProof => ({
    id: caller.basic?.name ?? (body.client_id || caller.clientId || undefined),
    secret: caller.basic?.secret ?? body.client_secret,
  });

  api.handle(oauthApi.openidConfiguration, async ({ caller }) => metadataView(caller.origin, isOpen));
  api.handle(oauthApi.serverMetadata, async ({ caller }) => metadataView(caller.origin, isOpen));
  api.handle(oauthApi.keys, async () => ({ keys: (await signing.published()).map((key) => ({ ...key })) }));

  api.handle(oauthApi.register, async ({ body, caller }) => {
    const { client, secret, at } = await clients.register(body, caller.address);
    return clientView(client, secret, at);
  });

  const userinfo = async ({ viewer }: { viewer: Member }) => {
    const account = await accounts.find(database, viewer.account);
    if (!account) throw new ApiFailure('unauthenticated');
    return { ...idTokens.claimsOf(account, viewer.scopes) };
  };
  api.handle(oauthApi.userinfo, userinfo);
  api.handle(oauthApi.postUserinfo, userinfo);

  api.handle(oauthApi.authorize, async ({ body, viewer, caller }) => {
    const { decision, repeated = [], ...request } = body;
    const { origin } = caller;
    const answer = await authorizations.answer(request, { viewer, origin, repeated, decision });
    if ('redirectTo' in answer) return { redirect_to: answer.redirectTo };
    const { client, scopes, account, redirectUri } = answer;
    return { redirect_to: '', asks: consentView(client, scopes, account, redirectUri) };
  });

  api.handle(accountApi.token, async ({ body, caller }): Promise<TokenReply> => {
    const request: TokenRequest = {
      grantType: body.grant_type,
      proof: proofOf(body, caller),
      refreshToken: body.refresh_token,
      code: body.code,
      redirectUri: body.redirect_uri,
      verifier: body.code_verifier,
      deviceCode: body.device_code,
      scope: body.scope,
    };
    if (tokens.isHandOver(request))
      return transports.open(caller, body, (kind, maker) => tokens.takeOver(request, kind, maker));
    const { grant, idToken } = await tokens.issue(request, { ...caller, clientId: request.proof.id ?? '' });
    return { ...grantView(grant), ...(idToken === undefined ? {} : { id_token: idToken }) };
  });

  api.handle(accountApi.signOut, async ({ body, viewer, caller }) => {
    const id = caller.basic?.name ?? body.client_id;
    const secret = caller.basic?.secret ?? body.client_secret;
    if (body.token) await tokens.revoke(body.token, { id, secret });
    else if (viewer) await sessions.end(viewer.session);
    // Our own pages and members' clients sign themselves out, and may be signed out already; an app that
    // identifies itself has to name a token.
    else if (id !== undefined || body.token_type_hint !== undefined)
      throw new ApiFailure('invalid_request', { field: 'token' });
    if (!caller.foreign && (viewer?.by === 'cookie' || !viewer)) transports.clearCookies(caller);
    return {};
  });

  api.handle(oauthApi.askDeviceCode, async ({ body, caller }) => {
    const client = await clients.entitled(
      proofOf(body, caller),
      'urn:ietf:params:oauth:grant-type:device_code',
    );
    const scopes = readScopes(body.scope, client);
    const { secret, userCode } = await devices.ask(client, scopes, caller.address);
    const page = `${caller.origin}/device`;
    return {
      device_code: secret,
      user_code: shownUserCode(userCode),
      verification_uri: page,
      verification_uri_complete: `${page}?user_code=${shownUserCode(userCode)}`,
      expires_in: DEVICE_SECONDS,
      interval: POLL_SECONDS,
    };
  });

  api.handle(oauthApi.decideDevice, async ({ body, viewer, caller }) => {
    const { device, client, account } = await devices.shown(body.user_code, viewer, caller.address);
    if (body.decision) await devices.decide(device, client, viewer, body.decision);
    return consentView(client, device.scopes, account, '');
  });

  api.handle(oauthApi.handOver, async ({ viewer }) => ({
    code: await codes.handOver(viewer),
    expires_in: CODE_SECONDS,
  }));

  api.handle(oauthApi.inspectCode, async ({ body }) => {
    const { id, name, email } = await codes.ownerOf(body.code);
    return { sub: id, name, email: maskedEmail(email) };
  });

  api.handle(oauthApi.listApps, async ({ viewer }) => ({
    apps: (await consents.list(viewer.account)).map(connectedAppView),
  }));

  api.handle(oauthApi.removeApp, async ({ params, viewer }) => {
    await consents.remove(viewer.account, params.id);
    return {};
  });
}
