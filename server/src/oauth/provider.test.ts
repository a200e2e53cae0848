import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openOpenidProvider, turnableClock, type OpenidProvider } from '../../testing/index.ts';
import { createLog } from '../foundation/index.ts';
import { createProviderFetch } from './provider-fetch.ts';
import { createProvider } from './provider-service.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DISCOVERY = '/.well-known/openid-configuration';
const REDIRECT = 'http://drive.test/auth';
const LOGIN = { state: 'a state', nonce: 'a nonce', verifier: 'v'.repeat(43) };
const ZOE = { subject: 'u1', email: 'zoe@corp.example', isVerified: true, name: 'Zoe Bower' };
const INVALID = { id: 'third_party_failed' };
const AWAY = { id: 'temporarily_unavailable' };

/** Client of a provider, with an adjustable clock. */
function signingInAt(provider: OpenidProvider, { timeoutMs = 5000 } = {}) {
  const clock = turnableClock(Date.now());
  const logged: string[] = [];
  const one = createProvider({
    settings: {
      issuer: provider.issuer,
      clientId: provider.clientId,
      clientSecret: provider.clientSecret,
      label: 'Corp',
      domains: [],
      signUp: true,
    },
    fetch: createProviderFetch(provider.issuer, timeoutMs),
    clock,
    log: createLog('info', { write: (line) => void logged.push(line) }),
  });
  const signIn = async (iss?: string) => {
    const back = await provider.visit(await one.begin(LOGIN, REDIRECT));
    return one.finish({ code: back.searchParams.get('code')!, iss }, LOGIN, REDIRECT);
  };
  return { clock, logged, signIn };
}

/** Returns an answer with a status, a type and a text. */
const says =
  (text: string, { status = 200, type = 'application/json' } = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, { 'content-type': type }).end(text);

const json = (value: unknown) => says(JSON.stringify(value));
const asked = (provider: OpenidProvider, path: string): number =>
  provider.requested.filter((one) => one === path).length;
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

test('answers that are no JSON object, redirect, are too large or have another status are rejected', async () => {
  await using provider = await openOpenidProvider();
  provider.document = { userinfo_endpoint: `${provider.issuer}/userinfo` };
  provider.person = { sub: 'u1' };
  const hostile: Record<string, (response: ServerResponse) => void> = {
    html: says('<!doctype html><title>Sign in</title>', { type: 'text/html' }),
    nothing: says(''),
    'half of it': says('{"issuer":'),
    list: json([]),
    null: json(null),
    number: json(1),
    'no content': (response) => void response.writeHead(204).end(),
    'reset content': (response) => void response.writeHead(205).end(),
    'not found': says('{}', { status: 404 }),
    redirect: (response) => void response.writeHead(302, { location: `${provider.issuer}/other` }).end(),
    huge: says(`{"keys":[],"issuer":"${'x'.repeat(1024 * 1024)}"}`),
    compressed: (response) =>
      void response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.from([31, 139, 8, 0])),
  };
  for (const path of [DISCOVERY, '/token', '/keys', '/userinfo'])
    for (const [name, answer] of Object.entries(hostile)) {
      provider.instead.clear();
      provider.instead.set(path, answer);
      await expect(signingInAt(provider).signIn(), `${path}: ${name}`).rejects.toMatchObject(INVALID);
    }
  expect(asked(provider, '/other')).toBe(0);
});

test('answers with values of other types are rejected', async () => {
  await using provider = await openOpenidProvider();
  const { issuer } = provider;
  for (const value of [undefined, null, 1, {}, [issuer], '', 'no address', 'javascript:alert(1)'])
    for (const name of ['issuer', 'authorization_endpoint', 'token_endpoint', 'jwks_uri']) {
      provider.document = { [name]: value };
      await expect(signingInAt(provider).signIn(), `${name}: ${JSON.stringify(value)}`).rejects.toMatchObject(
        INVALID,
      );
    }
  provider.document = {};
  for (const keys of [undefined, null, {}, 'keys', [null], ['key'], [{ kty: 'RSA' }], [{ kty: 1, n: {} }]]) {
    provider.instead.set('/keys', json({ keys }));
    await expect(signingInAt(provider).signIn(), JSON.stringify(keys)).rejects.toMatchObject(INVALID);
  }
  provider.instead.clear();
  for (const idToken of [undefined, null, 1, {}, '', 'x', 'a.b.c', 'a.b.c.d.e', '..']) {
    provider.instead.set('/token', json({ access_token: 'a', token_type: 'Bearer', id_token: idToken }));
    await expect(signingInAt(provider).signIn(), JSON.stringify(idToken)).rejects.toMatchObject(INVALID);
  }
  provider.instead.clear();
  for (const lies of [
    { sub: 1 as never },
    { aud: [] },
    { nonce: 1 },
    { nonce: null },
    { nbf: Math.floor(Date.now() / 1000) + 3600 },
  ]) {
    provider.lies = lies;
    await expect(signingInAt(provider).signIn(), JSON.stringify(lies)).rejects.toMatchObject(INVALID);
  }
  provider.lies = {};
  provider.person = { sub: 'u1', email: 1 as never, name: {} as never };
  expect(await signingInAt(provider).signIn()).toEqual({
    subject: 'u1',
    email: '',
    isVerified: false,
    name: '',
  });
});

test('a provider that hangs, breaks off or has an error is reported as unavailable', async () => {
  await using provider = await openOpenidProvider();
  const hostile: Record<string, (response: ServerResponse) => void> = {
    'never answers': () => {},
    'never ends': (response) => void response.writeHead(200).write('{'),
    'sends a byte now and then': (response) => {
      response.writeHead(200);
      void (async () => {
        while (!response.destroyed) {
          response.write(' ');
          await sleep(50);
        }
      })();
    },
    'breaks off': (response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{');
      setTimeout(() => response.destroy(), 50);
    },
    'has an error': says('{}', { status: 503 }),
  };
  for (const path of [DISCOVERY, '/token', '/keys'])
    for (const [name, answer] of Object.entries(hostile)) {
      provider.instead.clear();
      provider.instead.set(path, answer);
      const { signIn } = signingInAt(provider, { timeoutMs: 200 });
      await expect(signIn(), `${path}: ${name}`).rejects.toMatchObject(AWAY);
    }
});

test('an ID token without a signature, signed with a secret or changed afterwards is rejected', async () => {
  await using provider = await openOpenidProvider();
  const { signIn } = signingInAt(provider);
  const { clientSecret } = provider;
  const signed = (text: string): string =>
    createHmac('sha256', clientSecret).update(text).digest('base64url');
  for (const forge of [
    (token: string) => `${base64({ alg: 'none' })}.${token.split('.')[1]}.`,
    (token: string) => `${base64({ alg: 'None' })}.${token.split('.')[1]}.x`,
    (token: string) => {
      const text = `${base64({ alg: 'HS256' })}.${token.split('.')[1]}`;
      return `${text}.${signed(text)}`;
    },
    (token: string) => token.replace(/\.[^.]*$/, '.'),
    (token: string) => {
      const [header, payload, signature] = token.split('.');
      const claims = JSON.parse(Buffer.from(payload!, 'base64url').toString()) as object;
      return [header, base64({ ...claims, sub: 'another' }), signature].join('.');
    },
    (token: string) => {
      const [header, payload, signature] = token.split('.');
      const said = JSON.parse(Buffer.from(header!, 'base64url').toString()) as object;
      return [base64({ ...said, crit: ['b64'], b64: false }), payload, signature].join('.');
    },
  ]) {
    provider.forge = forge;
    provider.document = { id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'] };
    await expect(signIn(), String(forge)).rejects.toMatchObject(INVALID);
  }
  provider.forge = (token) => token;
  expect(await signIn()).toEqual(ZOE);
});

test('the document and the keys of a provider are requested once an hour', async () => {
  await using provider = await openOpenidProvider();
  const { clock, signIn } = signingInAt(provider);
  for (let minute = 0; minute < 60; minute += 20) {
    expect(await signIn()).toEqual(ZOE);
    provider.lies = { exp: Math.floor(Date.now() / 1000) + 7200 };
    clock.advance(20 * MINUTE - 1);
  }
  expect([asked(provider, DISCOVERY), asked(provider, '/keys')]).toEqual([1, 1]);
  clock.advance(3);
  expect(await signIn()).toEqual(ZOE);
  expect([asked(provider, DISCOVERY), asked(provider, '/keys')]).toEqual([2, 2]);
});

test('a new key is loaded at once, but keys are not requested for every unknown one', async () => {
  await using provider = await openOpenidProvider();
  const { clock, signIn } = signingInAt(provider);
  await signIn();
  await provider.turnKeys();
  expect(await signIn()).toEqual(ZOE);
  expect(asked(provider, '/keys')).toBe(2);
  provider.forge = (token) => [base64({ alg: 'RS256', kid: 'x' }), ...token.split('.').slice(1)].join('.');
  for (let turn = 0; turn < 3; turn += 1) await expect(signIn()).rejects.toMatchObject(INVALID);
  expect(asked(provider, '/keys')).toBe(2);
  clock.advance(MINUTE);
  for (let turn = 0; turn < 3; turn += 1) await expect(signIn()).rejects.toMatchObject(INVALID);
  expect(asked(provider, '/keys')).toBe(3);
  provider.forge = (token) => token;
  expect(await signIn()).toEqual(ZOE);
});

test('invalid keys are not kept', async () => {
  await using provider = await openOpenidProvider();
  const { signIn } = signingInAt(provider);
  provider.instead.set('/keys', json({ keys: [1] }));
  await expect(signIn()).rejects.toMatchObject(INVALID);
  provider.instead.clear();
  expect(await signIn()).toEqual(ZOE);
});

test('an ID token expires by our clock, with a minute of tolerance', async () => {
  await using provider = await openOpenidProvider();
  const { clock, signIn } = signingInAt(provider);
  clock.advance(5 * MINUTE + 30_000);
  expect(await signIn()).toEqual(ZOE);
  clock.advance(MINUTE);
  await expect(signIn()).rejects.toMatchObject(INVALID);
  clock.advance(-2 * HOUR);
  expect(await signIn()).toEqual(ZOE);
});

test('an answer of another issuer is rejected, and one without an issuer if the provider announces it', async () => {
  await using provider = await openOpenidProvider();
  const { signIn } = signingInAt(provider);
  expect(await signIn(provider.issuer)).toEqual(ZOE);
  expect(await signIn()).toEqual(ZOE);
  await expect(signIn('https://mix.example')).rejects.toMatchObject(INVALID);
  provider.document = { authorization_response_iss_parameter_supported: true };
  const strict = signingInAt(provider);
  expect(await strict.signIn(provider.issuer)).toEqual(ZOE);
  await expect(strict.signIn()).rejects.toMatchObject(INVALID);
});

test('the address comes from the provider’s user information if the ID token lacks it', async () => {
  await using provider = await openOpenidProvider();
  provider.document = { userinfo_endpoint: `${provider.issuer}/userinfo` };
  const { signIn } = signingInAt(provider);
  expect(await signIn()).toEqual(ZOE);
  expect(asked(provider, '/userinfo')).toBe(0);
  provider.person = { sub: 'u1' };
  const about = { sub: 'u1', email: 'zoe@corp.example', email_verified: true, name: 'Zoe Bower' };
  provider.instead.set('/userinfo', json(about));
  expect(await signIn()).toEqual(ZOE);
  for (const answer of [
    json({ ...about, sub: 'u2' }),
    json({ ...about, sub: undefined }),
    says(`${base64({ alg: 'none' })}.${base64(about)}.`, { type: 'application/jwt' }),
  ]) {
    provider.instead.set('/userinfo', answer);
    await expect(signIn()).rejects.toMatchObject(INVALID);
  }
});

test('the client secret goes where the provider accepts it', async () => {
  await using provider = await openOpenidProvider();
  const { signIn } = signingInAt(provider);
  expect(await signIn()).toEqual(ZOE);
  provider.document = { token_endpoint_auth_methods_supported: ['client_secret_post'] };
  await expect(signingInAt(provider).signIn(), 'it reads only the header').rejects.toMatchObject(INVALID);
  for (const methods of [['client_secret_basic', 'client_secret_post'], 'client_secret_post', 1, null]) {
    provider.document = { token_endpoint_auth_methods_supported: methods };
    expect(await signingInAt(provider).signIn(), JSON.stringify(methods)).toEqual(ZOE);
  }
  expect(provider.refused).toEqual(['invalid_client']);
});

test('a failure is logged with its reason, and without tokens', async () => {
  await using provider = await openOpenidProvider();
  const { logged, signIn } = signingInAt(provider);
  for (const answer of [
    says('{"access_token":"hush","id_token":"hush" hush'),
    json({ access_token: 'hush', token_type: 'hush', id_token: 'hush.hush.hush' }),
    says('{"error":"invalid_grant","error_description":"hush","code":"hush"}', { status: 400 }),
    says('{"error":"invalid_client","hush":"hush"}', { status: 401, type: 'text/html' }),
  ]) {
    provider.instead.set('/token', answer);
    await expect(signIn()).rejects.toMatchObject(INVALID);
  }
  provider.instead.clear();
  provider.lies = { nonce: 'hush', aud: 'hush', email: 'hush' };
  await expect(signIn()).rejects.toMatchObject(INVALID);
  expect(logged).toHaveLength(5);
  expect(logged.join('')).not.toContain('hush');
  expect(logged[2]).toContain('invalid_grant');
});
