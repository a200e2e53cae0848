import {
  ANY,
  ENDPOINTS,
  GRANT_SCOPES,
  oauthApi,
  pathOf,
  scopeOf,
  type EndpointSpec,
} from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { openTestApp, visitingApp } from '../../testing/index.ts';

/** Any value will do: a token for another scope is rejected before they are read. */
const addressOf = (spec: EndpointSpec): string =>
  pathOf(spec, Object.fromEntries([...spec.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name!, 'x'])));

test('a token allows only the endpoints of its scopes, across all endpoints', async () => {
  await using app = await openTestApp();
  const ann = await app.signUp('ann');
  const required = ENDPOINTS.filter(
    (spec) => spec.credentials === 'required' && scopeOf(spec) !== ANY && app.api.served.has(spec.name),
  );
  expect(required.length).toBeGreaterThan(80);
  for (const scope of GRANT_SCOPES) {
    const frame = await visitingApp(app);
    const { access_token: token } = await frame.letIn(ann, { scope });
    for (const spec of required.filter((one) => scopeOf(one) !== scope)) {
      const reply = await app.http.inject({
        method: spec.method,
        url: addressOf(spec),
        headers: { authorization: `Bearer ${token}` },
        ...(spec.method === 'GET' ? {} : { payload: '{}' }),
      });
      expect([reply.statusCode, reply.json().error], `${spec.name} with ${scope}`).toEqual([
        403,
        'permission_denied',
      ]);
    }
  }
}, 180_000);

test('on endpoints open to visitors, a token for another scope gets what a visitor gets', async () => {
  await using app = await openTestApp();
  const ann = await app.signUp('ann');
  const frame = await visitingApp(app);
  const { access_token: token } = await frame.letIn(ann, { scope: 'openid' });
  const viewer = await app.sessions.identify({
    bearer: token,
    secrets: { read: () => undefined },
    address: '',
  });
  expect([...viewer!.scopes]).toEqual(['openid']);
  const reply = await app.http.inject({
    method: 'POST',
    url: '/v1/auth/authorize',
    headers: { authorization: `Bearer ${token}` },
    payload: JSON.stringify(frame.request()),
  });
  expect(reply.json()).toMatchObject({ error: 'login_required' });
});

test('endpoints that change an account require a sign-in, except those that declare otherwise', () => {
  const changing = ENDPOINTS.filter(
    ({ host, method, name }) => host === 'user' && method !== 'GET' && name !== oauthApi.postUserinfo.name,
  );
  for (const spec of changing.filter(({ credentials }) => credentials !== 'none'))
    expect(['signed-in', 'any'], spec.name).toContain(scopeOf(spec));
});
