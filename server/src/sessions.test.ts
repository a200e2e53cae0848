import { accountApi, ENDPOINTS, oauthApi, securityApi, type EndpointSpec } from '@bowerbird/contract';
import { describe, expect, test } from 'vitest';
import {
  basic,
  openTestApp,
  PASSWORD,
  plant,
  turnableClock,
  visitingApp,
  type Member,
  type TestApp,
} from '../testing/index.ts';

// All ways to authenticate: what ends them, who may use them, where they appear, and how guesses are limited.

const OWN = { origin: 'http://drive.test' };
const NEXT = 'another bower of green things';
const TELEVISION = 'bowerbird-tv';

const signedIn = async (app: TestApp, { email }: Member): Promise<string> => {
  const { cookies } = await app.send({
    method: 'POST',
    url: accountApi.signIn.path,
    headers: OWN,
    payload: { username: email, password: PASSWORD, session: 'cookie' },
  });
  return cookies.find(({ httpOnly }) => httpOnly)!.value;
};
const reads = async (app: TestApp, url: string, headers: Record<string, string>): Promise<boolean> =>
  (await app.http.inject({ url, headers })).statusCode === 200;
const mounts = async (app: TestApp, name: string, secret: string): Promise<boolean> =>
  (
    await app.http.inject({
      method: 'PROPFIND' as 'GET',
      url: '/dav/',
      headers: { authorization: basic(name, secret), depth: '0' },
    })
  ).statusCode === 207;
const gives = async (ask: () => Promise<{ statusCode: number }>): Promise<boolean> =>
  (await ask()).statusCode === 200;
const asked = (app: TestApp, body: Record<string, string>) =>
  app.send({ method: 'POST', url: accountApi.token.path, headers: OWN, payload: body });

/** Creates every way to authenticate as a member; each returns whether it still works. */
async function waysIn(app: TestApp, ann: Member): Promise<Record<string, () => Promise<boolean>>> {
  const cookie = await signedIn(app, ann);
  const frame = await visitingApp(app);
  const let_in = await frame.letIn(ann, { scope: 'openid user pan' });
  const code = await frame.codeOf(ann);
  const pass = (kind: 'app_password' | 'access_token', scope: 'dav' | 'pan') =>
    ann.call(securityApi.createPass, { body: { password: PASSWORD, kind, name: 'x', scopes: [scope] } });
  const appPassword = (await pass('app_password', 'dav')).secret;
  const accessToken = (await pass('access_token', 'pan')).secret;
  // The password is used once before, as a returning client would.
  for (const secret of [appPassword, PASSWORD]) expect(await mounts(app, ann.email, secret)).toBe(true);
  const { code: handedOver } = await ann.call(oauthApi.handOver, {});
  const device = await app.visitor.call(oauthApi.askDeviceCode, {
    body: { client_id: TELEVISION, scope: 'user pan' },
  });
  await ann.call(oauthApi.decideDevice, { body: { user_code: device.user_code, decision: 'allow' } });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  return {
    'a browser session': () => reads(app, '/v1/user/me', { cookie: `pp_session=${cookie}` }),
    'a program’s access token': () => reads(app, '/v1/user/me', bearer(ann.accessToken)),
    'a program’s refresh token': () =>
      gives(() => asked(app, { grant_type: 'refresh_token', refresh_token: ann.refreshToken })),
    'an app’s access token': () => reads(app, '/drive/v1/about', bearer(let_in.access_token)),
    'an app’s refresh token': () =>
      gives(() => frame.ask({ grant_type: 'refresh_token', refresh_token: let_in.refresh_token })),
    'an app’s code': () => gives(() => frame.exchange(code)),
    'a sign-in code for our own pages': () =>
      gives(() =>
        asked(app, { grant_type: 'authorization_code', client_id: 'bowerbird-web', code: handedOver }),
      ),
    'an approved television': () =>
      gives(() =>
        asked(app, {
          grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
          client_id: TELEVISION,
          device_code: device.device_code,
        }),
      ),
    'an app password': () => mounts(app, ann.email, appPassword),
    'a member’s access token': () => reads(app, '/drive/v1/about', bearer(accessToken)),
    'the password for WebDAV': () => mounts(app, ann.email, PASSWORD),
  };
}

const PASSES = ['an app password', 'a member’s access token'];
const CODES = ['an app’s code', 'a sign-in code for our own pages', 'an approved television'];
const PASSWORDS = ['the password for WebDAV'];

/** Events, and the ways that survive them. */
const ENDINGS: Record<string, { end: (app: TestApp, ann: Member) => Promise<unknown>; stay: string[] }> = {
  'a password change': {
    end: (_, ann) =>
      ann.call(securityApi.changePassword, { body: { password: PASSWORD, new_password: NEXT } }),
    // The session that changes the password survives.
    stay: ['a program’s access token', 'a program’s refresh token'],
  },
  'a password reset': {
    end: async (app, { email }) =>
      app.visitor.call(accountApi.resetPassword, {
        body: {
          verification_token: await app.passwords.oneTimeToken({ email, phone: '' }),
          new_password: NEXT,
        },
      }),
    stay: [],
  },
  'signing out everywhere else': {
    end: (_, ann) => ann.call(securityApi.endOtherSessions, {}),
    stay: ['a program’s access token', 'a program’s refresh token', ...PASSES, ...CODES, ...PASSWORDS],
  },
  freezing: { end: (app, { id }) => app.accounts.freeze(id, true), stay: [] },
  'no event': {
    end: async () => undefined,
    stay: [
      'a browser session',
      'a program’s access token',
      'a program’s refresh token',
      'an app’s access token',
      'an app’s refresh token',
      ...PASSES,
      ...CODES,
      ...PASSWORDS,
    ],
  },
};

test.each(Object.entries(ENDINGS))(
  '%s ends exactly the ways to authenticate that it should, at once',
  async (_, ending) => {
    const clock = turnableClock();
    await using app = await openTestApp({ clock });
    const ann = await app.signUp('ann');
    const ways = await waysIn(app, ann);
    clock.advance(6000);
    await ending.end(app, ann);
    const open: string[] = [];
    for (const [name, opens] of Object.entries(ways)) if (await opens()) open.push(name);
    expect(open.toSorted()).toEqual(ending.stay.toSorted());
  },
);

const addressOf = (path: string): string => path.replaceAll(/\{\w+\}/g, 'x');

test('no endpoint that changes anything accepts requests of another site with the visitor’s cookie, across all endpoints', async () => {
  await using app = await openTestApp();
  const ann = await app.signUp('ann');
  const cookie = `pp_session=${await signedIn(app, ann)}`;
  const changing = ENDPOINTS.filter(
    (spec) => spec.method !== 'GET' && spec.credentials === 'required' && app.api.served.has(spec.name),
  );
  expect(changing.length).toBeGreaterThan(60);
  for (const { name, method, path } of changing)
    for (const from of [{ origin: 'https://evil.test' }, { 'sec-fetch-site': 'same-site' }, {}]) {
      const headers = { cookie, ...from };
      const reply = await app.http.inject({ method, url: addressOf(path), headers, payload: {} });
      expect([name, reply.statusCode, reply.json().error]).toEqual([name, 401, 'unauthenticated']);
    }
  expect(await reads(app, '/v1/user/me', { cookie })).toBe(true);
});

test('a session secret in a URL is ignored, and appears in no response and no log', async () => {
  await using app = await openTestApp();
  const ann = await app.signUp('ann');
  const cookie = await signedIn(app, ann);
  const pass = await ann.call(securityApi.createPass, {
    body: { password: PASSWORD, kind: 'access_token', name: 'x', scopes: ['pan'] },
  });
  const secrets = [ann.accessToken, ann.refreshToken, cookie, pass.secret];
  for (const secret of secrets)
    for (const name of ['access_token', 'token', 'session', 'pp_session', 'authorization', 'refresh_token'])
      expect(await reads(app, `/v1/user/me?${name}=${encodeURIComponent(secret)}`, {}), name).toBe(false);
  await plant(app, ann.id, { 'photo.txt': 'a blue feather' });
  const own = { authorization: `Bearer ${ann.accessToken}`, cookie: `pp_session=${cookie}` };
  const gets = ENDPOINTS.filter(({ method, name }) => method === 'GET' && app.api.served.has(name));
  const said: string[] = [];
  for (const { path } of gets) {
    const { headers, body } = await app.http.inject({ url: addressOf(path), headers: own });
    // The session cookie itself is refreshed in responses.
    said.push(JSON.stringify({ ...headers, 'set-cookie': '' }), body);
  }
  const all = said.join('\n') + app.logged.join('\n');
  expect(all).toContain('photo.txt');
  for (const secret of secrets) expect(all).not.toContain(secret);
});

describe('password guesses', () => {
  const guess = 'a wrong guess of many';
  /** Further fields of every endpoint that requires the member's password. */
  const SAID: Record<string, object> = {
    'security.changePassword': { new_password: NEXT },
    'security.changeEmail': { email: 'b@example.org' },
    'security.beginSecondFactor': {},
    'security.endSecondFactor': {},
    'security.renewRecoveryCodes': {},
    'security.beginPasskey': {},
    'security.removePasskey': { id: 'x' },
    'security.createPass': { kind: 'access_token', name: 'x', scopes: ['pan'] },
    'security.revokePass': { id: 'x' },
    'oauth.unlinkExternal': { id: 'x' },
    'webdav.create': { application_name: 'x' },
    'security.changePhone': { phone_number: '+4915112345678', verification_token: 'x' },
    'security.removePhone': {},
    'closing.begin': {},
    'takeout.open': { id: 'x' },
  };
  const asking = ENDPOINTS.filter(
    ({ body, credentials }) =>
      credentials === 'required' && (body?.required as string[] | undefined)?.includes('password'),
  );

  test.each(asking.map((spec) => [spec.name, spec] as const))(
    'wrong passwords at %s count together with those at every other endpoint within a session',
    async (name, spec) => {
      expect(Object.keys(SAID)).toContain(name);
      await using app = await openTestApp({
        clock: turnableClock(),
        environment: { SMS_URL: 'outbox:', SMS_COUNTRIES: 'DE' },
      });
      const ann = await app.signUp('ann');
      const say = (password: string, { method, path }: Pick<EndpointSpec, 'method' | 'path'>) =>
        ann.inject({ method, url: path.replace('{id}', 'x'), payload: { ...SAID[name], password } });
      for (let n = 0; n < 6; n++) await say(guess, spec);
      const { method, path } = securityApi.beginSecondFactor;
      expect((await say(PASSWORD, { method, path })).json()).toMatchObject({ error: 'account_locked_retry' });
    },
  );

  test('wrong passwords of WebDAV clients count together with those at sign-in', async () => {
    await using app = await openTestApp({ clock: turnableClock() });
    const ann = await app.signUp('ann');
    for (let n = 0; n < 6; n++) await mounts(app, ann.email, `${guess} ${n}`);
    await expect(
      app.visitor.call(accountApi.signIn, { body: { username: ann.email, password: PASSWORD } }),
    ).rejects.toMatchObject({ id: 'account_locked_retry' });
  });
});
