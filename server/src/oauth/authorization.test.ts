import { createLocalJWKSet, decodeJwt, jwtVerify, type JSONWebKeySet } from 'jose';
import { accountApi, driveApi, oauthApi, securityApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import {
  eachDatabase,
  openTestApp,
  PASSWORD,
  person,
  turnableClock,
  visitingApp,
  type TestApp,
} from '../../testing/index.ts';

const bearer = (app: TestApp, token: string) => person(app.http, { authorization: `Bearer ${token}` });
const answerOf = (to: string) => Object.fromEntries(new URL(to).searchParams);

eachDatabase((dialect) => {
  test('an app authorized by a member is limited to the granted scopes, until the member revokes it', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const frame = await visitingApp(app);
    const { asks, redirect_to: nowhere } = await ann.call(oauthApi.authorize, {
      body: frame.request({ scope: 'openid email pan' }),
    });
    expect(nowhere).toBe('');
    expect(asks).toMatchObject({
      app: { name: 'Picture Frame', standing: 'registered' },
      scopes: ['pan', 'openid', 'email'],
      account: { name: 'ann', email: 'a***@example.org' },
      destination: 'app.example.org',
    });
    const body = { ...frame.request({ scope: 'openid email pan', nonce: 'n1' }), decision: 'allow' as const };
    const { redirect_to: to } = await ann.call(oauthApi.authorize, { body });
    const answer = answerOf(to);
    expect(to.startsWith('https://app.example.org/back?')).toBe(true);
    expect(answer).toMatchObject({ state: 'a state & more', iss: 'http://drive.test' });
    const reply = (await frame.exchange(answer['code']!)).json();
    expect(reply).toMatchObject({
      token_type: 'Bearer',
      expires_in: 7200,
      scope: 'pan openid email',
      sub: ann.id,
    });

    const keys = createLocalJWKSet((await app.visitor.call(oauthApi.keys, {})) as unknown as JSONWebKeySet);
    const rules = { issuer: 'http://drive.test', audience: frame.id, algorithms: ['RS256'] };
    const { payload } = await jwtVerify(reply.id_token, keys, rules);
    expect(payload).toMatchObject({ sub: ann.id, nonce: 'n1', email: ann.email });
    expect(payload['name']).toBeUndefined();
    expect((await jwtVerify(reply.access_token, keys, { typ: 'at+jwt' })).payload).toMatchObject({
      client_id: frame.id,
      scope: 'pan openid email',
    });

    const client = bearer(app, reply.access_token);
    await client.call(driveApi.about, { query: {} });
    expect(await client.call(oauthApi.userinfo, {})).toEqual({
      sub: ann.id,
      email: ann.email,
      email_verified: false,
    });
    await expect(client.call(accountApi.me, {})).rejects.toMatchObject({ id: 'permission_denied' });
    // An ID token identifies a member and grants no access.
    await expect(bearer(app, reply.id_token).call(driveApi.about, { query: {} })).rejects.toMatchObject({
      id: 'unauthenticated',
    });

    const { apps } = await ann.call(oauthApi.listApps, {});
    expect(apps).toMatchObject([{ app: { name: 'Picture Frame' }, scopes: ['pan', 'openid', 'email'] }]);
    expect(apps[0]!.used_at).not.toBe('');
    const bob = await app.signUp('bob');
    await expect(bob.call(oauthApi.removeApp, { params: { id: apps[0]!.id } })).rejects.toMatchObject({
      id: 'not_found',
    });
    await ann.call(oauthApi.removeApp, { params: { id: apps[0]!.id } });
    await expect(client.call(driveApi.about, { query: {} })).rejects.toMatchObject({ id: 'unauthenticated' });
    const late = await frame.ask({ grant_type: 'refresh_token', refresh_token: reply.refresh_token });
    expect(late.json()).toMatchObject({ error: 'invalid_grant', error_code: 4126 });
  });

  test('a code requested without a challenge can’t be exchanged with a verifier', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const server = await visitingApp(app, { method: 'client_secret_basic' });
    const unproven: object = { code_challenge: undefined, code_challenge_method: undefined };
    const exchange = (code: string, more: Record<string, string> = {}) =>
      server.ask({ grant_type: 'authorization_code', code, redirect_uri: server.redirectUri, ...more });
    const code = await server.codeOf(ann, unproven);
    const reply = await exchange(code, { code_verifier: server.verifier });
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({ error: 'invalid_grant', error_code: 4126 });
    expect((await exchange(await server.codeOf(ann, unproven))).json()).toMatchObject({ sub: ann.id });
  });

  test('a code works once, for a short time, for its client, redirect address and challenge; reusing it revokes its tokens', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await app.signUp('ann');
    const frame = await visitingApp(app);
    const other = await visitingApp(app);
    const code = await frame.codeOf(ann);
    const wrong = { error: 'invalid_grant', error_code: 4126 };
    for (const reply of [
      await frame.exchange(code, { code_verifier: 'x'.repeat(43) }),
      await frame.exchange(code, { redirect_uri: 'https://app.example.org/other' }),
      await other.exchange(code, { code_verifier: frame.verifier }),
      await frame.exchange('Vnothing'),
    ]) {
      expect(reply.statusCode).toBe(400);
      expect(reply.json()).toMatchObject(wrong);
    }
    const without = await frame.ask({
      grant_type: 'authorization_code',
      code,
      redirect_uri: frame.redirectUri,
    });
    expect(without.json()).toMatchObject(wrong);

    const first = (await frame.exchange(code)).json();
    const client = bearer(app, first.access_token);
    await client.call(driveApi.about, { query: {} });
    expect((await frame.exchange(code)).json()).toMatchObject(wrong);
    await expect(client.call(driveApi.about, { query: {} })).rejects.toMatchObject({ id: 'unauthenticated' });

    const late = await frame.codeOf(ann);
    clock.advance(60_000);
    expect((await frame.exchange(late)).json()).toMatchObject(wrong);

    const raced = await frame.codeOf(ann);
    const replies = await Promise.all(Array.from({ length: 8 }, () => frame.exchange(raced)));
    expect(replies.filter(({ statusCode }) => statusCode === 200).length).toBeLessThanOrEqual(1);
  });

  test('a code not yet exchanged becomes invalid when the password changes or the consent is revoked', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await app.signUp('ann');
    const frame = await visitingApp(app);
    const code = await frame.codeOf(ann);
    clock.advance(1000);
    await ann.call(securityApi.changePassword, {
      body: { password: PASSWORD, new_password: 'another bower 7' },
    });
    expect((await frame.exchange(code)).json()).toMatchObject({ error: 'invalid_grant' });
    clock.advance(1000);
    const second = await frame.codeOf(ann);
    const { apps } = await ann.call(oauthApi.listApps, {});
    await ann.call(oauthApi.removeApp, { params: { id: apps[0]!.id } });
    expect((await frame.exchange(second)).json()).toMatchObject({ error: 'invalid_grant' });
  });

  test('refreshing rotates the token and tolerates a race, a late replay ends the session, and only the app itself can refresh', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await app.signUp('ann');
    const frame = await visitingApp(app, { method: 'client_secret_basic' });
    const other = await visitingApp(app);
    const { refresh_token: first } = await frame.letIn(ann);
    const refresh = (token: string, more = {}) =>
      frame.ask({ grant_type: 'refresh_token', refresh_token: token, ...more });
    const foreign = await other.ask({ grant_type: 'refresh_token', refresh_token: first });
    expect(foreign.json()).toMatchObject({ error: 'invalid_grant' });
    const nobody = await app.visitor.inject({
      method: 'POST',
      url: '/v1/auth/token',
      payload: JSON.stringify({ grant_type: 'refresh_token', refresh_token: first, client_id: frame.id }),
    });
    expect(nobody.statusCode).toBe(401);
    expect(nobody.json()).toMatchObject({ error: 'invalid_client', error_code: 4122 });

    const wider = await refresh(first, { scope: 'openid user pan offline' });
    expect(wider.json()).toMatchObject({ error: 'invalid_scope', error_code: 4125 });
    const [a, b] = await Promise.all([refresh(first), refresh(first)]);
    expect(a!.json().refresh_token).toBe(b!.json().refresh_token);
    expect(decodeJwt(a!.json().access_token)).toMatchObject({ scope: 'user pan openid' });
    clock.advance(61_000);
    expect((await refresh(first)).json()).toMatchObject({ error: 'invalid_grant' });
    expect((await refresh(a!.json().refresh_token)).json()).toMatchObject({ error: 'invalid_grant' });
    await expect(
      bearer(app, a!.json().access_token).call(driveApi.about, { query: {} }),
    ).rejects.toMatchObject({ id: 'unauthenticated' });
  });

  test('refreshing with a narrower scope narrows the access token but not the refresh token', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const frame = await visitingApp(app);
    const whole = await frame.letIn(ann, { scope: 'openid user pan' });
    const refresh = async (token: string, scope: string) =>
      (await frame.ask({ grant_type: 'refresh_token', refresh_token: token, scope })).json();
    const about = (token: string) => bearer(app, token).call(driveApi.about, { query: {} });
    const narrow = await refresh(whole.refresh_token, 'openid offline_access');
    expect(narrow.scope).toBe('openid');
    expect(decodeJwt(narrow.access_token)).toMatchObject({ scope: 'openid' });
    await bearer(app, narrow.access_token).call(oauthApi.userinfo, {});
    await expect(about(narrow.access_token)).rejects.toMatchObject({ id: 'permission_denied' });
    await expect(bearer(app, narrow.access_token).call(accountApi.me, {})).rejects.toMatchObject({
      id: 'permission_denied',
    });
    // The refresh token has the scope of the previous one (RFC 6749, 6).
    const again = await refresh(narrow.refresh_token, '');
    expect(again.scope).toBe('user pan openid');
    await about(again.access_token);
    expect(await refresh(again.refresh_token, 'openid dav')).toMatchObject({ error: 'invalid_scope' });
    await about(whole.access_token);
  });

  test('revoking a token of either kind ends its session, and another app can’t revoke it', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const frame = await visitingApp(app);
    const other = await visitingApp(app);
    const revoke = (form: Record<string, string>) =>
      app.visitor.inject({
        method: 'POST',
        url: '/v1/auth/revoke',
        payload: new URLSearchParams(form).toString(),
      });
    for (const kind of ['access_token', 'refresh_token'] as const) {
      const reply = await frame.letIn(ann);
      const client = bearer(app, reply.access_token);
      const token = reply[kind];
      expect((await revoke({ token, client_id: other.id })).statusCode).toBe(400);
      await client.call(driveApi.about, { query: {} });
      const revoked = await revoke({ token, token_type_hint: kind, client_id: frame.id });
      expect([revoked.statusCode, revoked.body]).toEqual([200, '{}']);
      await expect(client.call(driveApi.about, { query: {} })).rejects.toMatchObject({
        id: 'unauthenticated',
      });
    }
    expect((await revoke({ token: 'nonsense' })).statusCode).toBe(200);
  });

  test('errors of a request are reported to the app, each with its reason; nothing is sent to an unregistered address', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await app.signUp('ann');
    const frame = await visitingApp(app);
    const ask = (more: object, who: { call: typeof ann.call } = ann) =>
      who.call(oauthApi.authorize, { body: { ...frame.request(more) } });
    for (const [more, error] of [
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ response_type: undefined }, 'invalid_request'],
      [{ response_mode: 'fragment' }, 'invalid_request'],
      [{ code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge_method: undefined }, 'invalid_request'],
      [{ scope: 'pan dav' }, 'invalid_scope'],
      [{ prompt: 'none login' }, 'invalid_request'],
      [{ max_age: 'soon' }, 'invalid_request'],
      [{ request: 'a.b.' }, 'request_not_supported'],
      [{ request: 'nonsense' }, 'invalid_request_object'],
      [{ request_uri: 'https://app.example.org/r' }, 'request_uri_not_supported'],
      [{ request_uri: 'nonsense' }, 'invalid_request_uri'],
      [{ registration: '{}' }, 'registration_not_supported'],
      [{ prompt: 'none' }, 'consent_required'],
      [{ prompt: 'none', login_hint: 'bob@example.org' }, 'account_selection_required'],
    ] as const) {
      const { redirect_to: to } = await ask(more);
      expect(to.startsWith('https://app.example.org/back?'), error).toBe(true);
      expect(answerOf(to)).toMatchObject({ error, state: 'a state & more' });
    }
    expect(answerOf((await ask({ prompt: 'none' }, app.visitor)).redirect_to)).toMatchObject({
      error: 'login_required',
    });
    await expect(ask({}, app.visitor)).rejects.toMatchObject({ id: 'login_required', code: 4032 });
    const denied = await ann.call(oauthApi.authorize, { body: { ...frame.request(), decision: 'deny' } });
    expect(answerOf(denied.redirect_to)).toMatchObject({ error: 'access_denied' });
    clock.advance(301_000);
    await expect(ask({ prompt: 'login' })).rejects.toMatchObject({ id: 'login_required' });
    await expect(ask({ max_age: '60' })).rejects.toMatchObject({ id: 'login_required' });

    for (const redirect of [
      'https://app.example.org/back/',
      'https://app.example.org/back?x=1',
      'https://app.example.org:444/back',
      'https://app.example.org/back#f',
      'https://app.example.org.evil.example/back',
      'https://evil.example/back',
      'http://app.example.org/back',
      'javascript:alert(1)',
    ])
      await expect(ask({ redirect_uri: redirect })).rejects.toMatchObject({ id: 'invalid_redirect_uri' });
    await expect(ask({ client_id: 'nobody' })).rejects.toMatchObject({ id: 'unauthorized_client' });
    await expect(ask({ client_id: undefined })).rejects.toMatchObject({ id: 'invalid_request' });
  });

  test('consent is remembered for its scopes for web apps; native apps are asked every time', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const frame = await visitingApp(app);
    const ask = (more: object) => ann.call(oauthApi.authorize, { body: frame.request(more) });
    await frame.letIn(ann);
    expect(answerOf((await ask({ prompt: 'none' })).redirect_to)['code']).toBeDefined();
    expect((await ask({ scope: 'pan' })).redirect_to).not.toBe('');
    expect((await ask({ prompt: 'consent' })).asks).toBeDefined();
    expect((await ask({ scope: 'openid user pan offline' })).asks).toBeDefined();

    const desktop = await visitingApp(app, { redirectUri: 'http://127.0.0.1/back' });
    const asDesktop = (uri: string, more = {}) =>
      ann.call(oauthApi.authorize, { body: desktop.request({ redirect_uri: uri, ...more }) });
    const code = await desktop.codeOf(ann, { redirect_uri: 'http://127.0.0.1:49152/back' });
    const reply = await desktop.exchange(code, { redirect_uri: 'http://127.0.0.1:49152/back' });
    expect(reply.statusCode).toBe(200);
    expect((await asDesktop('http://127.0.0.1:50000/back')).asks).toMatchObject({
      destination: '127.0.0.1:50000',
    });
    const silent = await asDesktop('http://127.0.0.1:50000/back', { prompt: 'none' });
    expect(answerOf(silent.redirect_to)).toMatchObject({ error: 'interaction_required' });
    for (const uri of ['http://127.0.0.1:1/other', 'http://127.0.0.2/back', 'http://localhost/back'])
      await expect(asDesktop(uri)).rejects.toMatchObject({ id: 'invalid_redirect_uri' });
  });

  test('newly granted scopes are added to those granted before', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const frame = await visitingApp(app);
    const scopes = async () => (await ann.call(oauthApi.listApps, {})).apps[0]!.scopes;
    await frame.letIn(ann, { scope: 'openid user' });
    expect(await scopes()).toEqual(['user', 'openid']);
    await frame.letIn(ann, { scope: 'pan' });
    expect((await scopes()).toSorted()).toEqual(['openid', 'pan', 'user']);
    const silent = await ann.call(oauthApi.authorize, {
      body: frame.request({ scope: 'openid user pan', prompt: 'none' }),
    });
    expect(answerOf(silent.redirect_to)['code']).toBeDefined();
  });

  test('an app authorized by an administrator has no administrator rights, and can’t authorize apps or create tokens', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    await app.accounts.makeOperator(ann.id);
    const frame = await visitingApp(app);
    const { access_token: token } = await frame.letIn(ann, {
      scope: 'user pan offline openid profile email',
    });
    const viewer = await app.sessions.identify({
      bearer: token,
      secrets: { read: () => undefined },
      address: '',
    });
    expect(viewer).toMatchObject({ operator: false });
    const client = bearer(app, token);
    await expect(client.call(oauthApi.authorize, { body: frame.request() })).rejects.toMatchObject({
      id: 'login_required',
    });
    await expect(client.call(oauthApi.handOver, {})).rejects.toMatchObject({ id: 'permission_denied' });
    await expect(client.call(accountApi.changeMe, { body: { name: 'x' } })).rejects.toMatchObject({
      id: 'permission_denied',
    });
  });
});
