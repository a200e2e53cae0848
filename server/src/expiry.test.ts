import { randomBytes } from 'node:crypto';
import { accountApi, driveApi, LIMITS, oauthApi, securityApi, shareApi } from '@bowerbird/contract';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  askTicket,
  basic,
  davClient,
  eachDatabase,
  objectClient,
  openTestApp,
  PASSWORD,
  plant,
  signIn,
  turnableClock,
  upload,
  visitingApp,
  type Member,
  type TestApp,
  type TurnableClock,
} from '../testing/index.ts';
import {
  connectOpenList,
  connectPikPakApi,
  connectRclone,
  connectShare,
  send,
  type Line,
} from '../testing/clients/index.ts';

// Everything that expires does so here while a client holds it, and each client recovers with its own
// behavior and its expired values.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const TELEVISION = 'bowerbird-tv';
const JSON_BODY = { 'content-type': 'application/json' };

eachDatabase((dialect) => {
  let app: TestApp;
  let clock: TurnableClock;
  let origin: string;
  let people = 0;

  beforeAll(async () => {
    clock = turnableClock();
    app = await openTestApp({ dialect, clock, environment: { SITE_URL: '' } });
    app.start();
    await app.http.listen({ port: 0, host: '127.0.0.1' });
    origin = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
  });
  afterAll(() => app.close());

  const somebody = (): Promise<Member> => app.signUp(`holder-${(people += 1)}`);
  const line = (): Line => ({ origin, answers: new Map(), now: clock.now });
  const credentials = ({ email }: Member) => ({ username: email, password: PASSWORD });
  const names = (files: readonly { name: string }[]): string[] => files.map(({ name }) => name).toSorted();
  async function follow(link: string) {
    const { host, pathname, search } = new URL(link);
    return send(origin, { method: 'GET', host, path: pathname + search });
  }

  /** Idle times after which something of a signed-in client has expired. */
  const QUIET = [
    ['a captcha token', 6 * MINUTE],
    ['an access token', 3 * HOUR],
    ['links and passcode tokens', 20 * HOUR],
    ['whatever is good for days', 40 * DAY],
    ['a refresh token', 70 * DAY],
  ] as const;

  describe('after an idle period', () => {
    test('rclone continues to work', async () => {
      const rclone = await connectRclone(line(), credentials(await somebody()));
      const content = randomBytes(70_000);
      const file = await rclone.put('', 'first.bin', content);
      for (const [what, quiet] of QUIET) {
        clock.advance(quiet);
        expect(names(await rclone.list('')), what).toContain('first.bin');
        clock.advance(quiet);
        await rclone.put('', `${quiet}.bin`, randomBytes(20));
        clock.advance(quiet);
        expect((await rclone.get(file)).equals(content), what).toBe(true);
      }
      expect(await rclone.list('')).toHaveLength(1 + QUIET.length);
    });

    test.each(['web', 'android'] as const)('OpenList as %s continues to work', async (platform) => {
      const openlist = await connectOpenList(line(), { ...credentials(await somebody()), platform });
      await openlist.put('', 'first.bin', Buffer.from('first'));
      for (const [what, quiet] of QUIET) {
        clock.advance(quiet);
        const file = (await openlist.list('')).find(({ name }) => name === 'first.bin');
        clock.advance(quiet);
        expect((await follow(await openlist.link(file!.id))).body.toString(), what).toBe('first');
        clock.advance(quiet);
        await openlist.mkdir('', `${quiet}`);
      }
      expect(await openlist.list('')).toHaveLength(1 + QUIET.length);
    });

    test('PikPakAPI continues to work', async () => {
      const client = await connectPikPakApi(line(), credentials(await somebody()));
      // After its refresh token has expired it cannot continue.
      for (const [what, quiet] of QUIET.slice(0, -1)) {
        await client.mkdir(`${quiet}`);
        clock.advance(quiet);
        expect(names((await client.list('')).files), what).toContain(`${quiet}`);
      }
    });

    test('PikPakAPI continues to work in someone else’s share', async () => {
      const ann = await somebody();
      const { id } = await upload(app, ann, 'egg.bin', 'an egg');
      const { share_id: shareId } = await ann.call(shareApi.create, { body: { file_ids: [id] } });
      const client = await connectPikPakApi(line(), credentials(await somebody()));
      for (const [what, quiet] of QUIET.slice(0, -1)) {
        clock.advance(quiet);
        expect(names((await client.openShare(shareId)).files), what).toEqual(['egg.bin']);
      }
    });

    test('OpenList continues to work in a share, with and without a passcode', async () => {
      const ann = await somebody();
      await upload(app, ann, 'egg.bin', 'an egg');
      const [egg] = (await ann.call(driveApi.list, { query: {} })).files;
      const shares = await Promise.all(
        (['REQUIRED', 'NOT_REQUIRED'] as const).map((option) =>
          ann.call(shareApi.create, { body: { file_ids: [egg!.id], pass_code_option: option } }),
        ),
      );
      for (const { share_id: shareId, pass_code: passcode } of shares) {
        const share = await connectShare(line(), { shareId, passcode });
        for (const [what, quiet] of QUIET) {
          clock.advance(quiet);
          const [file] = await share.list('');
          clock.advance(6 * MINUTE);
          expect((await follow(await share.link(file!.id))).body.toString(), what).toBe('an egg');
        }
      }
    });
  });

  describe('expired values', () => {
    /** Expired and invalid captcha tokens that a client may send. */
    async function deadCaptchas(email: string): Promise<string[]> {
      const init = async (device: string) => {
        const payload = {
          client_id: 'a-program',
          device_id: device,
          action: 'POST:/v1/auth/signin',
          meta: { email },
        };
        const reply = await app.http.inject({ method: 'POST', url: '/v1/shield/captcha/init', payload });
        return reply.json<{ captcha_token: string }>().captcha_token;
      };
      const old = await init('a'.repeat(32));
      clock.advance(6 * MINUTE);
      return ['', 'nonsense', 'ck0.', 'ck0.x.y', 'x'.repeat(9000), old, await init('b'.repeat(32))];
    }

    test('an expired captcha token does not prevent captcha/init from returning a valid one, in the body and in the header', async () => {
      const { email } = await somebody();
      const says: unknown[] = [...(await deadCaptchas(email)), null, 7, false, ['x'], { token: 'x' }];
      const device = 'c'.repeat(32);
      for (const dead of says) {
        const header = typeof dead === 'string' && dead !== '' ? { 'x-captcha-token': dead } : {};
        const reply = await app.http.inject({
          method: 'POST',
          url: `/v1/shield/captcha/init?captcha_token=${encodeURIComponent(String(dead))}`,
          headers: { ...JSON_BODY, ...header, authorization: 'Bearer over' },
          payload: JSON.stringify({
            client_id: 'a-program',
            device_id: device,
            action: 'POST:/v1/auth/signin',
            captcha_token: dead,
            meta: { email },
          }),
        });
        expect(reply.json(), JSON.stringify(dead)?.slice(0, 40)).toMatchObject({
          captcha_token: expect.stringMatching(/^ck0\./),
          expires_in: 300,
        });
        const signedIn = await app.http.inject({
          method: 'POST',
          url: '/v1/auth/signin',
          headers: { ...JSON_BODY, 'x-device-id': device, authorization: 'Bearer over' },
          payload: JSON.stringify({
            ...reply.json(),
            client_id: 'a-program',
            username: email,
            password: PASSWORD,
          }),
        });
        expect(signedIn.json()).toHaveProperty('access_token');
      }
    });

    test('an expired captcha or access token does not prevent refreshing, revoking and polling for tokens', async () => {
      const ann = await somebody();
      let refreshToken = ann.refreshToken;
      clock.advance(3 * HOUR);
      for (const dead of await deadCaptchas(ann.email)) {
        const headers = {
          ...JSON_BODY,
          authorization: `Bearer ${ann.accessToken}`,
          ...(dead === '' ? {} : { 'x-captcha-token': dead }),
        };
        const post = async (url: string, body: object) =>
          (await app.http.inject({ method: 'POST', url, headers, payload: JSON.stringify(body) })).json();
        const refreshed = await post(accountApi.token.path, {
          grant_type: 'refresh_token',
          refresh_token: refreshToken,
          captcha_token: dead.slice(0, 4000),
        });
        expect(refreshed).toHaveProperty('access_token');
        refreshToken = refreshed.refresh_token;
        const asked = await post(oauthApi.askDeviceCode.path, { client_id: TELEVISION, scope: 'user' });
        expect(asked).toHaveProperty('device_code');
        const { device_code: code } = asked;
        const poll = { grant_type: DEVICE_GRANT, device_code: code, client_id: TELEVISION };
        expect(await post(accountApi.token.path, poll)).toMatchObject({ error: 'authorization_pending' });
        expect(await post(accountApi.signOut.path, { token: ann.accessToken.slice(0, -4) })).toEqual({});
        expect(await post(accountApi.signOut.path, {})).toEqual({});
      }
    });

    test('an expired session cookie does not prevent a page from signing in, refreshing and signing out', async () => {
      const ann = await somebody();
      const from = { origin };
      const enter = (cookie?: string) =>
        app.send({
          method: 'POST',
          url: accountApi.signIn.path,
          headers: { ...from, host: new URL(origin).host, ...(cookie && { cookie }) },
          payload: { username: ann.email, password: PASSWORD, session: 'cookie', client_id: 'a-program' },
        });
      const first = await enter();
      expect(first.statusCode).toBe(200);
      const cookie = first.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
      clock.advance((LIMITS.webSessionSeconds + 1) * 1000);
      const host = new URL(origin).host;
      const me = (held: string) =>
        app.http.inject({ url: accountApi.me.path, headers: { host, cookie: held } });
      expect((await me(cookie)).json()).toMatchObject({ error_code: 16 });
      const out = await app.http.inject({
        method: 'POST',
        url: accountApi.signOut.path,
        headers: { host, cookie, ...from },
        payload: {},
      });
      expect(out.statusCode).toBe(200);
      const second = await enter(cookie);
      expect(second.statusCode).toBe(200);
      expect(
        (await me(second.cookies.map(({ name, value }) => `${name}=${value}`).join('; '))).statusCode,
      ).toBe(200);
    });

    test('with an expired or invalid passcode token, a visitor can open a share again', async () => {
      const ann = await somebody();
      const { id } = await upload(app, ann, 'egg.bin', 'an egg');
      const { share_id: shareId, pass_code: passcode } = await ann.call(shareApi.create, {
        body: { file_ids: [id], pass_code_option: 'REQUIRED' },
      });
      const open = (query: Record<string, string>) =>
        app.visitor.call(shareApi.open, { query: { share_id: shareId, ...query } });
      let token = (await open({ pass_code: passcode })).pass_code_token;
      clock.advance(13 * HOUR);
      for (const dead of [token, 'nonsense', `${token}x`]) {
        expect((await open({ pass_code_token: dead })).share_status).toMatch(/^PASS_CODE_/);
        const again = await open({ pass_code_token: dead, pass_code: passcode });
        expect(again.share_status).toBe('OK');
        token = again.pass_code_token;
      }
      const detail = { query: { share_id: shareId, pass_code_token: token } };
      expect((await app.visitor.call(shareApi.detail, detail)).share_status).toBe('OK');
    });

    test('an expired upload, abandoned between its parts, can be started again under the same name', async () => {
      const ann = await somebody();
      const parts = [Buffer.alloc(100_000, 'a'), Buffer.alloc(50_000, 'b')];
      const ask = async () =>
        (await askTicket(await signIn(app.http, ann), { name: 'egg.bin', size: 150_000 })).resumable!.params;
      const first = objectClient(app, await ask());
      await first.begin();
      await first.putPart(1, parts[0]!);
      await first.list();
      clock.advance((LIMITS.uploadIdleSeconds + 60) * 1000);
      await app.database.transaction((tx) => app.jobs.enqueue(tx, 'expire-uploads', null));
      await app.jobs.drain();
      await expect(first.putPart(2, parts[1]!)).rejects.toThrow(/NoSuchUpload|InvalidAccessKeyId/);
      const second = objectClient(app, await ask());
      await second.begin();
      const etags = { 1: await second.putPart(1, parts[0]!), 2: await second.putPart(2, parts[1]!) };
      expect((await second.complete(etags)).status).toBe(200);
      const { files } = await (
        await signIn(app.http, ann)
      ).call(driveApi.list, {
        query: { filters: '{"phase":{"eq":"PHASE_TYPE_COMPLETE"}}' },
      });
      expect(files).toMatchObject([{ name: 'egg.bin', size: '150000' }]);
    });

    test('a page token still works after months', async () => {
      const ann = await somebody();
      await plant(app, ann.id, { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
      const page = await ann.call(driveApi.list, { query: { limit: 2 } });
      clock.advance(50 * DAY);
      const query = { limit: 2, page_token: page.next_page_token };
      const rest = await (await signIn(app.http, ann)).call(driveApi.list, { query });
      expect(names([...page.files, ...rest.files])).toEqual(['a.txt', 'b.txt', 'c.txt']);
    });

    test('an expired lock token is rejected: its holder locks again, and others can write', async () => {
      const ann = await somebody();
      const dav = davClient(app.http, {
        authorization: basic(ann.email, PASSWORD),
        host: new URL(origin).host,
      });
      await dav.put('/f', 'x');
      const token = await dav.lock('/f', { depth: '0' });
      const held = { if: `(<${token}>)` };
      expect((await dav.put('/f', 'y', held)).status).toBe(204);
      clock.advance(2 * HOUR);
      expect((await dav.put('/f', 'z', held)).status).toBe(412);
      expect((await dav.send('UNLOCK', '/f', { headers: { 'lock-token': `<${token}>` } })).status).toBe(409);
      const next = await dav.lock('/f', { depth: '0' });
      expect((await dav.put('/f', 'z', { if: `(<${next}>)` })).status).toBe(204);
      clock.advance(2 * HOUR);
      expect((await dav.put('/f', 'from elsewhere')).status).toBe(204);
    });

    test('after its authorization code has expired, an app can request another; after its tokens have, it refreshes them', async () => {
      const ann = await somebody();
      const frame = await visitingApp(app);
      const late = await frame.codeOf(ann);
      clock.advance(5 * MINUTE);
      expect((await frame.exchange(late)).json()).toMatchObject({ error: 'invalid_grant' });
      const granted = await frame.letIn(ann);
      clock.advance(40 * DAY);
      const bearer = { authorization: `Bearer ${granted.access_token}` };
      expect((await app.http.inject({ url: accountApi.me.path, headers: bearer })).statusCode).toBe(401);
      const refreshed = await frame.ask({
        grant_type: 'refresh_token',
        refresh_token: granted.refresh_token,
      });
      const { access_token: next } = refreshed.json<{ access_token: string }>();
      const me = { url: accountApi.me.path, headers: { authorization: `Bearer ${next}` } };
      expect((await app.http.inject(me)).statusCode).toBe(200);
    });

    test('after its device code has expired, a device can request another, which works', async () => {
      const ann = await somebody();
      const body = { client_id: TELEVISION, scope: 'user pan' };
      const poll = async (code: string) =>
        (
          await app.visitor.inject({
            method: 'POST',
            url: accountApi.token.path,
            payload: { grant_type: DEVICE_GRANT, device_code: code, client_id: TELEVISION },
          })
        ).json();
      const late = await app.visitor.call(oauthApi.askDeviceCode, { body });
      clock.advance((late.expires_in + 1) * 1000);
      expect(await poll(late.device_code)).toMatchObject({ error: 'expired_token' });
      const next = await app.visitor.call(oauthApi.askDeviceCode, { body });
      const decision = { user_code: next.user_code, decision: 'allow' } as const;
      await ann.call(oauthApi.decideDevice, { body: decision });
      expect(await poll(next.device_code)).toHaveProperty('access_token');
    });

    test('an expired pass is rejected, and its owner creates another', async () => {
      const ann = await somebody();
      const make = async (by: Member) =>
        (
          await by.call(securityApi.createPass, {
            body: { password: PASSWORD, kind: 'app_password', name: 'mount', scopes: ['dav'], days: 30 },
          })
        ).secret;
      const mounts = async (secret: string) =>
        (
          await davClient(app.http, {
            authorization: basic(ann.email, secret),
            host: new URL(origin).host,
          }).find('/', '0')
        ).status;
      const secret = await make(ann);
      expect(await mounts(secret)).toBe(207);
      clock.advance(31 * DAY);
      expect(await mounts(secret)).toBe(401);
      expect(await mounts(await make(await signIn(app.http, ann)))).toBe(207);
    });
  });
});
