import { accountApi, ENDPOINTS } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { openTestApp } from '../../../testing/index.ts';

const SITE = 'http://drive.test';
const LEAVE = 'access-control-allow-origin';

test('pages of the site may call the API under another address, pages of other sites may not', async () => {
  await using app = await openTestApp();
  const ask = (origin: string, method: 'GET' | 'OPTIONS', more: Record<string, string> = {}) =>
    app.http.inject({ method, url: '/v1/auth/rules', headers: { host: 'api.test:8443', origin, ...more } });
  const read = await ask(SITE, 'GET');
  expect(read.headers).toMatchObject({ [LEAVE]: SITE, 'access-control-allow-credentials': 'true' });
  const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-device-id' };
  const before = await ask(SITE, 'OPTIONS', asked);
  expect([before.statusCode, before.headers['access-control-allow-headers']]).toEqual([204, 'x-device-id']);
  for (const origin of ['http://evil.test', 'null', `${SITE}.evil.test`, 'https://drive.test'])
    for (const reply of [await ask(origin, 'GET'), await ask(origin, 'OPTIONS', asked)])
      expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
});

test('responses to the API’s own site have no CORS headers', async () => {
  await using app = await openTestApp();
  const reply = await app.http.inject({
    url: '/v1/auth/rules',
    headers: { host: 'drive.test', origin: SITE },
  });
  expect(reply.headers[LEAVE]).toBeUndefined();
});

test('apps in pages of any site may call the token and key endpoints without cookies, and no others', async () => {
  await using app = await openTestApp();
  const ann = await app.signUp('ann');
  const origin = 'https://app.example';
  const asked = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  };
  for (const { path, anyOrigin, method } of ENDPOINTS.filter((spec) => !spec.path.includes('{'))) {
    const before = await app.http.inject({ method: 'OPTIONS', url: path, headers: { origin, ...asked } });
    const isOpen = ENDPOINTS.some((spec) => spec.path === path && spec.anyOrigin);
    expect(before.headers[LEAVE], path).toBe(isOpen ? '*' : undefined);
    if (!anyOrigin) continue;
    expect(before).toMatchObject({
      statusCode: 204,
      headers: { 'access-control-allow-headers': 'authorization' },
    });
    // The app may read the reason of a rejection too.
    const reply = await app.http.inject({ method, url: path, headers: { origin } });
    expect(reply.headers, path).toMatchObject({ [LEAVE]: '*' });
    expect(reply.headers, path).not.toHaveProperty('access-control-allow-credentials');
  }
  const refreshed = await app.send({
    method: 'POST',
    url: accountApi.token.path,
    headers: { origin },
    payload: { grant_type: 'refresh_token', refresh_token: ann.refreshToken },
  });
  expect(refreshed).toMatchObject({ statusCode: 200, headers: { [LEAVE]: '*' } });
  expect(ENDPOINTS.filter(({ anyOrigin }) => anyOrigin).map(({ name }) => name)).toEqual([
    'account.token',
    'account.signOut',
    'oauth.openidConfiguration',
    'oauth.serverMetadata',
    'oauth.keys',
    'oauth.register',
    'oauth.userinfo',
    'oauth.postUserinfo',
    'oauth.askDeviceCode',
  ]);
});
