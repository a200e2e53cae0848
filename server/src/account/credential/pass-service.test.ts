import { accountApi, driveApi, offlineApi, securityApi, type Scope } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import {
  eachDatabase,
  openTestApp,
  PASSWORD,
  person,
  turnableClock,
  type Member,
  type TestApp,
} from '../../../testing/index.ts';

const DAY = 24 * 3600 * 1000;
const make = (
  { call }: Member,
  kind: 'app_password' | 'access_token',
  scopes: Scope[],
  more: { days?: number; password?: string } = {},
) =>
  call(securityApi.createPass, {
    body: { password: PASSWORD, name: `  my\n${kind} `, kind, scopes, ...more },
  });
const bearer = (app: TestApp, token: string) => person(app.http, { authorization: `Bearer ${token}` });
const HOME = '192.0.2.1';

eachDatabase((dialect) => {
  test('an access token allows exactly what its scopes name', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const { secret, pass } = await make(ann, 'access_token', ['pan']);
    expect(secret).toMatch(/^bbt_[\w-]{40}$/);
    expect(pass).toMatchObject({ name: 'my access_token', scopes: ['pan'], used_at: '', used_from: '' });
    const drive = bearer(app, secret);
    expect(await drive.call(driveApi.about, { query: {} })).toMatchObject({});
    const refusal = { id: 'permission_denied' };
    await expect(drive.call(accountApi.me, {})).rejects.toMatchObject(refusal);
    await expect(drive.call(offlineApi.allowance, {})).rejects.toMatchObject(refusal);
    const link = { upload_type: 'UPLOAD_TYPE_URL', url: { url: 'http://example.org/x' } } as const;
    await expect(
      drive.call(driveApi.create, { body: { kind: 'drive#file', name: 'x', ...link } }),
    ).rejects.toMatchObject(refusal);
    const user = bearer(app, (await make(ann, 'access_token', ['user'])).secret);
    expect(await user.call(accountApi.me, {})).toMatchObject({ sub: ann.id });
    await expect(user.call(driveApi.about, { query: {} })).rejects.toMatchObject(refusal);
    const offline = bearer(app, (await make(ann, 'access_token', ['offline'])).secret);
    await offline.call(offlineApi.allowance, {});
    const [latest] = (await ann.call(securityApi.listPasses, {})).passes;
    expect(latest).toMatchObject({ scopes: ['offline'], used_from: '127.0.0.1' });
    expect(latest!.used_at).not.toBe('');
  });

  test('no token can create, list or revoke tokens, whatever its scopes', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const { secret, pass } = await make(ann, 'access_token', ['user', 'pan', 'offline', 'dav']);
    const program = bearer(app, secret) as Member;
    await expect(make(program, 'access_token', ['pan'])).rejects.toMatchObject({ id: 'permission_denied' });
    await expect(program.call(securityApi.listPasses, {})).rejects.toMatchObject({ id: 'permission_denied' });
    await expect(
      program.call(securityApi.revokePass, { body: { id: pass.id, password: PASSWORD } }),
    ).rejects.toMatchObject({
      id: 'permission_denied',
    });
    await program.call(accountApi.signOut, { body: {} });
    expect(await program.call(accountApi.me, {})).toMatchObject({ sub: ann.id });
  });

  test('a pass stops working when it is revoked, when it expires, and while its account is frozen', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await app.signUp('ann');
    const bob = await app.signUp('bob');
    const token = await make(ann, 'access_token', ['user'], { days: 30 });
    const forever = await make(ann, 'app_password', ['dav'], { days: 0 });
    const verify = (secret: string) => app.appPasswords.verify(ann.email, secret, HOME);
    const program = bearer(app, token.secret);
    await program.call(accountApi.me, {});
    expect(await verify(forever.secret)).toMatchObject({ account: ann.id });
    await app.accounts.freeze(ann.id, true);
    await expect(program.call(accountApi.me, {})).rejects.toMatchObject({ id: 'account_frozen' });
    await expect(verify(forever.secret)).rejects.toMatchObject({ id: 'account_frozen' });
    await app.accounts.freeze(ann.id, false);
    await program.call(accountApi.me, {});

    await expect(
      bob.call(securityApi.revokePass, { body: { id: forever.pass.id, password: PASSWORD } }),
    ).rejects.toMatchObject({ id: 'not_found' });
    clock.advance(30 * DAY);
    await expect(program.call(accountApi.me, {})).rejects.toMatchObject({ id: 'unauthenticated' });
    clock.advance(1000 * DAY);
    expect(await verify(forever.secret)).toMatchObject({ account: ann.id });
    const grant = await app.visitor.call(accountApi.signIn, {
      body: { username: ann.email, password: PASSWORD },
    });
    const again = bearer(app, grant.access_token!);
    await again.call(securityApi.revokePass, { body: { id: forever.pass.id, password: PASSWORD } });
    expect(await verify(forever.secret)).toBeUndefined();
  });

  test('revoking a pass requires the owner’s password', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const { secret, pass } = await make(ann, 'access_token', ['user']);
    const revoke = (password: string) =>
      ann.call(securityApi.revokePass, { body: { id: pass.id, password } });
    await expect(revoke('a wrong one')).rejects.toMatchObject({ id: 'invalid_password' });
    await bearer(app, secret).call(accountApi.me, {});
    await revoke(PASSWORD);
    await expect(bearer(app, secret).call(accountApi.me, {})).rejects.toMatchObject({
      id: 'unauthenticated',
    });
  });

  test('creating a pass requires the owner’s password; access tokens always expire; invalid values are rejected', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    await expect(make(ann, 'access_token', ['pan'], { password: 'a wrong one' })).rejects.toMatchObject({
      id: 'invalid_password',
      code: 4010,
    });
    for (const days of [0, 1, 29, 366, -1])
      await expect(make(ann, 'access_token', ['pan'], { days })).rejects.toMatchObject({
        id: 'invalid_argument',
      });
    await expect(make(ann, 'app_password', [])).rejects.toMatchObject({ id: 'invalid_argument' });
    await expect(make(ann, 'app_password', ['signed-in' as Scope])).rejects.toMatchObject({
      id: 'invalid_argument',
    });
    expect((await ann.call(securityApi.listPasses, {})).passes).toEqual([]);
  });

  test('a member can have at most fifty passes', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const { pass } = await make(ann, 'app_password', ['dav']);
    const tables = app.database.on<{ pass: { id: string; secret_hash: string } }>();
    const row = await tables.selectFrom('pass').selectAll().executeTakeFirstOrThrow();
    await app.database.transaction((tx) =>
      tx
        .on<{ pass: { id: string; secret_hash: string } }>()
        .insertInto('pass')
        .values(Array.from({ length: 48 }, (_, at) => ({ ...row, id: `V${at}`, secret_hash: `${at}` })))
        .execute(),
    );
    await make(ann, 'app_password', ['dav']);
    await expect(make(ann, 'app_password', ['dav'])).rejects.toMatchObject({ id: 'account_limit' });
    await ann.call(securityApi.revokePass, { body: { id: pass.id, password: PASSWORD } });
    await make(ann, 'app_password', ['dav']);
    expect((await ann.call(securityApi.listPasses, {})).passes).toHaveLength(50);
  });

  test('the secret of a pass is in no table, list or log, even when its creation is retried with an idempotency key', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const body = { password: PASSWORD, name: 'x', kind: 'access_token', scopes: ['pan'] } as const;
    const { secret } = await ann.call(
      securityApi.createPass,
      { body: { ...body, scopes: ['pan'] } },
      { 'idempotency-key': 'k' },
    );
    expect(JSON.stringify(await ann.call(securityApi.listPasses, {}))).not.toContain(secret);
    const tables = app.database.on<{ pass: object; replay: object }>();
    const rows = [
      await tables.selectFrom('pass').selectAll().execute(),
      await tables.selectFrom('replay').selectAll().execute(),
    ];
    expect(JSON.stringify(rows)).not.toContain(secret);
    await bearer(app, secret).call(driveApi.about, { query: {} });
    expect(app.logged.join('')).not.toContain(secret);
  });

  test('WebDAV accepts an app password with or without its dashes, and rejects one with other scopes', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    await app.signUp('bob');
    const { secret } = await make(ann, 'app_password', ['dav']);
    const verify = (name: string, text: string) => app.appPasswords.verify(name, text, HOME);
    for (const text of [secret, secret.replaceAll('-', ''), ` ${secret.toUpperCase()} `]) {
      const member = await verify('Ann@Example.org', text);
      expect(member).toMatchObject({ account: ann.id, operator: false });
      expect([...member!.scopes]).toEqual(['dav']);
    }
    expect(await verify('bob@example.org', secret)).toBeUndefined();
    expect(await verify('nobody@example.org', secret)).toBeUndefined();
    const other = await make(ann, 'app_password', ['pan']);
    expect(await verify(ann.email, other.secret)).toBeUndefined();
    const token = await make(ann, 'access_token', ['dav']);
    expect(await verify(ann.email, token.secret)).toBeUndefined();
  });

  test('WebDAV accepts the account’s own password, caches it for a while, and rejects it once the account is frozen', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const verify = () => app.appPasswords.verify(ann.email, PASSWORD, HOME);
    const first = process.cpuUsage();
    expect(await verify()).toMatchObject({ account: ann.id });
    const hashed = process.cpuUsage(first).user;
    const cached = process.cpuUsage();
    for (let times = 0; times < 50; times++) await verify();
    expect(process.cpuUsage(cached).user / hashed).toBeLessThan(25);
    await app.accounts.freeze(ann.id, true);
    await expect(verify()).rejects.toMatchObject({ id: 'account_frozen' });
  });

  test('wrong passwords at WebDAV and at sign-in count together, and one wrong password repeated counts once', async () => {
    await using app = await openTestApp({ dialect, clock: turnableClock() });
    const ann = await app.signUp('ann');
    const { secret } = await make(ann, 'app_password', ['dav']);
    for (let times = 0; times < 40; times++)
      expect(await app.appPasswords.verify(ann.email, 'one old password', '127.0.0.1')).toBeUndefined();
    const signIn = () =>
      app.visitor.call(accountApi.signIn, { body: { username: ann.email, password: PASSWORD } });
    await signIn();
    for (let guess = 0; guess < 6; guess++)
      await app.appPasswords.verify(ann.email, `guess ${guess}`, '127.0.0.1');
    await expect(app.appPasswords.verify(ann.email, 'guess 7', '127.0.0.1')).rejects.toMatchObject({
      id: 'account_locked_retry',
    });
    await expect(signIn()).rejects.toMatchObject({ id: 'account_locked_retry' });
    expect(await app.appPasswords.verify(ann.email, secret, '127.0.0.1')).toMatchObject({ account: ann.id });
    expect(await app.appPasswords.verify(ann.email, PASSWORD, HOME)).toMatchObject({ account: ann.id });
  });

  test('a client without tokens signs in with an app password, within the scopes and the lifetime of that password', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await app.signUp('ann');
    const { secret, pass } = await make(ann, 'app_password', ['pan'], { days: 30 });
    const grant = await app.visitor.call(accountApi.signIn, {
      body: { username: ann.email, password: secret },
    });
    await expect(
      app.visitor.call(accountApi.signIn, {
        body: { username: ann.email, password: secret, session: 'cookie' },
      }),
    ).rejects.toMatchObject({ id: 'invalid_account_or_password' });
    const client = bearer(app, grant.access_token!);
    await client.call(driveApi.about, { query: {} });
    await expect(client.call(accountApi.me, {})).rejects.toMatchObject({ id: 'permission_denied' });
    const refresh = (token: string) =>
      app.visitor.call(accountApi.token, { body: { grant_type: 'refresh_token', refresh_token: token } });
    const next = await refresh(grant.refresh_token!);
    const refreshed = bearer(app, next.access_token!);
    await expect(refreshed.call(accountApi.me, {})).rejects.toMatchObject({ id: 'permission_denied' });
    await ann.call(securityApi.revokePass, { body: { id: pass.id, password: PASSWORD } });
    await expect(refreshed.call(driveApi.about, { query: {} })).rejects.toMatchObject({
      id: 'unauthenticated',
    });
    await expect(refresh(next.refresh_token!)).rejects.toMatchObject({ id: 'invalid_grant' });

    const leaving = await make(ann, 'app_password', ['pan']);
    const opening = await app.visitor.call(accountApi.signIn, {
      body: { username: ann.email, password: leaving.secret },
    });
    const leaver = bearer(app, opening.access_token!);
    await leaver.call(accountApi.signOut, { body: {} });
    await expect(leaver.call(driveApi.about, { query: {} })).rejects.toMatchObject({ id: 'unauthenticated' });

    const short = await make(ann, 'app_password', ['pan'], { days: 30 });
    const opened = await app.visitor.call(accountApi.signIn, {
      body: { username: ann.email, password: short.secret },
    });
    clock.advance(29 * DAY);
    const late = await refresh(opened.refresh_token!);
    clock.advance(DAY);
    await expect(refresh(late.refresh_token!)).rejects.toMatchObject({ id: 'invalid_grant' });
  });
});
