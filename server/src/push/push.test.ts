import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { pushApi, shareApi, type PushMessage } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import {
  eachDatabase,
  openTestApp,
  plant,
  turnableClock,
  type Member,
  type TestApp,
} from '../../testing/index.ts';
import { sendPush, type SendPush } from './index.ts';

const HOUR_MS = 3600 * 1000;

/** A browser that decrypts what a push service passes on. */
function browser(endpoint: string) {
  const ecdh = createECDH('prime256v1');
  const point = ecdh.generateKeys();
  const auth = randomBytes(16);
  return {
    subscription: { endpoint, p256dh: point.toString('base64url'), auth: auth.toString('base64url') },
    read(body: Buffer): PushMessage {
      const salt = body.subarray(0, 16);
      const theirs = body.subarray(21, 21 + body[20]!);
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), point, theirs]);
      const secret = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(theirs), auth, info, 32));
      const derived = (label: string, bytes: number) =>
        Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${label}\0`, bytes));
      const decipher = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12));
      decipher.setAuthTag(body.subarray(-16));
      const plain = Buffer.concat([decipher.update(body.subarray(86, -16)), decipher.final()]);
      return JSON.parse(plain.subarray(0, plain.lastIndexOf(2)).toString()) as PushMessage;
    },
  };
}

/** A push service: what it has received, and its responses by endpoint. */
function pushService() {
  const received: { endpoint: string; headers: Readonly<Record<string, string>>; body: Buffer }[] = [];
  const responses = new Map<string, number | Error>();
  const send: SendPush = async (endpoint, headers, body) => {
    received.push({ endpoint, headers, body: Buffer.from(body) });
    const response = responses.get(endpoint) ?? 201;
    if (response instanceof Error) throw response;
    return response;
  };
  return { received, responses, send };
}

const devices = async (member: Member) => (await member.call(pushApi.look, {})).devices;
const subscribe = (member: Member, subscription: object, withNames = false) =>
  member.call(pushApi.subscribe, {
    body: { ...(subscription as { endpoint: string; p256dh: string; auth: string }), with_names: withNames },
  });

eachDatabase((dialect) => {
  const open = (send: SendPush, clock = turnableClock()): Promise<TestApp> =>
    openTestApp({ dialect, clock, sendPush: send });
  const tell = (app: TestApp, { id }: Member, name = 'Holiday.mp4') =>
    app.database.transaction((tx) => app.domains.push.pushes.tell(tx, id, { kind: 'download', name }));

  test('a browser gets what only it can read, without names of files unless its owner wants them', async () => {
    const service = pushService();
    const clock = turnableClock();
    await using app = await open(service.send, clock);
    const ann = await app.signUp('ann');
    const [plain, named] = [browser('https://push.example/one'), browser('https://push.example/two')];
    await subscribe(ann, plain.subscription);
    await subscribe(ann, named.subscription, true);
    expect(await devices(ann)).toMatchObject([
      { with_names: true, is_current: true, sent_time: '' },
      { with_names: false },
    ]);
    await tell(app, ann);
    clock.advance(5000);
    await app.jobs.drain();

    const [first, second] = service.received.toSorted((a, b) => a.endpoint.localeCompare(b.endpoint));
    expect(plain.read(first!.body)).toEqual({
      kind: 'download',
      title: 'Download finished',
      body: 'A download is in your drive.',
      path: '/en-US/drive/transfers',
    });
    expect(named.read(second!.body)).toMatchObject({ body: '“Holiday.mp4” is in your drive.' });
    // Their lengths say nothing about it.
    expect(first!.body.length).toBe(second!.body.length);
    expect(() => named.read(first!.body)).toThrow();
    expect(first!.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400' });
    expect((await devices(ann)).map(({ sent_time: at }) => at === '')).toEqual([false, false]);

    const { public_key: key } = await ann.call(pushApi.look, {});
    const [, token, stated] = /^vapid t=(\S+), k=(\S+)$/.exec(first!.headers['authorization']!)!;
    expect(stated).toBe(key);
    const [head, claims, signature] = token!.split('.');
    const point = Buffer.from(key, 'base64url');
    const jwk = {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    };
    const isSigned = verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      { key: createPublicKey({ format: 'jwk', key: jwk }), dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature!, 'base64url'),
    );
    expect(isSigned).toBe(true);
    expect(JSON.parse(Buffer.from(claims!, 'base64url').toString())).toMatchObject({
      aud: 'https://push.example',
      exp: expect.any(Number) as number,
    });
  });

  test('a subscription that the browser has ended is removed; a push service that fails is tried again', async () => {
    const service = pushService();
    const clock = turnableClock();
    await using app = await open(service.send, clock);
    const ann = await app.signUp('ann');
    for (const name of ['gone', 'busy', 'away'])
      await subscribe(ann, browser(`https://push.example/${name}`).subscription);
    service.responses.set('https://push.example/gone', 410);
    service.responses.set('https://push.example/busy', 503);
    service.responses.set('https://push.example/away', new Error('no route'));
    await tell(app, ann);
    clock.advance(5000);
    await app.jobs.drain();
    expect(await devices(ann)).toHaveLength(2);
    service.responses.clear();
    clock.advance(HOUR_MS);
    await app.jobs.drain();
    expect(service.received).toHaveLength(5);
    // Nobody wants to know after a day.
    service.responses.set('https://push.example/busy', 503);
    await tell(app, ann);
    clock.advance(5000);
    await app.jobs.drain();
    clock.advance(25 * HOUR_MS);
    await app.jobs.drain();
    expect(service.received).toHaveLength(7);
  });

  test('several downloads at the same time are one notification, and a session that ended gets none', async () => {
    const service = pushService();
    const clock = turnableClock();
    await using app = await open(service.send, clock);
    const ann = await app.signUp('ann');
    await subscribe(ann, browser('https://push.example/one').subscription);
    for (let at = 0; at < 5; at++) await tell(app, ann);
    clock.advance(5000);
    await app.jobs.drain();
    expect(service.received).toHaveLength(1);
    await tell(app, ann);
    await app.database.transaction((tx) => app.sessions.endAll(tx, ann.id));
    clock.advance(5000);
    await app.jobs.drain();
    expect(service.received).toHaveLength(1);
  });

  test('the first opening of a share is reported, once', async () => {
    const service = pushService();
    const clock = turnableClock();
    await using app = await open(service.send, clock);
    const ann = await app.signUp('ann');
    const phone = browser('https://push.example/one');
    await subscribe(ann, phone.subscription, true);
    const ids = await plant(app, ann.id, { 'a.txt': 'a' });
    const made = await ann.call(shareApi.create, {
      body: {
        file_ids: [ids['a.txt']!],
        share_to: 'publiclink',
        title: 'By the sea',
        pass_code_option: 'NOT_REQUIRED',
      },
    });
    for (let visit = 0; visit < 3; visit++) {
      app.domains.share.visits.count(
        'view',
        { id: made.share_id, account: ann.id },
        { viewer: null, deviceId: `device${visit}`, address: '100.64.0.1' },
      );
      await app.domains.share.visits.flush();
      clock.advance(5000);
      await app.jobs.drain();
    }
    expect(service.received.map(({ body }) => phone.read(body).body)).toEqual([
      '“By the sea” was opened for the first time.',
    ]);
  });

  test('a browser that another account subscribes again is that account’s, and only the newest twenty stay', async () => {
    await using app = await open(pushService().send);
    const [ann, ben] = [await app.signUp('ann'), await app.signUp('ben')];
    const shared = browser('https://push.example/shared').subscription;
    await subscribe(ann, shared);
    await subscribe(ben, shared);
    expect([await devices(ann), await devices(ben)]).toMatchObject([[], [{ is_current: true }]]);
    const [device] = await devices(ben);
    await ann.call(pushApi.unsubscribe, { params: { id: device!.id } });
    expect(await devices(ben)).toHaveLength(1);
    await ben.call(pushApi.unsubscribe, { params: { id: device!.id } });
    expect(await devices(ben)).toEqual([]);
    for (let at = 0; at < 22; at++) await subscribe(ann, browser(`https://push.example/${at}`).subscription);
    expect(await devices(ann)).toHaveLength(20);
  });
});

test.each([
  ['http://push.example/x'],
  ['https://127.0.0.1/x'],
  ['https://[::1]/x'],
  ['https://169.254.169.254/latest'],
  ['https://localhost/x'],
  ['https://ann:secret@push.example/x'],
  ['file:///etc/passwd'],
  ['nothing'],
])('the endpoint %s is refused', async (endpoint) => {
  await using app = await openTestApp();
  const ann = await app.signUp('ann');
  await expect(subscribe(ann, browser(endpoint).subscription)).rejects.toMatchObject({
    id: 'invalid_argument',
  });
});

test('keys that are no point of the curve, or of another length, are refused', async () => {
  await using app = await openTestApp();
  const ann = await app.signUp('ann');
  const good = browser('https://push.example/x').subscription;
  const bad = [
    { ...good, p256dh: Buffer.alloc(65, 4).toString('base64url') },
    { ...good, p256dh: 'AAAA' },
    { ...good, auth: 'AAAA' },
  ];
  for (const subscription of bad)
    await expect(subscribe(ann, subscription)).rejects.toMatchObject({ id: 'invalid_argument' });
});

test('a name that resolves to a private address is not contacted', async () => {
  await expect(sendPush('https://localhost:1/', {}, Buffer.alloc(1))).rejects.toThrow(/private address/);
});
