import { accountApi, parseSize } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { eachDatabase, openTestApp, PASSWORD, person, turnableClock } from '../../../testing/index.ts';

const credentials = { email: 'ann@example.org', password: PASSWORD };
const json = { 'content-type': 'application/json' };
const OWN = { origin: 'http://drive.test' };

eachDatabase((dialect) => {
  test('signing up signs the member in and creates a profile with a masked email address, and storage', async () => {
    await using app = await openTestApp({ dialect });
    const rules = await app.visitor.call(accountApi.signUpRules, {});
    expect(rules).toEqual({
      open: true,
      approval: false,
      mail_verification: false,
      phone: false,
      password_min: 8,
      free_storage: String(10 * 2 ** 30),
    });
    const grant = await app.visitor.call(accountApi.signUp, { body: credentials });
    expect(grant).toMatchObject({
      token_type: 'Bearer',
      expires_in: 7200,
      refresh_token: expect.stringMatching(/^os\./),
    });
    const ann = person(app.http, { authorization: `Bearer ${grant.access_token}` });
    const profile = await ann.call(accountApi.me, {});
    expect(profile).toMatchObject({
      sub: grant.sub,
      name: 'ann',
      email: 'a***@example.org',
      password: 'SET',
      status: 'ACTIVE',
      operator: false,
    });
    const quota = await app.database
      .on<{ quota: { account: string; storage_limit: number } }>()
      .selectFrom('quota')
      .select('storage_limit')
      .where('account', '=', grant.sub)
      .executeTakeFirst();
    expect(quota?.storage_limit).toBe(parseSize(rules.free_storage));
  });

  test('an email address opens one account only, however it is spelled and however many sign up in parallel', async () => {
    await using app = await openTestApp({ dialect });
    const spellings = [
      'ann@example.org',
      'ANN@example.org',
      ' Ann@Example.Org',
      'aNN@example.org',
      'ann@example.org',
    ];
    const results = await Promise.allSettled(
      spellings.map((email) => app.visitor.call(accountApi.signUp, { body: { ...credentials, email } })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ id: 'email_taken' });
    }
  });

  test('extra fields at sign-up are ignored', async () => {
    await using app = await openTestApp({ dialect });
    const body = {
      ...credentials,
      role: 'operator',
      operator: true,
      id: 'x',
      sub: 'x',
      status: 'frozen',
      storage_limit: 1e15,
      session: 'token' as const,
    };
    const grant = await app.visitor.call(accountApi.signUp, { body });
    expect(grant.sub).toMatch(/^V[0-9A-Z]{25}$/);
    const ann = person(app.http, { authorization: `Bearer ${grant.access_token}` });
    expect(await ann.call(accountApi.me, {})).toMatchObject({ operator: false, status: 'ACTIVE' });
  });

  test('weak passwords, malformed email addresses and a closed sign-up are rejected with a specific error', async () => {
    await using app = await openTestApp({ dialect });
    const signUp = (body: { email: string; password: string }) =>
      app.visitor.call(accountApi.signUp, { body });
    await expect(signUp({ ...credentials, password: 'short' })).rejects.toMatchObject({
      id: 'password_too_weak',
    });
    await expect(signUp({ ...credentials, password: 'x'.repeat(129) })).rejects.toMatchObject({
      id: 'invalid_argument',
    });
    const longest = {
      email: 'long@example.org',
      password: 'a bower of blue things '.repeat(6).slice(0, 128),
    };
    await signUp(longest);
    await app.visitor.call(accountApi.signIn, {
      body: { username: longest.email, password: longest.password },
    });
    await expect(signUp({ ...credentials, email: 'a@b\r\nBcc: c@d' })).rejects.toMatchObject({
      id: 'invalid_argument',
      facts: { field: 'email' },
    });
    await using closed = await openTestApp({ dialect, environment: { SIGN_UP: 'false' } });
    await expect(closed.visitor.call(accountApi.signUp, { body: credentials })).rejects.toMatchObject({
      id: 'permission_denied',
    });
    expect(await closed.visitor.call(accountApi.signUpRules, {})).toMatchObject({ open: false });
  });

  test('sign-in accepts the email address in any case or the account id, as JSON, as JSON labeled as a form, and as a form', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    for (const username of ['ann@example.org', 'ANN@EXAMPLE.ORG', ann.id]) {
      expect(
        await app.visitor.call(accountApi.signIn, { body: { username, password: PASSWORD } }),
      ).toMatchObject({ sub: ann.id });
    }
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const fields = {
      username: 'ann@example.org',
      password: PASSWORD,
      client_id: 'test',
      grant_type: 'password',
    };
    for (const payload of [JSON.stringify(fields), new URLSearchParams(fields).toString()]) {
      const reply = await app.send({
        method: 'POST',
        url: '/v1/auth/signin?client_id=test',
        headers: form,
        payload,
      });
      expect(reply.json()).toMatchObject({ sub: ann.id, token_type: 'Bearer', expires_in: 7200 });
      expect(reply.json()).not.toHaveProperty('error');
    }
  });

  test('an access token is a JWT that names the account, the client and the issuer', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const { access_token: token } = await app.visitor.call(accountApi.signIn, {
      body: { username: ann.email, password: PASSWORD, client_id: 'YNxT9w7GMdWvEOKa' },
    });
    const claims = JSON.parse(Buffer.from(token!.split('.')[1]!, 'base64url').toString()) as Record<
      string,
      unknown
    >;
    expect(claims).toMatchObject({
      sub: ann.id,
      aud: 'YNxT9w7GMdWvEOKa',
      iss: 'http://drive.test',
      scope: 'user pan offline',
    });
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(7200);
  });

  test('an unknown account and a wrong password get the same response', async () => {
    // The clock is stopped, so that waits in seconds can be compared.
    await using app = await openTestApp({ dialect, clock: turnableClock() });
    await app.signUp('ann');
    const attempt = async (username: string) => {
      const payload = JSON.stringify({ username, password: 'not the password' });
      const reply = await app.send({ method: 'POST', url: '/v1/auth/signin', headers: json, payload });
      return { status: reply.statusCode, body: reply.json<unknown>() };
    };
    const known = await attempt('ann@example.org');
    expect(known).toMatchObject({
      status: 400,
      body: { error: 'invalid_account_or_password', error_code: 4022 },
    });
    expect(await attempt('nobody@example.org')).toEqual(known);
    expect(await attempt('VNOBODYNOBODYNOBODYNOBODYN')).toEqual(known);
    for (let more = 0; more < 6; more++) {
      expect(await attempt('nobody@example.org')).toEqual(await attempt('ann@example.org'));
    }
    expect(await attempt('nobody@example.org')).toMatchObject({
      status: 403,
      body: {
        error: 'account_locked_retry',
        error_description: expect.stringMatching(/^Too many failed attempts\. Try again in \d seconds?\.$/),
      },
    });
  });

  test('wrong passwords are counted across spellings and identifiers of an account, and the owner still signs in from another network', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock, environment: { TRUSTED_PROXIES: '127.0.0.1' } });
    const ann = await app.signUp('ann');
    const from = (address: string, username: string, password: string) =>
      app.visitor.call(accountApi.signIn, { body: { username, password } }, { 'x-forwarded-for': address });
    const doors = [ann.email, ann.email.toUpperCase(), ann.id];
    for (let guess = 0; guess < 6; guess++) {
      await expect(from('198.51.100.7', doors[guess % 3]!, `guess ${guess} of many`)).rejects.toMatchObject({
        id: 'invalid_account_or_password',
      });
    }
    for (const door of doors) {
      await expect(from('198.51.100.7', door, PASSWORD)).rejects.toMatchObject({
        id: 'account_locked_retry',
        facts: { retry_in: '2' },
      });
    }
    expect(await from('192.0.2.1', ann.email, PASSWORD)).toMatchObject({ sub: ann.id });
    clock.advance(2000);
    expect(await from('198.51.100.7', ann.email, PASSWORD)).toMatchObject({ sub: ann.id });
  });

  test('forged proxy headers do not escape the attempt limit', async () => {
    await using app = await openTestApp({ dialect, clock: turnableClock() });
    const ann = await app.signUp('ann');
    const guess = (n: number) =>
      app.visitor.call(
        accountApi.signIn,
        { body: { username: ann.email, password: `guess ${n} of many` } },
        { 'x-forwarded-for': `198.51.100.${n}`, forwarded: `for=198.51.100.${n}` },
      );
    for (let n = 0; n < 6; n++)
      await expect(guess(n)).rejects.toMatchObject({ id: 'invalid_account_or_password' });
    await expect(guess(6)).rejects.toMatchObject({ id: 'account_locked_retry' });
  });

  test('fifty parallel guesses get no more attempts than sequential ones', async () => {
    await using app = await openTestApp({ dialect, clock: turnableClock() });
    const ann = await app.signUp('ann');
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) =>
        app.visitor.call(accountApi.signIn, {
          body: { username: ann.email, password: `guess ${n} of many` },
        }),
      ),
    );
    const tried = results.filter(
      (result) =>
        result.status === 'rejected' &&
        (result.reason as { id: string }).id === 'invalid_account_or_password',
    );
    expect(tried).toHaveLength(6);
  });

  test('the session of our pages is an httpOnly cookie, and no token is exposed', async () => {
    await using app = await openTestApp({ dialect });
    await app.signUp('ann');
    const payload = JSON.stringify({ username: 'ann@example.org', password: PASSWORD, session: 'cookie' });
    const reply = await app.send({
      method: 'POST',
      url: '/v1/auth/signin',
      headers: { ...json, ...OWN },
      payload,
    });
    expect(Object.keys(reply.json<object>()).toSorted()).toEqual(['expires_in', 'sub']);
    const [session, user] = reply.cookies;
    expect(session).toMatchObject({
      name: 'pp_session',
      httpOnly: true,
      sameSite: 'Lax',
      path: '/',
      maxAge: 30 * 24 * 3600,
    });
    expect(session).not.toHaveProperty('secure');
    expect(user).toMatchObject({
      name: 'pp_user_id',
      value: reply.json<{ sub: string }>().sub,
      maxAge: 365 * 24 * 3600,
    });
    const me = await app.http.inject({ url: '/v1/user/me', cookies: { pp_session: session!.value } });
    expect(me.json()).toMatchObject({ name: 'ann' });
    await using secure = await openTestApp({ dialect, environment: { SITE_URL: 'https://drive.test' } });
    const signUp = await secure.send({
      method: 'POST',
      url: '/v1/auth/signup',
      headers: json,
      payload: JSON.stringify({ ...credentials, session: 'cookie' }),
    });
    expect(signUp.cookies[0]).toMatchObject({ name: '__Host-pp_session', secure: true, httpOnly: true });
  });

  test('a request from another site is unauthenticated, even with the visitor’s cookie', async () => {
    await using app = await openTestApp({ dialect });
    await app.signUp('ann');
    const signIn = (headers: Record<string, string>) =>
      app.send({
        method: 'POST',
        url: '/v1/auth/signin',
        headers: { ...json, ...headers },
        payload: JSON.stringify({ username: 'ann@example.org', password: PASSWORD, session: 'cookie' }),
      });
    const cookies = { pp_session: (await signIn(OWN)).cookies[0]!.value };
    const signOut = (headers: Record<string, string>) =>
      app.http.inject({
        method: 'POST',
        url: '/v1/auth/revoke',
        headers: { ...json, ...headers },
        cookies,
        payload: '{}',
      });
    const me = () => app.http.inject({ url: '/v1/user/me', cookies });
    for (const headers of [
      { origin: 'https://evil.test' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      const reply = await signOut(headers);
      expect(reply.cookies).toEqual([]);
      expect((await me()).statusCode).toBe(200);
      const planted = await signIn(headers);
      expect(planted.json()).toMatchObject({ error: 'permission_denied' });
      expect(planted.cookies).toEqual([]);
    }
    await signOut(OWN);
    expect((await me()).json()).toMatchObject({ error: 'unauthenticated', error_code: 16 });
  });

  test('signing out clears the session and the site data in the browser', async () => {
    await using app = await openTestApp({ dialect });
    const { email } = await app.signUp('ann');
    const payload = { username: email, password: PASSWORD, session: 'cookie' };
    const { cookies } = await app.send({ method: 'POST', url: '/v1/auth/signin', headers: OWN, payload });
    const leave = (headers: Record<string, string>) =>
      app.http.inject({
        method: 'POST',
        url: '/v1/auth/revoke',
        headers,
        cookies: { pp_session: cookies[0]!.value },
        payload: {},
      });
    // A page of another site can't clear anybody's browser data.
    expect((await leave({ origin: 'https://evil.test' })).headers).not.toHaveProperty('clear-site-data');
    const left = await leave(OWN);
    expect(left.headers['clear-site-data']).toBe('"cache"');
    expect(left.cookies.map(({ name, value, maxAge }) => [name, value, maxAge])).toEqual([
      ['pp_session', '', 0],
      ['pp_user_id', '', 0],
    ]);
  });

  test('signing out revokes the access token and the refresh token at once', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const other = await app.visitor.call(accountApi.signIn, {
      body: { username: ann.email, password: PASSWORD },
    });
    await ann.call(accountApi.signOut, { body: {} });
    await expect(ann.call(accountApi.me, {})).rejects.toMatchObject({ id: 'unauthenticated' });
    const refresh = (token: string) =>
      app.visitor.call(accountApi.token, { body: { grant_type: 'refresh_token', refresh_token: token } });
    await expect(refresh(ann.refreshToken)).rejects.toMatchObject({ id: 'invalid_grant' });
    await refresh(other.refresh_token!);
  });

  test('a session can be ended by its refresh token or by its access token, even an expired one', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await app.signUp('ann');
    await app.visitor.call(accountApi.signOut, { body: { token: ann.refreshToken } });
    await expect(ann.call(accountApi.me, {})).rejects.toMatchObject({ id: 'unauthenticated' });
    const other = await app.visitor.call(accountApi.signIn, {
      body: { username: ann.email, password: PASSWORD },
    });
    clock.advance(3 * 3600 * 1000);
    await app.visitor.call(accountApi.signOut, { body: { token: other.access_token! } });
    await expect(
      app.visitor.call(accountApi.token, {
        body: { grant_type: 'refresh_token', refresh_token: other.refresh_token! },
      }),
    ).rejects.toMatchObject({ id: 'invalid_grant' });
    expect(await app.visitor.call(accountApi.signOut, { body: { token: 'nonsense' } })).toEqual({});
  });

  test('freezing an account ends its sessions at once and blocks sign-in', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    await app.accounts.freeze(ann.id, true);
    await expect(ann.call(accountApi.me, {})).rejects.toMatchObject({ id: 'account_frozen' });
    const signIn = (password: string) =>
      app.visitor.call(accountApi.signIn, { body: { username: ann.email, password } });
    await expect(signIn(PASSWORD)).rejects.toMatchObject({ id: 'account_frozen', code: 38 });
    await expect(signIn('not the password')).rejects.toMatchObject({ id: 'invalid_account_or_password' });
    await app.accounts.freeze(ann.id, false);
    await expect(ann.call(accountApi.me, {})).rejects.toMatchObject({ id: 'unauthenticated' });
    await signIn(PASSWORD);
  });

  test('a cookie session is extended while it is used and expires when it is not', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const DAY = 24 * 3600 * 1000;
    const signUp = await app.send({
      method: 'POST',
      url: '/v1/auth/signup',
      headers: json,
      payload: JSON.stringify({ ...credentials, session: 'cookie' }),
    });
    const cookies = { pp_session: signUp.cookies[0]!.value };
    const me = () => app.http.inject({ url: '/v1/user/me', cookies });
    for (let visit = 0; visit < 3; visit++) {
      clock.advance(20 * DAY);
      const reply = await me();
      expect(reply.statusCode).toBe(200);
      expect(reply.cookies[0]).toMatchObject({
        name: 'pp_session',
        value: cookies.pp_session,
        maxAge: 30 * 24 * 3600,
      });
    }
    clock.advance(31 * DAY);
    expect((await me()).statusCode).toBe(401);
  });

  test('passwords, tokens and cookies never reach the log, and tokens are not stored in the database', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const cookie = await app.send({
      method: 'POST',
      url: '/v1/auth/signin',
      headers: { ...json, 'idempotency-key': 'k' },
      payload: JSON.stringify({ username: ann.email, password: PASSWORD, session: 'cookie' }),
    });
    const next = await ann.call(
      accountApi.token,
      { body: { grant_type: 'refresh_token', refresh_token: ann.refreshToken } },
      { 'idempotency-key': 'k' },
    );
    await ann.inject({
      url: `/v1/user/me?access_token=${ann.accessToken}&refresh_token=${ann.refreshToken}`,
    });
    await ann.inject({ url: `/nowhere/at/all?token=${ann.accessToken}` });
    await expect(
      app.visitor.call(accountApi.signIn, { body: { username: ann.email, password: 'wrong horse battery' } }),
    ).rejects.toThrow();
    const log = app.logged.join('');
    expect(app.logged.length).toBeGreaterThan(4);
    const secrets = [
      PASSWORD,
      'wrong horse battery',
      ann.accessToken,
      ann.refreshToken,
      next.refresh_token!,
      next.access_token!,
      cookie.cookies[0]!.value,
    ];
    for (const secret of secrets) expect(log).not.toContain(secret);
    const kept: unknown[] = [];
    for (const table of ['session', 'refresh_token', 'account', 'replay']) {
      kept.push(await app.database.on<Record<string, object>>().selectFrom(table).selectAll().execute());
    }
    for (const secret of secrets) expect(JSON.stringify(kept)).not.toContain(secret);
  });
});
