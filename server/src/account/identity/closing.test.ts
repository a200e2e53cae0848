import {
  accountApi,
  closingApi,
  driveApi,
  securityApi,
  type ApiFailure,
  type InputOf,
} from '@bowerbird/contract';
import { expect, test } from 'vitest';
import type { Mail } from '../../foundation/mail/index.ts';
import {
  askTicket,
  basic,
  eachDatabase,
  fetchLink,
  LOOPBACK_ALLOWED,
  objectClient,
  offlineTasks,
  openTestApp,
  PASSWORD,
  person,
  shareOfAnn,
  shareStatus,
  signIn as signedIn,
  turnableClock,
  visitingApp,
  type Member,
  type TestApp,
} from '../../../testing/index.ts';
import { stepAt, totpCode } from '../credential/totp.ts';

const DAY = 24 * 3600 * 1000;
const closed = { id: 'account_in_cancellation', code: 50 };
const frozen = { id: 'account_frozen', code: 38 };
const body = { password: PASSWORD };

const bearer = (app: TestApp, token: string | undefined) =>
  person(app.http, { authorization: `Bearer ${token}` });
const signIn = (app: TestApp, username: string, password = PASSWORD) =>
  app.visitor.call(accountApi.signIn, { body: { username, password } });
const refresh = (app: TestApp, token: string) =>
  app.visitor.call(accountApi.token, { body: { grant_type: 'refresh_token', refresh_token: token } });

/** Returns the refusal's details for the right credentials of an account that is being closed. */
const offered = (refusal: Promise<unknown>): Promise<Readonly<Record<string, string>>> =>
  refusal.then(
    () => {
      throw new Error('the account is open');
    },
    (failure: ApiFailure) => {
      expect(failure).toMatchObject(closed);
      return failure.facts;
    },
  );

/** Returns all entry points of a member's programs. */
async function doorsOf(app: TestApp, ann: Member) {
  const pass = async (asked: Partial<InputOf<typeof securityApi.createPass>['body']>): Promise<string> => {
    const made = { password: PASSWORD, name: 'x', scopes: ['pan', 'dav'] as const, ...asked };
    const { secret } = await ann.call(securityApi.createPass, {
      body: { ...made, scopes: [...made.scopes], kind: asked.kind ?? 'app_password' },
    });
    return secret;
  };
  const token = await pass({ kind: 'access_token' });
  const appPassword = await pass({});
  const frame = await visitingApp(app);
  const granted = await frame.letIn(ann);
  const { resumable } = await askTicket(ann, { name: 'on its way.txt', size: 4 });
  const cookie = await app.send({
    method: 'POST',
    url: '/v1/auth/signin',
    headers: { origin: 'http://drive.test' },
    payload: { username: ann.email, password: PASSWORD, session: 'cookie' },
  });
  const { name, value } = cookie.cookies.find((one) => one.name === 'pp_session')!;
  const dav = async (authorization: string): Promise<number> => {
    const url = '/dav/';
    const headers = { authorization, depth: '0' };
    return (await app.http.inject({ method: 'PROPFIND' as 'GET', url, headers })).statusCode;
  };
  return {
    session: () => ann.call(driveApi.about, { query: {} }),
    cookie: () => person(app.http, { cookie: `${name}=${value}` }).call(accountApi.me, {}),
    refresh: () => refresh(app, ann.refreshToken),
    token: () => bearer(app, token).call(driveApi.about, { query: {} }),
    app: () => bearer(app, granted.access_token).call(driveApi.about, { query: {} }),
    appRefresh: async () =>
      (await frame.ask({ grant_type: 'refresh_token', refresh_token: granted.refresh_token })).json(),
    upload: async () => (await objectClient(app, resumable!.params).put('data')).text,
    davByPassword: () => dav(basic(ann.email, PASSWORD)),
    davByAppPassword: () => dav(basic(ann.email, appPassword)),
    davByToken: () => dav(`Bearer ${token}`),
    signInByAppPassword: () => signIn(app, ann.email, appPassword),
  };
}

eachDatabase((dialect) => {
  test('a frozen account is rejected as frozen everywhere, and is intact once unfrozen', async () => {
    await using app = await openTestApp({ dialect });
    const { ann, shareId } = await shareOfAnn(app);
    const doors = await doorsOf(app, ann);
    expect(await doors.davByPassword()).toBe(207);
    expect(await doors.davByAppPassword()).toBe(207);
    expect(await doors.davByToken()).toBe(207);
    await app.accounts.freeze(ann.id, true);
    for (const door of ['session', 'cookie', 'refresh', 'token', 'app', 'signInByAppPassword'] as const)
      await expect(doors[door](), door).rejects.toMatchObject(frozen);
    expect(await doors.appRefresh()).toMatchObject({ error: 'account_frozen', error_code: 38 });
    expect(await doors.upload()).toContain('account_frozen');
    for (const door of ['davByPassword', 'davByAppPassword', 'davByToken'] as const)
      expect(await doors[door](), door).toBe(403);
    await expect(signIn(app, ann.email)).rejects.toMatchObject(frozen);
    expect(await shareStatus(app.visitor, shareId, { pass_code: '' })).toBe('PROHIBITED');
    await app.accounts.review(ann.id);
    await expect(signIn(app, ann.email)).rejects.toMatchObject({ id: 'account_under_review', code: 4018 });
    await expect(doors.token()).rejects.toMatchObject({ id: 'account_under_review' });
    await app.accounts.freeze(ann.id, false);
    await doors.token();
    expect(await doors.davByAppPassword()).toBe(207);
    expect(await shareStatus(app.visitor, shareId)).not.toBe('PROHIBITED');
  });

  test('download links of a frozen account stop working', async () => {
    await using app = await openTestApp({ dialect });
    const { ann, ids } = await shareOfAnn(app);
    const file = await ann.call(driveApi.get, { params: { id: ids['list.txt']! }, query: {} });
    const link = new URL(file.web_content_link);
    const get = () => app.http.inject({ url: link.pathname + link.search });
    expect((await get()).statusCode).toBe(200);
    await app.accounts.freeze(ann.id, true);
    expect((await get()).json()).toMatchObject({ error: 'account_frozen', error_code: 38 });
    await app.accounts.freeze(ann.id, false);
    expect((await get()).statusCode).toBe(200);
  });

  test('closing an account signs it out everywhere at once, and it can be reopened for some days', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const { ann, shareId } = await shareOfAnn(app);
    const doors = await doorsOf(app, ann);
    expect(await ann.call(closingApi.rules, {})).toEqual({ days: 14, last_operator: false });
    await expect(ann.call(closingApi.begin, { body: { password: 'a wrong one' } })).rejects.toMatchObject({
      id: 'invalid_password',
    });
    const begun = await ann.call(closingApi.begin, { body });
    expect(Date.parse(begun.closes_at)).toBe(clock.now() + 14 * DAY);

    for (const door of ['session', 'cookie', 'refresh', 'app'] as const)
      await expect(doors[door](), door).rejects.toMatchObject(closed);
    // Passes are deleted, not suspended.
    await expect(doors.token()).rejects.toMatchObject({ id: 'unauthenticated' });
    await expect(doors.signInByAppPassword()).rejects.toMatchObject({ id: 'invalid_account_or_password' });
    expect(await doors.davByAppPassword()).toBe(401);
    expect(await doors.davByPassword()).toBe(403);
    expect(await doors.upload()).toContain('account_in_cancellation');
    expect(await shareStatus(app.visitor, shareId)).toBe('PROHIBITED');

    await expect(signIn(app, ann.email, 'a wrong one')).rejects.toMatchObject({
      id: 'invalid_account_or_password',
    });
    const { keep, closes_at } = await offered(signIn(app, ann.email));
    expect(closes_at).toBe(begun.closes_at);
    const keeping = (ticket: string) => app.visitor.call(closingApi.keep, { body: { ticket } });
    await expect(keeping('nonsense')).rejects.toMatchObject({ id: 'token_expired' });
    clock.advance(601_000);
    await expect(keeping(keep!)).rejects.toMatchObject({ id: 'token_expired' });
    const { keep: again } = await offered(signIn(app, ann.email));
    const grant = await keeping(again!);
    await bearer(app, grant.access_token).call(accountApi.me, {});
    await expect(keeping(again!)).rejects.toMatchObject({ id: 'token_expired' });
    expect(await shareStatus(app.visitor, shareId)).not.toBe('PROHIBITED');
    // Ended sessions stay ended.
    await expect(doors.session()).rejects.toMatchObject({ id: 'unauthenticated' });
    await expect(doors.token()).rejects.toMatchObject({ id: 'unauthenticated' });
    expect(await doors.appRefresh()).toMatchObject({ error: 'invalid_grant' });
  });

  test('a ticket for reopening an account expires when the password changes', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    await ann.call(closingApi.begin, { body });
    const { keep } = await offered(signIn(app, ann.email));
    await app.visitor.call(accountApi.resetPassword, {
      body: {
        verification_token: await app.passwords.oneTimeToken({ email: ann.email, phone: '' }),
        new_password: 'a bower of green things',
      },
    });
    await expect(app.visitor.call(closingApi.keep, { body: { ticket: keep! } })).rejects.toMatchObject({
      id: 'token_expired',
    });
    const { keep: fresh } = await offered(signIn(app, ann.email, 'a bower of green things'));
    await app.visitor.call(closingApi.keep, { body: { ticket: fresh! } });
  });

  test('closing an account again does not postpone its deletion', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await app.signUp('ann');
    const { closes_at: first } = await ann.call(closingApi.begin, { body });
    clock.advance(5 * DAY);
    const account = (await app.accounts.find(app.database, ann.id))!;
    expect(await app.closings.order(account, 'later')).toBe(Date.parse(first));
    expect((await offered(signIn(app, ann.email)))['closes_at']).toBe(first);
  });

  test('reopening an account requires both steps of two-step verification', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await app.signUp('ann');
    const { secret } = await ann.call(securityApi.beginSecondFactor, { body });
    const code = (): string => totpCode(secret, stepAt(clock.now()));
    await ann.call(securityApi.confirmSecondFactor, { body: { code: code() } });
    clock.advance(60_000);
    const ticketed = (): Promise<string> =>
      signIn(app, ann.email).then(
        () => '',
        (failure: ApiFailure) => failure.facts['ticket']!,
      );
    const remembered = await app.send({
      method: 'POST',
      url: '/v1/auth/signin/second-factor',
      headers: { origin: 'http://drive.test' },
      payload: { ticket: await ticketed(), code: code(), remember: true, session: 'cookie' },
    });
    const trusted = remembered.cookies.find(({ name }) => name === 'pp_trusted_device')!;
    await ann.call(closingApi.begin, { body });
    // A browser that was trusted before is asked for the second step as well.
    const reply = await app.send({
      method: 'POST',
      url: '/v1/auth/signin',
      headers: { cookie: `${trusted.name}=${trusted.value}` },
      payload: { username: ann.email, password: PASSWORD },
    });
    expect(reply.json()).toMatchObject({ error: 'second_factor_required' });
    expect(reply.body).not.toContain('closes_at');
    clock.advance(60_000);
    const ticket = await ticketed();
    const { keep } = await offered(
      app.visitor.call(accountApi.secondFactor, { body: { ticket, code: code() } }),
    );
    await app.visitor.call(closingApi.keep, { body: { ticket: keep! } });
  });

  test('the owner of a closing account gets an email when it is closed, on its last day, and when it is reopened', async () => {
    const clock = turnableClock();
    const mails: Mail[] = [];
    const mailer = { delivers: true, send: async (mail: Mail) => void mails.push(mail) };
    await using app = await openTestApp({ dialect, clock, mailer, environment: { CLOSING_DAYS: '3' } });
    const { email, id } = await app.accounts.add({ email: 'ann@example.org', password: PASSWORD }, 'member');
    const subjects = async (): Promise<string[]> => {
      await app.closings.remind();
      await app.jobs.drain();
      return mails.splice(0).flatMap(({ to, subject }) => (to === email ? [subject] : []));
    };
    const grant = await signIn(app, email);
    await subjects();
    await bearer(app, grant.access_token).call(closingApi.begin, { body });
    expect(await subjects()).toEqual(['Your account will be deleted']);
    clock.advance(2 * DAY - 1000);
    expect(await subjects()).toEqual([]);
    clock.advance(2000);
    expect(await subjects()).toEqual(['Your account will be deleted tomorrow']);
    expect(await subjects()).toEqual([]);
    const { keep } = await offered(signIn(app, email));
    await app.visitor.call(closingApi.keep, { body: { ticket: keep! } });
    expect(await subjects()).toContain('Your account will be kept');
    clock.advance(30 * DAY);
    await app.erasing.askDue();
    await app.jobs.drain();
    expect(await app.accounts.find(app.database, id)).toBeDefined();
  });

  test('the last administrator can’t close their account, and if two close theirs at once, one remains', async () => {
    await using app = await openTestApp({ dialect });
    const operators: Member[] = [];
    for (const name of ['ann', 'bob']) {
      const one = await app.signUp(name);
      await app.accounts.makeOperator(one.id);
      operators.push(one);
      if (operators.length > 1) break;
      expect(await one.call(closingApi.rules, {})).toMatchObject({ last_operator: true });
      await expect(one.call(closingApi.begin, { body })).rejects.toMatchObject({ id: 'last_operator' });
    }
    const ends = await Promise.allSettled(operators.map((one) => one.call(closingApi.begin, { body })));
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  test('downloads of a frozen or closed account stop', async () => {
    await using app = await openTestApp({
      dialect,
      environment: { OFFLINE_SLOTS: '0', ...LOOPBACK_ALLOWED },
    });
    const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
    for (const member of [ann, bob]) await fetchLink(member, 'http://127.0.0.1:9/a.zip');
    await app.accounts.freeze(ann.id, true);
    await app.jobs.drain();
    await app.accounts.freeze(ann.id, false);
    const phases = async (member: Member) =>
      (await offlineTasks(await signedIn(app.http, member))).map(({ phase }) => phase);
    expect(await phases(ann)).toEqual(['PHASE_TYPE_PAUSED']);
    expect(await phases(bob)).toEqual(['PHASE_TYPE_PENDING']);
    await bob.call(closingApi.begin, { body });
    await app.jobs.drain();
    await app.closings.takeBack(bob.id);
    expect(await phases(bob)).toEqual(['PHASE_TYPE_PAUSED']);
  });

  test('the owner of a closing account that was frozen can’t reopen it before it is unfrozen', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    await ann.call(closingApi.begin, { body });
    const { keep } = await offered(signIn(app, ann.email));
    await app.accounts.freeze(ann.id, true);
    await expect(signIn(app, ann.email)).rejects.toMatchObject(frozen);
    await expect(app.visitor.call(closingApi.keep, { body: { ticket: keep! } })).rejects.toMatchObject(
      frozen,
    );
    await app.accounts.freeze(ann.id, false);
    await app.visitor.call(closingApi.keep, { body: { ticket: keep! } });
  });
});
