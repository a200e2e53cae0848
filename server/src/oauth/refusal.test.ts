import { accountApi, GRANT_TYPES, oauthApi } from '@bowerbird/contract';
import { describe, expect, test } from 'vitest';
import { openTestApp, visitingApp, type TestApp } from '../../testing/index.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
/** RFC 6749, 5.2. */
const DESCRIPTION = /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/;
const basic = (name: string, secret: string) =>
  `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;

const post = (app: TestApp, url: string, payload: string, headers: Record<string, string> = {}) =>
  app.visitor.inject({ method: 'POST', url, headers: { ...FORM, ...headers }, payload });

describe('WWW-Authenticate', () => {
  test('has the Basic scheme if an app fails to authenticate', async () => {
    await using app = await openTestApp();
    const server = await visitingApp(app, { method: 'client_secret_basic' });
    const grant = 'grant_type=authorization_code&code=x';
    for (const [url, form, headers] of [
      [accountApi.token.path, grant, { authorization: basic(server.id, 'wrong') }],
      [accountApi.token.path, grant, { authorization: basic('nobody', 'x') }],
      [accountApi.token.path, `${grant}&client_id=${server.id}&client_secret=wrong`, {}],
      [oauthApi.askDeviceCode.path, 'scope=user', { authorization: basic(server.id, 'wrong') }],
      [accountApi.signOut.path, 'token=x', { authorization: basic(server.id, 'wrong') }],
    ] as const) {
      const reply = await post(app, url, form, headers);
      expect([reply.statusCode, reply.json().error], url).toEqual([401, 'invalid_client']);
      expect(reply.headers['www-authenticate']).toBe('Basic realm="Bowerbird"');
    }
  });

  test('has the Bearer scheme at userinfo, with an error only if a token was sent', async () => {
    await using app = await openTestApp();
    const ann = await app.signUp('ann');
    const frame = await visitingApp(app);
    const { access_token: narrow } = await frame.letIn(ann, { scope: 'pan' });
    for (const method of ['GET', 'POST'] as const) {
      const ask = async (headers: Record<string, string>) => {
        const reply = await app.http.inject({ method, url: oauthApi.userinfo.path, headers });
        return [reply.statusCode, reply.headers['www-authenticate']];
      };
      expect(await ask({})).toEqual([401, 'Bearer realm="Bowerbird"']);
      expect(await ask({ authorization: 'Bearer nonsense' })).toEqual([
        401,
        'Bearer realm="Bowerbird", error="invalid_token"',
      ]);
      expect(await ask({ authorization: `Bearer ${narrow}` })).toEqual([
        403,
        'Bearer realm="Bowerbird", error="insufficient_scope", scope="openid"',
      ]);
      expect(await ask({ authorization: `Bearer ${ann.accessToken}` })).toEqual([200, undefined]);
    }
  });

  test('is readable by pages of any site, and absent from calls outside OAuth', async () => {
    await using app = await openTestApp();
    const reply = await app.http.inject({
      url: oauthApi.userinfo.path,
      headers: { origin: 'https://app.example' },
    });
    expect(reply.headers['access-control-expose-headers']).toMatch(/\bwww-authenticate\b/);
    const other = await app.http.inject({ url: accountApi.me.path });
    expect(other.statusCode).toBe(401);
    expect(other.headers).not.toHaveProperty('www-authenticate');
  });
});

test('error_description is ASCII without quotes and backslashes in any language, and comes with the localized text', async () => {
  await using app = await openTestApp();
  const ann = await app.signUp('ann');
  const frame = await visitingApp(app);
  const said = async (url: string, form: string) => {
    const reply = await post(app, url, form, { 'accept-language': 'ja' });
    expect(reply.statusCode).toBeGreaterThanOrEqual(400);
    return reply.json();
  };
  const grants = ['password', ...GRANT_TYPES].map((type) => `grant_type=${encodeURIComponent(type)}`);
  for (const refused of await Promise.all([
    ...grants.map((grant) => said(accountApi.token.path, `${grant}&client_id=x&code=x&refresh_token=x`)),
    said(accountApi.token.path, ''),
    said(oauthApi.askDeviceCode.path, `client_id=${frame.id}&scope=${encodeURIComponent('“ユ\\"')}`),
    said(oauthApi.register.path, 'redirect_uris=javascript:x'),
    said(accountApi.signOut.path, 'client_id=x'),
  ])) {
    expect(refused.error_description).toMatch(DESCRIPTION);
    const localized = refused.details.find((detail: object) => 'locale' in detail);
    expect(localized).toMatchObject({ locale: 'ja', message: expect.stringMatching(/[\u3040-\u30ff]/) });
  }
  for (const wrong of [{ scope: 'no“such' }, { registration: '{}' }, { request: 'x' }, { max_age: 'soon' }]) {
    const { redirect_to: to } = await ann.call(
      oauthApi.authorize,
      { body: frame.request(wrong) },
      { 'accept-language': 'ru' },
    );
    expect(new URL(to).searchParams.get('error_description')).toMatch(DESCRIPTION);
  }
});

describe('a malformed request is invalid_request', () => {
  test.each([
    [accountApi.token.path, 'grant_type=refresh_token&grant_type=refresh_token&refresh_token=x'],
    [accountApi.token.path, 'grant_type=refresh_token&refresh_token=x&refresh_token=y'],
    [accountApi.token.path, 'grant_type=authorization_code&code=x&client_id=a&client_id=b'],
    [accountApi.token.path, '{"grant_type":'],
    [accountApi.signOut.path, 'token=x&token=y'],
    [oauthApi.askDeviceCode.path, 'client_id=x&scope=user&scope=pan'],
  ])('%s %s', async (url, form) => {
    await using app = await openTestApp();
    const reply = await post(app, url, form);
    expect([reply.statusCode, reply.json()]).toMatchObject([
      400,
      { error: 'invalid_request', error_code: 4121 },
    ]);
  });

  test('an app is told which of its parameters was repeated, unless it is one that identifies the app', async () => {
    await using app = await openTestApp();
    const ann = await app.signUp('ann');
    const frame = await visitingApp(app);
    const ask = (repeated: string[]) =>
      ann.call(oauthApi.authorize, { body: { ...frame.request(), repeated } });
    const { redirect_to: to } = await ask(['scope']);
    expect(to.startsWith(`${frame.redirectUri}?error=invalid_request&`)).toBe(true);
    for (const name of ['client_id', 'redirect_uri'])
      await expect(ask(['scope', name])).rejects.toMatchObject({ id: 'invalid_request' });
  });
});

test('a parameter without a value counts as absent', async () => {
  await using app = await openTestApp();
  const ann = await app.signUp('ann');
  const server = await visitingApp(app, { method: 'client_secret_basic' });
  const empty = { code_challenge: '', code_challenge_method: '', state: '', scope: '' };
  const { redirect_to: to } = await ann.call(oauthApi.authorize, {
    body: { ...server.request(empty), decision: 'allow' },
  });
  const answer = new URL(to).searchParams;
  expect(answer.has('state')).toBe(false);
  const granted = await server.ask({
    grant_type: 'authorization_code',
    code: answer.get('code')!,
    redirect_uri: '',
    code_verifier: '',
  });
  expect(granted.json()).toMatchObject({ sub: ann.id });
  const nothing = await server.ask({ grant_type: '' });
  expect(nothing.json()).toMatchObject({
    error: 'invalid_request',
    details: [{ metadata: { field: 'grant_type' } }, {}],
  });
});
