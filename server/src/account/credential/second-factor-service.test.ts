import { accountApi, driveApi, securityApi, type ApiFailure } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import {
  eachDatabase,
  openTestApp,
  PASSWORD,
  person,
  turnableClock,
  type Member,
  type TestApp,
  type TurnableClock,
} from '../../../testing/index.ts';
import { createKeys } from '../../foundation/index.ts';
import { stepAt, totpCode } from './totp.ts';

/** Secret of the installation, for operations that only its holder can perform. */
const SECRET = 'a secret that has thirty-two characters';
const OWN = { origin: 'http://drive.test' };
const STEP = 30_000;
const body = { password: PASSWORD };

/** A member with an authenticator app. */
async function guarded(app: TestApp, clock: TurnableClock, name = 'ann') {
  const member = await app.signUp(name);
  const { secret, uri } = await member.call(securityApi.beginSecondFactor, { body });
  expect(uri).toContain(`secret=${secret}`);
  const code = (drift = 0): string => totpCode(secret, stepAt(clock.now()) + drift);
  const { recovery_codes: codes } = await member.call(securityApi.confirmSecondFactor, {
    body: { code: code() },
  });
  clock.advance(2 * STEP);
  return { ...member, secret, code, codes };
}

const signIn = (app: TestApp, username: string, password = PASSWORD) =>
  app.visitor.call(accountApi.signIn, { body: { username, password } });

/** Returns the ticket of a visitor who knows the password. */
const ticketOf = (app: TestApp, username: string): Promise<string> =>
  signIn(app, username).then(
    () => {
      throw new Error('the password was enough');
    },
    (failure: ApiFailure) => {
      expect(failure).toMatchObject({ id: 'second_factor_required', code: 4015 });
      return failure.facts['ticket']!;
    },
  );
const answer = (app: TestApp, ticket: string, given: { code?: string; recovery_code?: string }) =>
  app.visitor.call(accountApi.secondFactor, { body: { ticket, ...given } });
const me = (app: TestApp, token: string | undefined) =>
  person(app.http, { authorization: `Bearer ${token}` }).call(accountApi.me, {});
const wrong = { id: 'second_factor_wrong', code: 4016 };

const postAsBrowser = (app: TestApp, url: string, payload: object, cookie = '') =>
  app.send({
    method: 'POST',
    url,
    headers: { ...OWN, 'content-type': 'application/json', cookie },
    payload: JSON.stringify({ ...payload, session: 'cookie' }),
  });

/** Returns the cookie of a browser that its owner trusts. */
async function trustedBrowser(app: TestApp, { email, code }: Awaited<ReturnType<typeof guarded>>) {
  const ticket = await ticketOf(app, email);
  const reply = await postAsBrowser(app, '/v1/auth/signin/second-factor', {
    ticket,
    code: code(),
    remember: true,
  });
  const kept = reply.cookies.find(({ name }) => name === 'pp_trusted_device')!;
  expect(kept).toMatchObject({ httpOnly: true, maxAge: 30 * 24 * 3600 });
  return `pp_trusted_device=${kept.value}`;
}

/** Returns true if a browser must complete the second step after the right password. */
async function isAsked(app: TestApp, username: string, cookie: string, password = PASSWORD) {
  const reply = await postAsBrowser(app, '/v1/auth/signin', { username, password }, cookie);
  if (reply.statusCode === 200) return false;
  expect(reply.json()).toMatchObject({ error: 'second_factor_required' });
  return true;
}

eachDatabase((dialect) => {
  test('once two-step verification is on, signing in requires the password and a code', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await app.signUp('ann');
    const state = () => ann.call(securityApi.secondFactor, {});
    await expect(
      ann.call(securityApi.beginSecondFactor, { body: { password: 'a wrong one' } }),
    ).rejects.toMatchObject({ id: 'invalid_password' });
    const { secret } = await ann.call(securityApi.beginSecondFactor, { body });
    await signIn(app, ann.email);
    expect(await state()).toMatchObject({ on: false, since: '', recovery_codes_left: 0 });
    await expect(
      ann.call(securityApi.confirmSecondFactor, { body: { code: '000000' } }),
    ).rejects.toMatchObject(wrong);
    const code = (): string => totpCode(secret, stepAt(clock.now()));
    const { recovery_codes: codes } = await ann.call(securityApi.confirmSecondFactor, {
      body: { code: code() },
    });
    expect(new Set(codes).size).toBe(10);
    expect(await state()).toMatchObject({ on: true, recovery_codes_left: 10, trusted_devices: 0 });
    await expect(ann.call(securityApi.beginSecondFactor, { body })).rejects.toMatchObject({
      id: 'already_exists',
    });

    clock.advance(STEP);
    const ticket = await ticketOf(app, ann.email);
    await expect(answer(app, ticket, { code: '000000' })).rejects.toMatchObject(wrong);
    await expect(answer(app, ticket, {})).rejects.toMatchObject(wrong);
    const grant = await answer(app, ticket, { code: code() });
    expect(await me(app, grant.access_token)).toMatchObject({ sub: ann.id });
    await expect(signIn(app, ann.email, 'a wrong one')).rejects.toMatchObject({
      id: 'invalid_account_or_password',
    });
    const { sign_ins: history } = await ann.call(securityApi.listSignIns, {});
    expect(history).toContainEqual(expect.objectContaining({ way: 'second_factor', outcome: 'in' }));
  });

  test('a code is accepted once, even when two requests send it at the same time', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await guarded(app, clock);
    const ticket = await ticketOf(app, ann.email);
    const code = ann.code();
    const racing = await Promise.allSettled(Array.from({ length: 4 }, () => answer(app, ticket, { code })));
    expect(racing.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(answer(app, ticket, { code })).rejects.toMatchObject(wrong);
    await expect(answer(app, ticket, { code: ann.code(-1) })).rejects.toMatchObject(wrong);
    clock.advance(STEP);
    await answer(app, ticket, { code: ann.code() });
  });

  test('a recovery code works once, and new ones invalidate the old', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await guarded(app, clock);
    const [first, second] = ann.codes as [string, string];
    const ticket = await ticketOf(app, ann.email);
    await answer(app, ticket, { recovery_code: ` ${first.toUpperCase().replace('-', ' ')}` });
    await expect(answer(app, ticket, { recovery_code: first })).rejects.toMatchObject({
      id: 'recovery_code_wrong',
      code: 4017,
    });
    expect(await ann.call(securityApi.secondFactor, {})).toMatchObject({ recovery_codes_left: 9 });
    const { recovery_codes: next } = await ann.call(securityApi.renewRecoveryCodes, { body });
    await expect(answer(app, ticket, { recovery_code: second })).rejects.toMatchObject({
      id: 'recovery_code_wrong',
    });
    const racing = await Promise.allSettled(
      Array.from({ length: 3 }, () => answer(app, ticket, { recovery_code: next[0]! })),
    );
    expect(racing.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('recovery codes are stored as salted slow hashes, and codes stored in the older format still work', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock, environment: { SECRET } });
    const ann = await guarded(app, clock);
    const kept = app.database.on<{ recovery_code: { account: string; hash: string } }>();
    const hashes = (await kept.selectFrom('recovery_code').select('hash').execute()).map(({ hash }) => hash);
    const salts = new Set(hashes.map((hash) => hash.split('.')[0]!));
    expect(salts.size).toBe(1);
    expect(Buffer.from([...salts][0]!, 'base64url')).toHaveLength(16);
    const keys = createKeys(Buffer.from(SECRET));
    const plain = ann.codes.map((code) => code.replace('-', ''));
    // Someone with the database and the secret can't find a code by signing guesses.
    for (const code of plain)
      expect(hashes).not.toContain(`${[...salts][0]}.${keys.sign('recovery-code', `${ann.id} ${code}`)}`);
    await app.database.transaction((tx) =>
      tx
        .on<{ recovery_code: { account: string; hash: string } }>()
        .updateTable('recovery_code')
        .set({ hash: keys.sign('recovery-code', `${ann.id} ${plain[0]}`) })
        .where('hash', '=', hashes[0]!)
        .execute(),
    );
    await app.database.transaction((tx) =>
      tx
        .on<{ recovery_code: { account: string; hash: string } }>()
        .deleteFrom('recovery_code')
        .where('hash', 'like', '%.%')
        .execute(),
    );
    await answer(app, await ticketOf(app, ann.email), { recovery_code: ann.codes[0]! });
  });

  test('guesses at codes are slowed down across networks, and a ticket ends when it expires or the password changes', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await guarded(app, clock);
    const ticket = await ticketOf(app, ann.email);
    const guess = (address: string) =>
      app.http.inject({
        method: 'POST',
        url: '/v1/auth/signin/second-factor',
        remoteAddress: address,
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify({ ticket, code: '000000' }),
      });
    const errors: string[] = [];
    for (let at = 1; at <= 12; at++)
      errors.push((await guess(`192.0.2.${at}`)).json<{ error: string }>().error);
    expect(errors.slice(0, 8)).toEqual(Array(8).fill('second_factor_wrong'));
    expect(errors.at(-1)).toBe('account_locked_retry');
    clock.advance(300_000);
    await answer(app, ticket, { code: ann.code() });
    clock.advance(300_001);
    await expect(answer(app, ticket, { code: ann.code() })).rejects.toMatchObject({ id: 'token_expired' });
    for (const nonsense of ['', 'x', 'A'.repeat(200)])
      await expect(answer(app, nonsense, { code: ann.code() })).rejects.toMatchObject({
        id: 'token_expired',
      });
    const held = await ticketOf(app, ann.email);
    await ann.call(securityApi.changePassword, { body: { ...body, new_password: 'a bower of green' } });
    await expect(answer(app, held, { code: ann.code() })).rejects.toMatchObject({ id: 'token_expired' });
  });

  test('a trusted browser is not asked for a code for thirty days, no other browser is trusted, and the owner can end the trust', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await guarded(app, clock);
    const bob = await guarded(app, clock, 'bob');
    const trusted = () => trustedBrowser(app, ann);
    const asks = (email: string, cookie: string) => isAsked(app, email, cookie);
    const cookie = await trusted();
    expect(await asks(ann.email, cookie)).toBe(false);
    expect(await asks(ann.email, '')).toBe(true);
    expect(await asks(bob.email, cookie)).toBe(true);
    expect(await ann.call(securityApi.secondFactor, {})).toMatchObject({ trusted_devices: 1 });
    await ann.call(securityApi.forgetTrustedDevices, {});
    expect(await asks(ann.email, cookie)).toBe(true);
    clock.advance(STEP);
    const again = await trusted();
    clock.advance(30 * 24 * 3600_000);
    expect(await asks(ann.email, again)).toBe(true);
  });

  test('turning two-step verification off and on again ends the trust of browsers', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await guarded(app, clock);
    const cookie = await trustedBrowser(app, ann);
    expect(await isAsked(app, ann.email, cookie)).toBe(false);
    await ann.call(securityApi.endSecondFactor, { body });
    const { secret } = await ann.call(securityApi.beginSecondFactor, { body });
    clock.advance(2 * STEP);
    const code = totpCode(secret, stepAt(clock.now()));
    await ann.call(securityApi.confirmSecondFactor, { body: { code } });
    expect(await isAsked(app, ann.email, cookie)).toBe(true);
    expect(await ann.call(securityApi.secondFactor, {})).toMatchObject({ trusted_devices: 0 });
  });

  test.each(['changed', 'reset'])(
    'trusted browsers are asked for a code again once the password was %s',
    async (how) => {
      const clock = turnableClock();
      await using app = await openTestApp({ dialect, clock });
      const ann = await guarded(app, clock);
      const cookie = await trustedBrowser(app, ann);
      expect(await isAsked(app, ann.email, cookie)).toBe(false);
      const next = 'a bower of green things';
      if (how === 'changed')
        await ann.call(securityApi.changePassword, { body: { ...body, new_password: next } });
      else
        await app.visitor.call(accountApi.resetPassword, {
          body: {
            verification_token: await app.passwords.oneTimeToken({ email: ann.email, phone: '' }),
            new_password: next,
          },
        });
      expect(await isAsked(app, ann.email, cookie, next)).toBe(true);
    },
  );

  test('with two-step verification WebDAV accepts app passwords only, not the account’s own', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await app.signUp('ann');
    const verify = (secret: string) => app.appPasswords.verify(ann.email, secret, '192.0.2.1');
    expect(await verify(PASSWORD)).toBeDefined();
    const { secret } = await ann.call(securityApi.beginSecondFactor, { body });
    await ann.call(securityApi.confirmSecondFactor, {
      body: { code: totpCode(secret, stepAt(clock.now())) },
    });
    expect(await verify(PASSWORD)).toBeUndefined();
    const pass = await ann.call(securityApi.createPass, {
      body: { ...body, kind: 'app_password', name: 'rclone', scopes: ['dav', 'pan'] },
    });
    expect(await verify(pass.secret)).toMatchObject({ account: ann.id });
    const grant = await signIn(app, ann.email, pass.secret);
    await person(app.http, { authorization: `Bearer ${grant.access_token}` }).call(driveApi.about, {
      query: {},
    });
  });

  test('turning off two-step verification requires the password; an administrator can turn it off for a member who lost everything', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann: Member = await guarded(app, clock);
    await expect(
      ann.call(securityApi.endSecondFactor, { body: { password: 'a wrong one' } }),
    ).rejects.toMatchObject({ id: 'invalid_password' });
    await ticketOf(app, ann.email);
    await ann.call(securityApi.endSecondFactor, { body });
    await signIn(app, ann.email);
    expect(await ann.call(securityApi.secondFactor, {})).toMatchObject({
      on: false,
      recovery_codes_left: 0,
    });
    const bob = await guarded(app, clock, 'bob');
    await app.secondFactors.lift((await app.accounts.find(app.database, bob.id))!);
    await signIn(app, bob.email);
  });

  test('neither the authenticator’s secret nor recovery codes are in the database or the log in clear text', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await guarded(app, clock);
    const tables = app.database.on<{ second_factor: object; recovery_code: object; replay: object }>();
    const rows = await Promise.all(
      (['second_factor', 'recovery_code', 'replay'] as const).map((name) =>
        tables.selectFrom(name).selectAll().execute(),
      ),
    );
    const all = JSON.stringify(rows) + app.logged.join('');
    for (const secret of [ann.secret, ...ann.codes]) expect(all).not.toContain(secret);
  });
});
