import { accountApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { openTestApp, PASSWORD, type TestApp } from '../../../testing/index.ts';
import { cookieWriter } from './cookies.ts';

const signIn = async (app: TestApp, origin: string) => {
  const { email } = await app.signUp('ann');
  const { cookies } = await app.send({
    method: 'POST',
    url: accountApi.signIn.path,
    headers: { origin },
    payload: { username: email, password: PASSWORD, session: 'cookie' },
  });
  return cookies.find(({ httpOnly }) => httpOnly)!;
};

test('over HTTPS the session is read from a __Host- cookie only, which no subdomain can set', async () => {
  await using app = await openTestApp({ environment: { SITE_URL: 'https://drive.test' } });
  const { name, value, ...rules } = await signIn(app, 'https://drive.test');
  expect(name).toBe('__Host-pp_session');
  expect(rules).toMatchObject({ secure: true, httpOnly: true, path: '/', sameSite: 'Lax' });
  expect(rules).not.toHaveProperty('domain');
  const me = async (cookies: Record<string, string>) =>
    (await app.http.inject({ url: '/v1/user/me', cookies })).statusCode;
  expect(await me({ [name]: value })).toBe(200);
  // Cookie that a page on another host of the domain may plant.
  expect(await me({ pp_session: value })).toBe(401);
});

test('over plain HTTP the cookie has no __Host- prefix', async () => {
  await using app = await openTestApp();
  const { name, value, ...rules } = await signIn(app, 'http://drive.test');
  expect(name).toBe('pp_session');
  expect(rules).not.toHaveProperty('secure');
  expect((await app.http.inject({ url: '/v1/user/me', cookies: { pp_session: value } })).statusCode).toBe(
    200,
  );
});

test('a cookie is cleared under the name that it was set with', () => {
  const written: string[] = [];
  const { secrets } = cookieWriter('https://drive.test', { '__Host-a': 'x', b: 'y' }, (text) =>
    written.push(text),
  );
  expect([secrets.read('a'), secrets.read('b')]).toEqual(['x', undefined]);
  secrets.keep('a', 'z', 60);
  secrets.drop('a');
  expect(written).toEqual([
    '__Host-a=z; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax',
    '__Host-a=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
  ]);
});
