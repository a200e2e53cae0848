import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { oauthApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { eachDatabase, openTestApp, turnableClock, visitingApp } from '../../testing/index.ts';
import { knownClients } from './known-clients.ts';
import { isRedirectUri, isSameRedirect } from './oauth.ts';
import { createProviderFetch } from './provider-fetch.ts';

const DAY = 24 * 3600 * 1000;

eachDatabase((dialect) => {
  test('a client registers itself, and is deleted if nobody authorizes it', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await app.signUp('ann');
    const used = await visitingApp(app);
    const unused = await visitingApp(app);
    await used.letIn(ann);
    clock.advance(8 * DAY);
    await app.database.transaction((tx) => app.jobs.enqueue(tx, 'forget-oauth-clients', null));
    await app.jobs.drain();
    const again = await app.visitor.call(oauthApi.doors, {}).then(() => app.signUp('bob'));
    const ask = (one: typeof used) => again.call(oauthApi.authorize, { body: one.request() });
    expect((await ask(used)).asks).toBeDefined();
    await expect(ask(unused)).rejects.toMatchObject({ id: 'unauthorized_client' });
  });

  test('a client registration is validated, and registration can be turned off', async () => {
    await using app = await openTestApp({ dialect });
    const register = (body: object) => app.visitor.call(oauthApi.register, { body });
    const made = await app.visitor.inject({
      method: 'POST',
      url: oauthApi.register.path,
      payload: JSON.stringify({ client_name: 'A\nB', redirect_uris: ['https://a.example/x'] }),
    });
    expect(made.statusCode).toBe(201);
    expect(made.json()).toMatchObject({
      client_name: 'A B',
      client_secret_expires_at: 0,
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code', 'refresh_token'],
    });
    for (const uri of ['http://a.example/x', 'myapp:/x', 'javascript:alert(1)', 'https://a.example/#x', 'x'])
      await expect(register({ redirect_uris: [uri] })).rejects.toMatchObject({ id: 'invalid_redirect_uri' });
    await expect(register({})).rejects.toMatchObject({ id: 'invalid_redirect_uri' });
    const redirect_uris = ['https://a.example/x'];
    for (const wrong of [
      { token_endpoint_auth_method: 'private_key_jwt' },
      { grant_types: ['implicit'] },
      { response_types: ['token'] },
      { client_uri: 'javascript:alert(1)' },
    ])
      await expect(register({ redirect_uris, ...wrong })).rejects.toMatchObject({
        id: 'invalid_client_metadata',
      });
    const rows = app.database.on<{ oauth_client: object }>().selectFrom('oauth_client').selectAll();
    expect(JSON.stringify(await rows.execute())).not.toContain(made.json().client_secret);

    await using closed = await openTestApp({ dialect, environment: { OAUTH_REGISTRATION: 'false' } });
    await expect(closed.visitor.call(oauthApi.register, { body: { redirect_uris } })).rejects.toMatchObject({
      id: 'registration_not_supported',
      code: 4039,
    });
    const document = await closed.visitor.call(oauthApi.openidConfiguration, {});
    expect(document).not.toHaveProperty('registration_endpoint');
  });
});

test('the discovery document lists every endpoint', async () => {
  await using app = await openTestApp();
  for (const spec of [oauthApi.openidConfiguration, oauthApi.serverMetadata])
    expect(await app.visitor.call(spec, {})).toMatchObject({
      issuer: 'http://drive.test',
      authorization_endpoint: 'http://drive.test/drive/auth-center',
      token_endpoint: 'http://drive.test/v1/auth/token',
      revocation_endpoint: 'http://drive.test/v1/auth/revoke',
      device_authorization_endpoint: 'http://drive.test/v1/auth/device/code',
      registration_endpoint: 'http://drive.test/v1/clients-registrations/openid-connect',
      code_challenge_methods_supported: ['S256'],
    });
  const [a, b] = await Promise.all([1, 2].map(() => app.visitor.call(oauthApi.keys, {})));
  expect(a).toEqual(b);
  expect(a!.keys).toHaveLength(1);
  expect(Object.keys(a!.keys[0]!).toSorted()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
});

test('signing keys rotate, and tokens signed with the previous key stay valid until they expire', async () => {
  const clock = turnableClock();
  await using app = await openTestApp({ clock });
  const ann = await app.signUp('ann');
  const frame = await visitingApp(app);
  const before = await frame.letIn(ann);
  const identify = (bearer: string) =>
    app.sessions.identify({ bearer, secrets: { read: () => undefined }, address: '' });
  clock.advance(90 * DAY - 3600_000);
  const late = await frame.letIn(await app.signUp('bob'));
  clock.advance(2 * 3600_000 - 60_000);
  const next = await frame.letIn(await app.signUp('cid'));
  const { keys } = await app.visitor.call(oauthApi.keys, {});
  expect(keys).toHaveLength(2);
  for (const { n } of keys) expect(Buffer.from(String(n), 'base64url')).toHaveLength(3072 / 8);
  expect(await identify(late.access_token)).not.toBeNull();
  expect(await identify(next.access_token)).not.toBeNull();
  expect(await identify(before.access_token)).toBeNull();
});

test('the clients file of the administrator may register apps and devices, and its errors are reported at the start', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-clients-'));
  const file = join(folder, 'clients.json');
  const read = async (entry: object) => {
    await writeFile(file, JSON.stringify([entry]));
    return knownClients(file).at(-1)!;
  };
  const client = await read({
    client_id: 'tool',
    client_secret: 's',
    redirect_uris: ['com.example.tool:/back'],
    scope: 'pan',
  });
  expect(client).toMatchObject({ standing: 'known', scopes: ['pan'], name: 'tool' });
  for (const wrong of [
    {},
    { client_id: 'a b' },
    { client_id: 'a', redirect_uris: ['javascript:x'] },
    { client_id: 'a', grant_types: ['implicit'] },
    { client_id: 'a', redirect_uris: 'https://a.example' },
  ])
    await expect(read(wrong)).rejects.toThrow('OAUTH_CLIENTS');
  await rm(folder, { recursive: true });
});

test('redirect addresses are compared exactly, except for the port of a loopback address', () => {
  expect(isSameRedirect('http://127.0.0.1:1/a', 'http://127.0.0.1/a')).toBe(true);
  expect(isSameRedirect('http://[::1]:1/a', 'http://[::1]/a')).toBe(true);
  expect(isSameRedirect('http://127.0.0.1:1/a?x=1', 'http://127.0.0.1/a?x=1')).toBe(true);
  for (const asked of [
    'http://127.0.0.1:1/b',
    'http://x@127.0.0.1/a',
    'http://127.0.0.1.x/a',
    'http://[::1]/a',
    'http://127.0.0.1:1/a?next=elsewhere',
    'http://127.0.0.1:1/a#next',
    'https://127.0.0.1/a',
  ])
    expect(isSameRedirect(asked, 'http://127.0.0.1/a'), asked).toBe(false);
  expect(isSameRedirect('https://a.example:8443/a', 'https://a.example/a')).toBe(false);
  expect(isRedirectUri('com.example:/x', 'registered')).toBe(false);
  expect(isRedirectUri('com.example:/x', 'known')).toBe(true);
});

test('private addresses in the identity provider’s documents are not requested', async () => {
  const fetch = createProviderFetch('https://login.example.org');
  for (const url of [
    'https://127.0.0.1/token',
    'https://10.1.2.3/token',
    'https://[::1]/token',
    'https://[::ffff:169.254.169.254]/token',
    'https://localhost/token',
    'http://other.example/token',
    'file:///etc/passwd',
  ])
    await expect(fetch(url), url).rejects.toThrow(/public internet|resolves to|requested over/);
});
