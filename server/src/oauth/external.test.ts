import { accountApi, oauthApi, securityApi, type EndpointSpec, type InputOf } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import {
  eachDatabase,
  knowing,
  openOpenidProvider,
  openTestApp,
  PASSWORD,
  turnableClock,
  type OpenidProvider,
  type TestApp,
} from '../../testing/index.ts';
import { stepAt, totpCode } from '../account/credential/totp.ts';

/** Browser on our own pages: it stores cookies. */
function browser(app: TestApp) {
  const cookies = new Map<string, string>();
  return {
    cookies,
    async call<S extends EndpointSpec>(spec: S, input: InputOf<S>) {
      const { params, body } = input as { params?: { id?: string }; body?: object };
      const reply = await app.http.inject({
        method: spec.method,
        url: spec.path.replace('{id}', params?.id ?? ''),
        headers: {
          origin: 'http://drive.test',
          cookie: [...cookies].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('; '),
        },
        ...(spec.method === 'GET' ? {} : { payload: JSON.stringify(body ?? {}) }),
      });
      for (const { name, value, maxAge } of reply.cookies)
        if (maxAge === 0) cookies.delete(name);
        else cookies.set(name, value);
      return reply.json();
    },
  };
}

/** Signs in at the provider and returns. */
async function comeBy(provider: OpenidProvider, one: ReturnType<typeof browser>, more: object = {}) {
  const { redirect_to: to } = await one.call(oauthApi.beginExternal, { body: { continue: '/drive/all' } });
  const back = await provider.visit(to);
  return one.call(oauthApi.finishExternal, { body: { ...Object.fromEntries(back.searchParams), ...more } });
}

eachDatabase((dialect) => {
  test('a new member signs up through an identity provider, and signs in the same way later', async () => {
    await using provider = await openOpenidProvider();
    await using app = await openTestApp({
      dialect,
      environment: knowing(provider, { OPENID_SIGN_UP: 'true' }),
    });
    expect(await app.visitor.call(oauthApi.doors, {})).toMatchObject({ external: 'Corp' });
    const zoe = browser(app);
    expect(await comeBy(provider, zoe)).toEqual({
      outcome: 'in',
      continue: '/drive/all',
      email: 'z***@corp.example',
    });
    const me = await zoe.call(accountApi.me, {});
    expect(me).toMatchObject({ name: 'Zoe Bower', email: 'z***@corp.example', password: 'UNSET' });
    const again = browser(app);
    await provider.turnKeys();
    await comeBy(provider, again);
    expect((await again.call(accountApi.me, {})).sub).toBe(me.sub);
    const history = (await again.call(securityApi.listSignIns, {})).sign_ins;
    expect(history[0]).toMatchObject({ way: 'external', outcome: 'in' });
    const { identities } = await again.call(oauthApi.listExternal, {});
    expect(identities).toMatchObject([{ label: 'Corp', email: 'z***@corp.example' }]);
    expect(await again.call(accountApi.me, {})).toMatchObject({
      providers: [
        {
          id: new URL(provider.issuer).host,
          provider_user_id: provider.person.sub,
          name: 'z***@corp.example',
        },
      ],
    });
    expect(provider.refused).toEqual([]);
  });

  test('an existing account is linked only by its owner, who signs in and confirms', async () => {
    const clock = turnableClock(Date.now());
    await using provider = await openOpenidProvider();
    await using app = await openTestApp({
      dialect,
      clock,
      environment: knowing(provider, { OPENID_SIGN_UP: 'true' }),
    });
    const ann = await app.signUp('ann');
    const bob = await app.signUp('bob');
    provider.person = { sub: 'ann-there', email: 'Ann@Example.org', email_verified: true };
    const one = browser(app);
    expect(await comeBy(provider, one)).toMatchObject({ outcome: 'link', email: 'A***@Example.org' });
    expect(await one.call(accountApi.me, {})).toMatchObject({ error: 'unauthenticated' });
    expect(await one.call(oauthApi.linkExternal, { body: { confirm: true } })).toMatchObject({
      error: 'unauthenticated',
    });
    const signIn = { username: ann.email, password: PASSWORD, session: 'cookie' } as const;
    await app.visitor.call(accountApi.signIn, { body: signIn });
    const signedIn = await app.http.inject({
      method: 'POST',
      url: '/v1/auth/handover',
      headers: { authorization: `Bearer ${ann.accessToken}` },
      payload: '{}',
    });
    const takeOver = {
      grant_type: 'authorization_code',
      client_id: 'bowerbird-web',
      session: 'cookie',
    } as const;
    await one.call(accountApi.token, { body: { ...takeOver, code: signedIn.json().code } });
    const shown = { label: 'Corp', email: 'A***@Example.org' };
    expect(await one.call(oauthApi.linkExternal, { body: {} })).toEqual(shown);
    expect((await one.call(oauthApi.listExternal, {})).identities).toEqual([]);
    expect(await one.call(oauthApi.linkExternal, { body: { confirm: true } })).toEqual(shown);
    expect(await one.call(oauthApi.linkExternal, { body: { confirm: true } })).toMatchObject({
      error: 'token_expired',
    });

    const back = browser(app);
    expect(await comeBy(provider, back)).toMatchObject({ outcome: 'in' });
    expect((await back.call(accountApi.me, {})).sub).toBe(ann.id);

    const { code } = await bob.call(oauthApi.handOver, {});
    const other = browser(app);
    await other.call(accountApi.token, { body: { ...takeOver, code } });
    expect(await comeBy(provider, other)).toMatchObject({ error: 'already_exists' });
  });

  test('an external account is unlinked by its owner, who must have a password to sign in with', async () => {
    await using provider = await openOpenidProvider();
    await using app = await openTestApp({
      dialect,
      environment: knowing(provider, { OPENID_SIGN_UP: 'true' }),
    });
    const zoe = browser(app);
    await comeBy(provider, zoe);
    const { id } = (await zoe.call(oauthApi.listExternal, {})).identities[0];
    const unlink = (one: typeof zoe, password: string) =>
      one.call(oauthApi.unlinkExternal, { body: { id, password } });
    for (const password of ['', PASSWORD])
      expect(await unlink(zoe, password)).toMatchObject({ error: 'invalid_password' });
    const token = await app.passwords.oneTimeToken({ email: 'zoe@corp.example', phone: '' });
    await app.visitor.call(accountApi.resetPassword, {
      body: { verification_token: token, new_password: PASSWORD },
    });
    await comeBy(provider, zoe);
    expect(await unlink(zoe, 'a wrong one')).toMatchObject({ error: 'invalid_password' });
    expect(await unlink(zoe, PASSWORD)).toEqual({});
    expect((await zoe.call(oauthApi.listExternal, {})).identities).toEqual([]);
    expect(await zoe.call(accountApi.me, {})).toMatchObject({ providers: [] });
  });

  test('two-step verification applies to sign-ins through an identity provider', async () => {
    const clock = turnableClock(Date.now());
    await using provider = await openOpenidProvider();
    await using app = await openTestApp({
      dialect,
      clock,
      environment: knowing(provider, { OPENID_SIGN_UP: 'true' }),
    });
    const ann = await app.signUp('ann');
    provider.person = { sub: 'a', email: ann.email, email_verified: true };
    const one = browser(app);
    await comeBy(provider, one);
    const { code } = await ann.call(oauthApi.handOver, {});
    await one.call(accountApi.token, {
      body: { grant_type: 'authorization_code', client_id: 'bowerbird-web', session: 'cookie', code },
    });
    await one.call(oauthApi.linkExternal, { body: { confirm: true } });
    const { secret } = await ann.call(securityApi.beginSecondFactor, { body: { password: PASSWORD } });
    await ann.call(securityApi.confirmSecondFactor, {
      body: { code: totpCode(secret, stepAt(clock.now())) },
    });
    const back = browser(app);
    const asked = await comeBy(provider, back);
    expect(asked).toMatchObject({ error: 'second_factor_required', error_code: 4015 });
    clock.advance(60_000);
    const { ticket } = asked.details[0].metadata;
    const body = { ticket, code: totpCode(secret, stepAt(clock.now())), session: 'cookie' } as const;
    expect(await back.call(accountApi.secondFactor, { body })).toMatchObject({ sub: ann.id });
  });

  test('an invalid response from the identity provider is rejected', async () => {
    await using provider = await openOpenidProvider();
    await using app = await openTestApp({
      dialect,
      environment: knowing(provider, { OPENID_SIGN_UP: 'true' }),
    });
    const failed = { error: 'third_party_failed', error_code: 4019 };
    for (const lies of [
      { nonce: 'another' },
      { iss: 'https://other.example' },
      { aud: 'another-client' },
      { aud: ['the-drive', 'another-client'] },
      { exp: Math.floor(Date.now() / 1000) - 3600 },
    ]) {
      provider.lies = lies;
      expect(await comeBy(provider, browser(app)), JSON.stringify(lies)).toMatchObject(failed);
    }
    provider.lies = {};
    expect(await comeBy(provider, browser(app), { iss: 'https://mix.example' })).toMatchObject(failed);
    expect(await comeBy(provider, browser(app), { code: 'x' })).toMatchObject(failed);
    const mine = browser(app);
    expect(await comeBy(provider, mine, { state: 'x' })).toMatchObject({ error: 'token_expired' });
    expect(mine.cookies.has('pp_oauth_info'), 'a pending login is used once').toBe(false);
    const stranger = browser(app);
    const { redirect_to: to } = await browser(app).call(oauthApi.beginExternal, { body: {} });
    const back = await provider.visit(to);
    const body = Object.fromEntries(back.searchParams);
    expect(await stranger.call(oauthApi.finishExternal, { body })).toMatchObject({ error: 'token_expired' });
    expect(await comeBy(provider, browser(app), { error: 'access_denied' })).toMatchObject({
      error: 'access_denied',
    });
    for (const [error, code] of [
      ['server_error', 5026],
      ['temporarily_unavailable', 5027],
    ] as const)
      expect(await comeBy(provider, browser(app), { error })).toMatchObject({ error, error_code: code });
    await provider.useForeignKey();
    expect(await comeBy(provider, browser(app))).toMatchObject(failed);
    expect(app.logged.join('')).not.toContain(provider.clientSecret);
  });

  test('only verified email addresses of the allowed domains can sign in, and new ones only if sign-up is allowed', async () => {
    await using provider = await openOpenidProvider();
    await using app = await openTestApp({ dialect, environment: knowing(provider) });
    const refused = { error: 'permission_denied' };
    expect(await comeBy(provider, browser(app))).toMatchObject(refused);
    const ann = await app.signUp('ann');
    provider.person = { sub: 'x', email: ann.email, email_verified: false };
    expect(await comeBy(provider, browser(app)), 'nobody vouches for it').toMatchObject(refused);

    await using strict = await openTestApp({
      dialect,
      environment: knowing(provider, { OPENID_SIGN_UP: 'true', OPENID_DOMAINS: 'corp.example' }),
    });
    for (const email of [
      'zoe@other.example',
      'zoe@corp.example.evil.example',
      'zoe@corp.example@x.example',
    ]) {
      provider.person = { sub: email, email, email_verified: true };
      expect(await comeBy(provider, browser(strict)), email).toMatchObject(refused);
    }
    provider.person = { sub: 'z', email: 'zoe@CORP.example', email_verified: true };
    expect(await comeBy(provider, browser(strict))).toMatchObject({ outcome: 'in' });
  });
});

test('a discovery document with another issuer is rejected', async () => {
  await using provider = await openOpenidProvider();
  const environment = knowing(provider, { OPENID_ISSUER: `${provider.issuer}/`, OPENID_SIGN_UP: 'true' });
  await using app = await openTestApp({ environment });
  expect(await browser(app).call(oauthApi.beginExternal, { body: {} })).toMatchObject({
    error: 'third_party_failed',
  });
});

test('an unreachable identity provider is reported as unavailable, not as sending invalid responses', async () => {
  const provider = await openOpenidProvider();
  await using app = await openTestApp({ environment: knowing(provider) });
  await provider[Symbol.asyncDispose]();
  expect(await browser(app).call(oauthApi.beginExternal, { body: {} })).toMatchObject({
    error: 'temporarily_unavailable',
    error_code: 5027,
  });
});

test('without an identity provider there is no external sign-in', async () => {
  await using app = await openTestApp();
  expect(await app.visitor.call(oauthApi.doors, {})).toMatchObject({ external: '' });
  await expect(app.visitor.call(oauthApi.beginExternal, { body: {} })).rejects.toMatchObject({
    id: 'unsupported',
  });
});
