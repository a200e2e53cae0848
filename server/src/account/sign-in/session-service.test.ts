import { accountApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { eachDatabase, openTestApp, person, turnableClock, type TestApp } from '../../../testing/index.ts';

const refresh = (app: TestApp, token: string) =>
  app.visitor.call(accountApi.token, { body: { grant_type: 'refresh_token', refresh_token: token } });
const me = (app: TestApp, accessToken: string) =>
  person(app.http, { authorization: `Bearer ${accessToken}` }).call(accountApi.me, {});

eachDatabase((dialect) => {
  test('two tabs that refresh at the same time both stay signed in, in one session', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const grants = await Promise.all(Array.from({ length: 8 }, () => refresh(app, ann.refreshToken)));
    expect(new Set(grants.map((grant) => grant.refresh_token)).size).toBe(1);
    for (const grant of grants) expect(await me(app, grant.access_token!)).toMatchObject({ name: 'ann' });
    await refresh(app, grants[3]!.refresh_token!);
    const rows = await app.database
      .on<{ refresh_token: { hash: string; used_at: number | null } }>()
      .selectFrom('refresh_token')
      .selectAll()
      .execute();
    expect(rows.filter((row) => row.used_at === null)).toHaveLength(1);
    expect(rows).toHaveLength(3);
  });

  test('a tab that refreshes late, within the grace period, gets the newest token of the session', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await app.signUp('ann');
    const second = await refresh(app, ann.refreshToken);
    clock.advance(5_000);
    const third = await refresh(app, second.refresh_token!);
    clock.advance(54_000);
    expect((await refresh(app, ann.refreshToken)).refresh_token).toBe(third.refresh_token);
  });

  test('a refresh token reused after the grace period ends the whole session', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await app.signUp('ann');
    const elsewhere = await app.visitor.call(accountApi.signIn, {
      body: { username: ann.email, password: ann.password },
    });
    const second = await refresh(app, ann.refreshToken);
    clock.advance(61_000);
    await expect(refresh(app, ann.refreshToken)).rejects.toMatchObject({ id: 'invalid_grant', code: 4126 });
    await expect(refresh(app, second.refresh_token!)).rejects.toMatchObject({ id: 'invalid_grant' });
    await expect(me(app, second.access_token!)).rejects.toMatchObject({ id: 'unauthenticated' });
    expect(await me(app, elsewhere.access_token!)).toMatchObject({ name: 'ann' });
  });

  test('an access token lasts two hours, a refresh token sixty days', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await app.signUp('ann');
    clock.advance(7_199_000);
    expect(await me(app, ann.accessToken)).toMatchObject({ name: 'ann' });
    clock.advance(1_000);
    await expect(me(app, ann.accessToken)).rejects.toMatchObject({ id: 'unauthenticated' });
    const second = await refresh(app, ann.refreshToken);
    // An access token stays valid when its refresh token is exchanged: clients read only its announced expiry.
    await refresh(app, second.refresh_token!);
    expect(await me(app, second.access_token!)).toMatchObject({ name: 'ann' });
    clock.advance(61 * 24 * 3600 * 1000);
    await expect(refresh(app, second.refresh_token!)).rejects.toMatchObject({ id: 'invalid_grant' });
  });

  test('a session lasts one year at most, however often it is refreshed', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await app.signUp('ann');
    const browser = await app.send({
      method: 'POST',
      url: '/v1/auth/signin',
      headers: { 'sec-fetch-site': 'same-origin' },
      payload: { username: ann.email, password: ann.password, session: 'cookie' },
    });
    const secret = browser.cookies.find(({ name }) => name === 'pp_session')!.value;
    const comes = async () =>
      (await app.http.inject({ url: '/v1/user/me', cookies: { pp_session: secret } })).statusCode;
    let token = ann.refreshToken;
    for (let day = 0; day < 360; day += 20) {
      clock.advance(20 * 24 * 3600 * 1000);
      token = (await refresh(app, token)).refresh_token!;
      expect(await comes()).toBe(200);
    }
    clock.advance(6 * 24 * 3600 * 1000);
    await expect(refresh(app, token)).rejects.toMatchObject({ id: 'invalid_grant' });
    expect(await comes()).toBe(401);
  });

  test('the token endpoint never returns “unauthenticated”, whatever is sent to it', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await app.signUp('ann');
    clock.advance(8_000_000);
    const call = (payload: string, type = 'application/json') =>
      app.http.inject({
        method: 'POST',
        url: '/v1/auth/token?client_id=x',
        headers: { authorization: `Bearer ${ann.accessToken}`, 'content-type': type },
        payload,
      });
    const bad = [
      '{"grant_type":"refresh_token","refresh_token":"os.unknown"}',
      '{"grant_type":"refresh_token"}',
      '{"grant_type":"refresh_token","refresh_token":null}',
      '{"grant_type":"magic","refresh_token":"os.unknown"}',
      '{}',
      'not json',
    ];
    for (const payload of bad) {
      const reply = await call(payload);
      expect(reply.statusCode).toBe(400);
      expect(reply.headers['content-type']).toContain('application/json');
      expect(reply.json()).not.toMatchObject({ error_code: 16 });
    }
    expect((await call(bad[0]!)).json()).toMatchObject({ error: 'invalid_grant', error_code: 4126 });
    const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: ann.refreshToken });
    const good = await call(form.toString(), 'application/x-www-form-urlencoded');
    expect(good.json()).toMatchObject({ token_type: 'Bearer', sub: ann.id, expires_in: 7200 });
    expect(good.json()).not.toHaveProperty('error');
  });

  test('access tokens from another issuer, without a signature or of another type are rejected', async () => {
    await using app = await openTestApp({ dialect });
    await using other = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const [head, body] = ann.accessToken.split('.');
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    const forged = [
      (await other.signUp('ann')).accessToken,
      `${none}.${body}.`,
      `${head}.${body}.`,
      ann.refreshToken,
      'x',
    ];
    for (const token of forged) await expect(me(app, token)).rejects.toMatchObject({ id: 'unauthenticated' });
    const asCookie = await app.http.inject({ url: '/v1/user/me', cookies: { pp_session: ann.accessToken } });
    expect(asCookie.statusCode).toBe(401);
  });

  test('expired sessions are deleted, active ones are kept', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await app.signUp('ann');
    const bob = await app.signUp('bob');
    await app.visitor.call(accountApi.signOut, { body: { token: ann.refreshToken } });
    clock.advance(8 * 24 * 3600 * 1000);
    await app.sessions.forgetOld();
    const rows = await app.database
      .on<{ session: { account: string } }>()
      .selectFrom('session')
      .selectAll()
      .execute();
    expect(rows.map((row) => row.account)).toEqual([bob.id]);
    await refresh(app, bob.refreshToken);
  });
});
