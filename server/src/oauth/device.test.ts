import { driveApi, oauthApi, securityApi } from '@bowerbird/contract';
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

const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code';
const television = async (app: TestApp, scope = 'user pan') => {
  const asked = await app.visitor.call(oauthApi.askDeviceCode, {
    body: { client_id: 'bowerbird-tv', scope },
  });
  const poll = async () => {
    const reply = await app.visitor.inject({
      method: 'POST',
      url: '/v1/auth/token',
      payload: new URLSearchParams({
        grant_type: DEVICE,
        device_code: asked.device_code,
        client_id: 'bowerbird-tv',
      }).toString(),
    });
    return reply.json();
  };
  return { ...asked, poll };
};

eachDatabase((dialect) => {
  test('a television waits for its owner’s approval, and is signed in once', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await app.signUp('ann');
    const tv = await television(app);
    expect(tv).toMatchObject({ interval: 5, expires_in: 900, verification_uri: 'http://drive.test/device' });
    expect(tv.user_code).toMatch(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/);
    expect(tv.verification_uri_complete).toBe(`http://drive.test/device?user_code=${tv.user_code}`);
    expect(await tv.poll()).toMatchObject({ error: 'authorization_pending', error_code: 4050 });
    expect(await tv.poll()).toMatchObject({ error: 'slow_down', error_code: 4051 });
    clock.advance(9000);
    expect(await tv.poll(), 'five seconds more from now on').toMatchObject({ error: 'slow_down' });
    clock.advance(15_000);
    expect(await tv.poll()).toMatchObject({ error: 'authorization_pending' });

    const typed = tv.user_code.toLowerCase().replace('-', ' ');
    const seen = await ann.call(oauthApi.decideDevice, { body: { user_code: typed } });
    expect(seen).toMatchObject({
      app: { name: 'Bowerbird for TV', standing: 'own' },
      scopes: ['user', 'pan'],
    });
    await ann.call(oauthApi.decideDevice, { body: { user_code: typed, decision: 'allow' } });
    const again = ann.call(oauthApi.decideDevice, { body: { user_code: typed, decision: 'deny' } });
    await expect(again).rejects.toMatchObject({ id: 'not_found' });
    clock.advance(15_000);
    const grant = await tv.poll();
    expect(grant).toMatchObject({ sub: ann.id, scope: 'user pan' });
    await person(app.http, { authorization: `Bearer ${grant.access_token}` }).call(driveApi.about, {
      query: {},
    });
    clock.advance(15_000);
    expect(await tv.poll()).toMatchObject({ error: 'invalid_grant' });
  });

  test('a television is told that it was declined, or that its code expired', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await app.signUp('ann');
    const refused = await television(app);
    await ann.call(oauthApi.decideDevice, { body: { user_code: refused.user_code, decision: 'deny' } });
    expect(await refused.poll()).toMatchObject({ error: 'access_denied', error_code: 4123 });
    const late = await television(app);
    clock.advance(900_000);
    expect(await late.poll()).toMatchObject({ error: 'expired_token', error_code: 4052 });
    await expect(
      ann.call(oauthApi.decideDevice, { body: { user_code: late.user_code } }),
    ).rejects.toMatchObject({ id: 'expired_token' });
  });

  test('a device code works only for the app that requested it, and not after the password changed', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await app.signUp('ann');
    const tv = await television(app);
    await ann.call(oauthApi.decideDevice, { body: { user_code: tv.user_code, decision: 'allow' } });
    const other = await visitingApp(app);
    const foreign = await other.ask({ grant_type: DEVICE, device_code: tv.device_code });
    expect(foreign.json()).toMatchObject({ error: 'invalid_grant' });
    expect(await tv.poll()).toMatchObject({ sub: ann.id });

    const late = await television(app);
    await ann.call(oauthApi.decideDevice, { body: { user_code: late.user_code, decision: 'allow' } });
    clock.advance(1000);
    await ann.call(securityApi.changePassword, {
      body: { password: PASSWORD, new_password: 'another bower 7' },
    });
    expect(await late.poll()).toMatchObject({ error: 'invalid_grant' });
  });

  test('guessing device codes is rate-limited', async () => {
    await using app = await openTestApp({ dialect, clock: turnableClock() });
    const ann = await app.signUp('ann');
    const guess = (code: string) => ann.call(oauthApi.decideDevice, { body: { user_code: code } });
    for (let tries = 0; tries < 11; tries++)
      await expect(guess('BBBB-BBBB')).rejects.toMatchObject({ id: 'not_found' });
    await expect(guess('BBBB-BBBB')).rejects.toMatchObject({ id: 'too_frequent' });
    await expect(
      app.visitor.call(oauthApi.askDeviceCode, { body: { client_id: 'nobody' } }),
    ).rejects.toMatchObject({ id: 'invalid_client' });
  });

  test('the service’s own apps can sign a browser in once; sites and other apps can’t', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await app.signUp('ann');
    const { code } = await ann.call(oauthApi.handOver, {});
    expect(await app.visitor.call(oauthApi.inspectCode, { body: { code } })).toEqual({
      sub: ann.id,
      name: 'ann',
      email: 'a***@example.org',
    });
    const takeOver = (headers = {}) =>
      app.visitor.inject({
        method: 'POST',
        url: '/v1/auth/token',
        headers,
        payload: JSON.stringify({
          grant_type: 'authorization_code',
          code,
          client_id: 'bowerbird-web',
          session: 'cookie',
        }),
      });
    const foreign = await takeOver({ origin: 'https://evil.example' });
    expect(foreign.statusCode).toBe(403);
    const taken = await takeOver({ origin: 'http://drive.test' });
    expect(taken.json()).toMatchObject({ sub: ann.id });
    expect(taken.cookies.map(({ name }) => name)).toContain('pp_session');
    expect((await takeOver()).json()).toMatchObject({ error: 'invalid_grant' });
    const { code: late } = await ann.call(oauthApi.handOver, {});
    clock.advance(60_000);
    await expect(app.visitor.call(oauthApi.inspectCode, { body: { code: late } })).rejects.toMatchObject({
      id: 'invalid_grant',
    });
  });
});
