import { oauthApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { openTestApp, visitingApp } from '../../testing/index.ts';

const PAGE = '/drive/auth-center';

test('an app may send its request as a form; the page then has every parameter in its address, repeated ones included', async () => {
  await using app = await openTestApp();
  const frame = await visitingApp(app);
  const sent = new URLSearchParams({ ...frame.request({ nonce: 'n & m' }), unknown: 'x' });
  sent.append('scope', 'pan');
  const reply = await app.http.inject({
    method: 'POST',
    url: PAGE,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://app.example.org' },
    payload: sent.toString(),
  });
  expect(reply.statusCode).toBe(303);
  const to = new URL(reply.headers.location!, 'http://drive.test');
  expect(to.origin + to.pathname).toBe(`http://drive.test${PAGE}`);
  sent.delete('unknown');
  to.searchParams.sort();
  sent.sort();
  expect([...to.searchParams]).toEqual([...sent]);
});

test('the member’s decision is sent to the page, not to a redirect', async () => {
  await using app = await openTestApp();
  const frame = await visitingApp(app);
  const query = new URLSearchParams({ ...frame.request() }).toString();
  const reply = await app.http.inject({
    method: 'POST',
    url: `${PAGE}?${query}`,
    payload: `decision=allow&${query}`,
  });
  expect(reply.headers).not.toHaveProperty('location');
});

test('userinfo answers POST like GET, with a token and without', async () => {
  await using app = await openTestApp();
  const ann = await app.signUp('ann');
  const frame = await visitingApp(app);
  const { access_token: token } = await frame.letIn(ann, { scope: 'openid email' });
  const ask = (method: 'GET' | 'POST', headers: Record<string, string> = {}) =>
    app.http.inject({ method, url: oauthApi.userinfo.path, headers });
  const bearer = { authorization: `Bearer ${token}` };
  const posted = await ask('POST', { ...bearer, 'content-type': 'application/x-www-form-urlencoded' });
  expect(posted.statusCode).toBe(200);
  expect(posted.json()).toEqual({ sub: ann.id, email: ann.email, email_verified: false });
  expect(posted.json()).toEqual((await ask('GET', bearer)).json());
  expect((await ask('POST')).statusCode).toBe(401);
});
