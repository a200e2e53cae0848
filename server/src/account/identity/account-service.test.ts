import { accountApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { eachDatabase, openTestApp, PASSWORD, person } from '../../../testing/index.ts';
import { openApp } from '../../app.ts';
import { createLog } from '../../foundation/index.ts';
import { createPasswordHashing } from '../credential/password-hashing.ts';

const OPERATOR = { OPERATOR_EMAIL: 'olga@example.org', OPERATOR_PASSWORD: PASSWORD };

eachDatabase((dialect) => {
  test('the administrator from the settings is created once, at the start', async () => {
    await using app = await openTestApp({ dialect, environment: OPERATOR });
    await app.accounts.ensureConfiguredOperator();
    await app.accounts.ensureConfiguredOperator();
    expect(await app.accounts.setUpToken()).toBeUndefined();
    const grant = await app.visitor.call(accountApi.signIn, {
      body: { username: 'olga@example.org', password: PASSWORD },
    });
    const olga = person(app.http, { authorization: `Bearer ${grant.access_token}` });
    expect(await olga.call(accountApi.me, {})).toMatchObject({ operator: true });
  });

  test('servers that start at the same time create one administrator, and none of them fails', async () => {
    await using app = await openTestApp({ dialect, environment: OPERATOR });
    const others = await Promise.all(
      Array.from({ length: 3 }, () => openApp(app.config, { log: createLog('silent') })),
    );
    await Promise.all([app, ...others].map(({ accounts }) => accounts.ensureConfiguredOperator()));
    const everyone = await app.accounts.list(app.database, undefined, 10);
    expect(everyone.map(({ email, role }) => [email, role])).toEqual([['olga@example.org', 'operator']]);
    for (const other of others) await other.close();
  });

  test('the setup link stays the same across starts and can be claimed exactly once, even by parallel requests', async () => {
    await using app = await openTestApp({ dialect, environment: { SIGN_UP: 'false' } });
    const token = (await app.accounts.setUpToken())!;
    expect(await app.accounts.setUpToken()).toBe(token);
    const claim = (email: string, setup_token = token) =>
      app.visitor.call(accountApi.setUp, { body: { setup_token, email, password: PASSWORD } });
    await expect(claim('eve@example.org', 'VGUESSGUESSGUESSGUESSGUESS')).rejects.toMatchObject({
      id: 'permission_denied',
    });
    await expect(claim('eve@example.org', '')).rejects.toMatchObject({ id: 'permission_denied' });
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) => claim(`olga${n}@example.org`)),
    );
    const claimed = results.filter((result) => result.status === 'fulfilled');
    expect(claimed).toHaveLength(1);
    const olga = person(app.http, { authorization: `Bearer ${claimed[0]!.value.access_token}` });
    expect(await olga.call(accountApi.me, {})).toMatchObject({ operator: true });
    expect(await app.accounts.setUpToken()).toBeUndefined();
    await expect(claim('eve@example.org')).rejects.toMatchObject({ id: 'permission_denied' });
  });

  test('a failed claim leaves the setup link valid', async () => {
    await using app = await openTestApp({ dialect });
    await app.signUp('ann');
    const token = (await app.accounts.setUpToken())!;
    const claim = (email: string, password = PASSWORD) =>
      app.visitor.call(accountApi.setUp, { body: { setup_token: token, email, password } });
    await expect(claim('ann@example.org')).rejects.toMatchObject({ id: 'email_taken' });
    await expect(claim('olga@example.org', 'weak')).rejects.toMatchObject({ id: 'password_too_weak' });
    await claim('olga@example.org');
  });

  test('making a member an administrator invalidates the setup link', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const token = (await app.accounts.setUpToken())!;
    await app.accounts.makeOperator(ann.id);
    const claim = app.visitor.call(accountApi.setUp, {
      body: { setup_token: token, email: 'eve@example.org', password: PASSWORD },
    });
    await expect(claim).rejects.toMatchObject({ id: 'permission_denied' });
  });

  test('the setup token is stored encrypted and never logged', async () => {
    await using app = await openTestApp({ dialect });
    const token = (await app.accounts.setUpToken())!;
    const rows = await app.database.on<{ setting: object }>().selectFrom('setting').selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token);
    await app.http.inject({ url: `/setup/${token}` });
    await app.http.inject({ url: `/es/setup/${token}?x=1` });
    expect(app.logged.join('')).toContain('/setup/***');
    expect(app.logged.join('')).not.toContain(token);
  });
});

test('checking a password takes as long for an unknown account as for a known one', async () => {
  const hashing = createPasswordHashing();
  const known = await hashing.hash(PASSWORD);
  expect(known).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  // Measures CPU work instead of elapsed time, which other processes prolong.
  const work = async (hash: string | undefined): Promise<number> => {
    const before = process.cpuUsage();
    for (let round = 0; round < 7; round++)
      expect(await hashing.matches(hash, 'not the password')).toBe(false);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const ratio = (await work(undefined)) / (await work(known));
  expect(ratio).toBeGreaterThan(0.4);
  expect(ratio).toBeLessThan(2.5);
});

test('a password matches in any Unicode normalization form', async () => {
  const hashing = createPasswordHashing();
  const known = await hashing.hash('zo\u00eb in the bower');
  expect(await hashing.matches(known, 'zoe\u0308 in the bower')).toBe(true);
});
