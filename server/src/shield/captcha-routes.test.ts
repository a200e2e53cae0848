import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  accountApi,
  driveApi,
  shareApi,
  shieldApi,
  WEB_CLIENT_ID,
  type ErrorEnvelope,
} from '@bowerbird/contract';
import {
  eachDatabase,
  openTestApp,
  PASSWORD,
  shareOfAnn,
  signedMeta,
  turnableClock,
  type TestApp,
} from '../../testing/index.ts';

const DEVICE = 'a'.repeat(32);
const SIGN_IN = 'POST:/v1/auth/signin';
const ADAPTIVE_FAILURES = 6;

interface Granted {
  captcha_token?: string;
  expires_in?: number;
  url?: string;
}

/** Client without a helper, which sends exactly the given values. */
function client(app: TestApp, id: string, address = '192.0.2.1', device = DEVICE) {
  const headers = { 'content-type': 'application/json', 'x-device-id': device, 'x-client-id': id };
  const post = (url: string, body: object, more: Record<string, string> = {}) =>
    app.http.inject({
      method: 'POST',
      url,
      remoteAddress: address,
      headers: { ...headers, ...more },
      payload: JSON.stringify(body),
    });
  const init = async (
    action: string,
    meta: object = {},
    body: object = {},
  ): Promise<Granted & ErrorEnvelope> =>
    (
      await post('/v1/shield/captcha/init', {
        client_id: id,
        device_id: device,
        action,
        meta: { ...signedMeta(id, device, String(app.clock.now())), ...meta },
        ...body,
      })
    ).json();
  const signIn = async (body: object, more: Record<string, string> = {}) => {
    const reply = await post('/v1/auth/signin', { client_id: id, password: PASSWORD, ...body }, more);
    return reply.json<ErrorEnvelope & { sub?: string }>();
  };
  return {
    headers,
    post,
    init,
    signIn,
    get: (url: string, more: Record<string, string> = {}) =>
      app.http.inject({ url, remoteAddress: address, headers: { ...headers, ...more } }),
  };
}

/** Solution that a browser computes. */
function answersOf({ id, rounds, bits }: { id: string; rounds: number; bits: number }): number[] {
  return Array.from({ length: rounds }, (_, round) => {
    for (let number = 0; ; number++) {
      const digest = createHash('sha256').update(`${id}.${round}.${number}`).digest();
      if (digest.readUInt32BE(0) >>> (32 - bits) === 0) return number;
    }
  });
}

async function solve(app: TestApp, url: string) {
  const challenge = new URL(url).searchParams.get('captcha_token')!;
  const asked = await app.visitor.call(shieldApi.challenge, { query: { challenge } });
  return { challenge, answers: answersOf(asked) };
}

async function failAt(
  app: TestApp,
  username: string,
  address: string,
  times = ADAPTIVE_FAILURES,
): Promise<void> {
  const stranger = client(app, 'a-program', address);
  for (let time = 0; time < times; time++) {
    const { captcha_token } = await stranger.init(SIGN_IN, { username });
    await stranger.signIn({ username, password: `wrong ${time}`, captcha_token });
  }
}

eachDatabase((dialect) => {
  describe('a third-party client', () => {
    test('gets a captcha token without a page, for every form of its action, and signs in with it, in the body or a header', async () => {
      await using app = await openTestApp({ dialect });
      const { email, id } = await app.signUp('ann');
      const program = client(app, 'YNxT9w7GMdWvEOKa');
      for (const [action, meta] of [
        [SIGN_IN, { username: email }],
        ['POST:https://user.example.org/v1/auth/signin', { email }],
        ['post:/v1/auth/signin', { username: email.toUpperCase() }],
      ] as const) {
        const granted = await program.init(action, { ...meta, user_id: null });
        expect(granted).toEqual({ captcha_token: expect.stringMatching(/^ck0\./), expires_in: 300 });
        const { captcha_token } = granted;
        expect(await program.signIn({ username: email, captcha_token })).toMatchObject({ sub: id });
        expect(
          await program.signIn({ username: email }, { 'x-captcha-token': captcha_token! }),
        ).toMatchObject({
          sub: id,
        });
      }
    });

    test('needs no signature, but must send its device id and who signs in', async () => {
      await using app = await openTestApp({ dialect });
      const program = client(app, 'unheard-of');
      expect(await program.init('GET:/drive/v1/files', { captcha_sign: 'x', timestamp: '' })).toMatchObject({
        expires_in: 300,
      });
      expect(await program.init(SIGN_IN)).toMatchObject({ error: 'invalid_argument', error_code: 3 });
      const nameless = client(app, 'unheard-of', '192.0.2.1', '');
      expect(await nameless.init('GET:/drive/v1/files')).toMatchObject({
        error: 'captcha_invalid',
        error_code: 4002,
      });
    });

    test('is never sent to a challenge page, even after many failures from its network; its sign-ins are delayed instead', async () => {
      await using app = await openTestApp({ dialect });
      const { email } = await app.signUp('ann');
      await failAt(app, email, '192.0.2.1', 8);
      const program = client(app, 'a-program');
      const { captcha_token, url } = await program.init(SIGN_IN, { username: email });
      expect(url).toBeUndefined();
      expect(await program.signIn({ username: email, captcha_token })).toMatchObject({ error_code: 4013 });
    });

    test('uses one captcha token for all requests until it expires, and gets the same one again while it is valid', async () => {
      const clock = turnableClock();
      await using app = await openTestApp({ dialect, clock });
      const { shareId } = await shareOfAnn(app);
      const program = client(app, 'a-program');
      const first = await program.init('GET:/drive/v1/share');
      const again = await program.init('GET:/drive/v1/files', {}, { captcha_token: first.captcha_token });
      expect(again.captcha_token).toBe(first.captcha_token);
      const open = () =>
        program.get(`/drive/v1/share?share_id=${shareId}`, { 'x-captcha-token': first.captcha_token! });
      expect((await open()).json()).toMatchObject({ share_status: 'OK' });
      clock.advance(250_000);
      const next = await program.init('GET:/drive/v1/files', {}, { captcha_token: first.captcha_token });
      expect(next.captcha_token).not.toBe(first.captcha_token);
      clock.advance(51_000);
      expect((await open()).json()).toMatchObject({ error: 'captcha_invalid', error_code: 9 });
    });
  });

  test('a captcha token of another device, client or name is not returned again', async () => {
    await using app = await openTestApp({ dialect });
    const { email, id } = await app.signUp('ann');
    const program = client(app, 'a-program');
    for (const { captcha_token: foreign } of [
      await client(app, 'a-program', '192.0.2.1', 'b'.repeat(32)).init(SIGN_IN, { username: email }),
      await client(app, 'b-program').init(SIGN_IN, { username: email }),
      await program.init(SIGN_IN, { username: 'bob@example.org' }),
    ]) {
      const own = await program.init(SIGN_IN, { username: email }, { captcha_token: foreign });
      expect(own.captcha_token).not.toBe(foreign);
      expect(await program.signIn({ username: email, captcha_token: own.captcha_token })).toMatchObject({
        sub: id,
      });
    }
  });

  describe('without a valid captcha token', () => {
    test('nobody can sign in, sign up, request a code or reset a password', async () => {
      await using app = await openTestApp({ dialect });
      const { email } = await app.signUp('ann');
      const program = client(app, 'a-program');
      for (const [url, body] of [
        ['/v1/auth/signin', { username: email, password: PASSWORD }],
        ['/v1/auth/signup', { email: 'bob@example.org', password: PASSWORD }],
        ['/v1/auth/verification', { email, usage: 'PASSWORD_RESET' }],
        ['/v1/auth/password/reset', { verification_token: 'x', new_password: PASSWORD }],
      ] as const) {
        expect((await program.post(url, body)).json()).toMatchObject({
          error: 'captcha_required',
          error_code: 4001,
        });
        expect((await program.post(url, { ...body, captcha_token: 'ck0.x.y' })).json()).toMatchObject({
          error: 'captcha_invalid',
          error_code: 4002,
        });
      }
    });

    test('a token of another device, client, name or action is rejected too', async () => {
      await using app = await openTestApp({ dialect });
      const { email } = await app.signUp('ann');
      const program = client(app, 'a-program');
      const tokens = [
        await client(app, 'a-program', '192.0.2.1', 'b'.repeat(32)).init(SIGN_IN, { username: email }),
        await client(app, 'b-program').init(SIGN_IN, { username: email }),
        await program.init(SIGN_IN, { username: 'bob@example.org' }),
        await program.init('GET:/drive/v1/files'),
      ];
      for (const { captcha_token } of tokens)
        expect(await program.signIn({ username: email, captcha_token })).toMatchObject({ error_code: 4002 });
    });

    test('a visitor can’t read a share by the API, a member can, and gets error 9 only for a token that was sent', async () => {
      await using app = await openTestApp({ dialect });
      const { ann, shareId } = await shareOfAnn(app);
      const program = client(app, 'a-program');
      const url = `/drive/v1/share?share_id=${shareId}`;
      expect((await program.get(url)).json()).toMatchObject({ error: 'captcha_invalid', error_code: 9 });
      const authorization = `Bearer ${ann.accessToken}`;
      expect((await program.get(url, { authorization })).json()).toMatchObject({ share_status: 'OK' });
      const list = (more: Record<string, string>) =>
        program.get('/drive/v1/files', { authorization, ...more }).then((reply) => reply.json());
      expect(await list({})).toHaveProperty('files');
      expect(await list({ 'x-captcha-token': 'stale' })).toMatchObject({ error_code: 9 });
      const { captcha_token } = await program.init('GET:/drive/v1/files');
      expect(await list({ 'x-captcha-token': captcha_token! })).toHaveProperty('files');
      expect(await ann.call(driveApi.list, { query: {} })).toHaveProperty('files');
    });
  });

  test('a captcha token creates one account and sends one code, however many parallel requests there are', async () => {
    await using app = await openTestApp({ dialect });
    const program = client(app, 'a-program');
    const email = 'ann@example.org';
    const { captcha_token } = await program.init('POST:/v1/auth/signup', { email });
    const replies = await Promise.all(
      Array.from({ length: 8 }, () =>
        program.post('/v1/auth/signup', { email, password: PASSWORD, captcha_token }),
      ),
    );
    expect(replies.map((reply) => reply.statusCode).filter((status) => status === 200)).toHaveLength(1);
    const codes = replies.flatMap((reply) => reply.json<Partial<ErrorEnvelope>>().error_code ?? []);
    expect(new Set(codes)).toEqual(new Set([4002]));
    const next = await program.init('POST:/v1/auth/signup', { email }, { captcha_token });
    expect(next.captcha_token).not.toBe(captcha_token);
  });

  describe('our own pages', () => {
    test('sign their requests, and get no token if the signature is missing, outdated or someone else’s', async () => {
      await using app = await openTestApp({ dialect });
      const page = client(app, WEB_CLIENT_ID);
      const username = 'ann@example.org';
      expect(await page.init(SIGN_IN, { username })).toMatchObject({ expires_in: 300 });
      const other = signedMeta(WEB_CLIENT_ID, 'b'.repeat(32), String(app.clock.now()));
      const old = signedMeta(WEB_CLIENT_ID, DEVICE, String(app.clock.now() - 2 * 24 * 3600_000));
      for (const meta of [{ captcha_sign: '' }, { captcha_sign: `1.${'0'.repeat(32)}` }, other, old])
        expect(await page.init(SIGN_IN, { username, ...meta })).toMatchObject({
          error: 'captcha_invalid',
          error_code: 4002,
        });
      expect(await page.init('nonsense', { username })).toMatchObject({ error: 'invalid_argument' });
    });

    test('get a challenge after wrong passwords for that name or from that network, and not otherwise', async () => {
      await using app = await openTestApp({ dialect });
      const { email, id } = await app.signUp('ann');
      await failAt(app, email, '198.51.100.1');
      const elsewhere = client(app, WEB_CLIENT_ID, '192.0.2.1');
      expect(await elsewhere.init(SIGN_IN, { username: 'bob@example.org' })).toMatchObject({
        expires_in: 300,
      });
      const there = client(app, WEB_CLIENT_ID, '198.51.100.1');
      expect((await there.init(SIGN_IN, { username: 'bob@example.org' })).url).toContain(
        '/captcha/challenge?',
      );

      const { url, captcha_token: none } = await elsewhere.init(SIGN_IN, { username: email });
      expect(none).toBeUndefined();
      const told = new URL(url!).searchParams;
      expect(told.get('redirect_uri')).toBe('http://drive.test/loading');
      const { challenge, answers } = await solve(app, url!);
      const solved = await app.visitor.call(shieldApi.solve, { body: { challenge, answers } });
      expect(solved).toMatchObject({ expires_in: 300, redirect_uri: 'http://drive.test/loading' });
      const { captcha_token } = solved;
      expect(await elsewhere.signIn({ username: email, captcha_token })).toMatchObject({ sub: id });
    });

    test('can’t use a token issued before the failures', async () => {
      await using app = await openTestApp({ dialect });
      const { email } = await app.signUp('ann');
      const page = client(app, WEB_CLIENT_ID);
      const { captcha_token } = await page.init(SIGN_IN, { username: email });
      await failAt(app, email, '198.51.100.1');
      expect(await page.signIn({ username: email, captcha_token })).toMatchObject({ error_code: 4002 });
    });

    test('can use a challenge’s answer once, in time, and only if it is right', async () => {
      const clock = turnableClock();
      await using app = await openTestApp({ dialect, clock, environment: { CAPTCHA: 'always' } });
      const page = client(app, WEB_CLIENT_ID);
      const ask = async () => solve(app, (await page.init(SIGN_IN, { username: 'ann' })).url!);
      const hand = (body: { challenge: string; answers: number[] }) =>
        app.visitor.call(shieldApi.solve, { body });
      const first = await ask();
      await expect(hand({ ...first, answers: [...first.answers.slice(1), 0] })).rejects.toMatchObject({
        id: 'captcha_invalid',
      });
      const results = await Promise.allSettled([hand(first), hand(first), hand(first)]);
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      await expect(hand(first)).rejects.toMatchObject({ id: 'token_expired' });
      const second = await ask();
      await expect(hand({ ...second, challenge: `x${second.challenge}` })).rejects.toMatchObject({
        id: 'token_expired',
      });
      clock.advance(10 * 60_000);
      await expect(hand(second)).rejects.toMatchObject({ id: 'token_expired' });
    });

    test('get challenges that redirect only to our own pages or known clients', async () => {
      await using app = await openTestApp({ dialect, environment: { CAPTCHA: 'always' } });
      const page = client(app, WEB_CLIENT_ID);
      const ask = (redirect_uri: string) => page.init(SIGN_IN, { username: 'ann' }, { redirect_uri });
      for (const uri of [
        'https://evil.test/',
        '//evil.test',
        'javascript:alert(1)',
        'http://drive.test.evil.test/',
        'data:,x',
      ])
        expect(await ask(uri)).toMatchObject({ error: 'invalid_argument' });
      for (const uri of ['http://drive.test/loading?x=1', 'xlaccsdk01://xbase.cloud/callback?state=harbor'])
        expect((await ask(uri)).url).toContain(encodeURIComponent(uri));
    });
  });

  describe('an administrator', () => {
    test('can turn off captchas for everyone', async () => {
      await using app = await openTestApp({ dialect, environment: { CAPTCHA: 'off' } });
      const { email, id } = await app.signUp('ann');
      const program = client(app, 'a-program');
      expect(await program.signIn({ username: email })).toMatchObject({ sub: id });
      expect(await program.init(SIGN_IN, { username: email })).toMatchObject({ expires_in: 300 });
    });

    test('can require challenges on all of our pages, for reading shares too', async () => {
      await using app = await openTestApp({ dialect, environment: { CAPTCHA: 'always' } });
      const page = client(app, WEB_CLIENT_ID);
      expect((await page.init('GET:/drive/v1/share')).url).toBeDefined();
    });

    test('can allow the debug console for a device or a signed-in member, not for whom a request body claims to be', async () => {
      await using app = await openTestApp({ dialect, environment: { DEBUG_CONSOLE: DEVICE } });
      const ann = await app.signUp('ann');
      const allowed = async (uuid: string, userid = '') =>
        (await app.visitor.call(shieldApi.debugOptions, { body: { client: 'web', data: { uuid, userid } } }))
          .values.debug_options.allow_vconsole;
      expect([await allowed(DEVICE), await allowed('b'.repeat(32), ann.id), await allowed('')]).toEqual([
        true,
        false,
        false,
      ]);
      await using other = await openTestApp({ dialect, environment: { DEBUG_CONSOLE: ann.id } });
      expect(
        (await other.visitor.call(shieldApi.debugOptions, { body: { data: { userid: ann.id } } })).values
          .debug_options,
      ).toEqual({ allow_vconsole: false });
    });
  });

  test('wrong passcodes count against their network, and after enough of them our pages get a challenge to read shares', async () => {
    await using app = await openTestApp({ dialect });
    const { shareId } = await shareOfAnn(app, { pass_code_option: 'REQUIRED' });
    const program = client(app, 'a-program', '198.51.100.1');
    const { captcha_token } = await program.init('GET:/drive/v1/share');
    const guess = (code: string) =>
      program.get(`/drive/v1/share?share_id=${shareId}&pass_code=${code}`, {
        'x-captcha-token': captcha_token!,
      });
    for (let time = 0; time < 8; time++) {
      await guess(`zz${time}`);
    }
    const { url } = await client(app, WEB_CLIENT_ID, '198.51.100.1').init('GET:/drive/v1/share');
    const { url: elsewhere } = await client(app, WEB_CLIENT_ID, '192.0.2.1').init('GET:/drive/v1/share');
    expect([url === undefined, elsewhere]).toEqual([false, undefined]);
  });

  test('a failing database lets nobody sign in', async () => {
    await using app = await openTestApp({ dialect });
    const { email } = await app.signUp('ann');
    const program = client(app, 'a-program');
    const { captcha_token } = await program.init(SIGN_IN, { username: email });
    await app.database.transaction((tx) => tx.on<never>().schema.dropTable('captcha_spent').execute());
    const reply = await program.post('/v1/auth/signin', {
      username: email,
      password: PASSWORD,
      captcha_token,
    });
    expect(reply.statusCode).toBe(500);
    expect(reply.cookies).toEqual([]);
  });
});

test('the endpoints of the contract that need captcha tokens are those of visitors and of signing in', () => {
  expect([accountApi.signIn.captcha, accountApi.signUp.captcha, shareApi.open.captcha]).toEqual([
    'login',
    'login-once',
    true,
  ]);
});
