import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  type KeyObject,
} from 'node:crypto';
import { accountApi, securityApi } from '@bowerbird/contract';
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

const ORIGIN = 'http://drive.test';
const text = (data: Uint8Array): string => Buffer.from(data).toString('base64url');
const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();

interface Wrong {
  readonly origin?: string;
  readonly site?: string;
  readonly type?: string;
  readonly challenge?: string;
  readonly flags?: number;
  readonly counter?: number;
  readonly key?: KeyObject;
}

/** Software authenticator for tests, which can also produce errors on demand. */
function authenticator(kind: 'ec' | 'rsa' | 'ed25519' = 'ec') {
  const pair =
    kind === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : kind === 'rsa'
        ? generateKeyPairSync('rsa', { modulusLength: 2048 })
        : generateKeyPairSync('ed25519');
  const id = randomBytes(24);
  let counter = 0;
  const clientData = (type: string, challenge: string, wrong: Wrong): string =>
    text(
      Buffer.from(
        JSON.stringify({
          type: wrong.type ?? type,
          challenge: wrong.challenge ?? challenge,
          origin: wrong.origin ?? ORIGIN,
          crossOrigin: false,
        }),
      ),
    );
  const head = (flags: number, wrong: Wrong): Buffer => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(wrong.counter ?? ++counter);
    return Buffer.concat([sha256(wrong.site ?? 'drive.test'), Buffer.from([wrong.flags ?? flags]), count]);
  };
  return {
    id: text(id),
    make(challenge: string, wrong: Wrong = {}) {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const data = Buffer.concat([head(0x45, wrong), Buffer.alloc(16), length, id, Buffer.from('cose')]);
      return {
        id: text(id),
        client_data: clientData('webauthn.create', challenge, wrong),
        authenticator_data: text(data),
        public_key: text(pair.publicKey.export({ format: 'der', type: 'spki' })),
      };
    },
    sign(challenge: string, wrong: Wrong = {}) {
      const data = head(0x05, wrong);
      const client = clientData('webauthn.get', challenge, wrong);
      const message = Buffer.concat([data, sha256(Buffer.from(client, 'base64url'))]);
      const key = wrong.key ?? createPrivateKey(pair.privateKey.export({ format: 'pem', type: 'pkcs8' }));
      return {
        id: text(id),
        client_data: client,
        authenticator_data: text(data),
        signature: text(sign(kind === 'ed25519' ? null : 'sha256', message, key)),
      };
    },
  };
}
type Device = ReturnType<typeof authenticator>;

const begin = ({ call }: Member) => call(securityApi.beginPasskey, { body: { password: PASSWORD } });
async function add(member: Member, device: Device, wrong: Wrong = {}) {
  const { question, challenge } = await begin(member);
  return member.call(securityApi.addPasskey, {
    body: { question, name: 'Laptop', ...device.make(challenge, wrong) },
  });
}
const ask = (app: TestApp) => app.visitor.call(accountApi.askPasskey, {});
async function enter(app: TestApp, device: Device, wrong: Wrong = {}) {
  const { question, challenge, rp_id: site } = await ask(app);
  expect(site).toBe('drive.test');
  const grant = await app.visitor.call(accountApi.passkeySignIn, {
    body: { question, ...device.sign(challenge, wrong) },
  });
  return person(app.http, { authorization: `Bearer ${grant.access_token}` }) as Member;
}

const DENIED = { id: 'access_denied' };
const LIES: Readonly<Record<string, Wrong>> = {
  'another site’s page': { origin: 'http://drive.test.evil.example' },
  'another port': { origin: 'http://drive.test:8080' },
  'another site’s key': { site: 'evil.example' },
  'another question': { challenge: text(randomBytes(32)) },
  'nobody verified': { flags: 0x41 },
  'nobody there': { flags: 0x44 },
};

eachDatabase((dialect) => {
  test('a member adds passkeys of every kind, signs in with them, renames and removes them', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    for (const kind of ['ec', 'rsa', 'ed25519'] as const) {
      const device = authenticator(kind);
      expect(await add(ann, device)).toMatchObject({ id: device.id, name: 'Laptop', used_at: '' });
      const entered = await enter(app, device);
      expect(await entered.call(accountApi.me, {})).toMatchObject({ sub: ann.id });
      await ann.call(securityApi.renamePasskey, { params: { id: device.id }, body: { name: kind } });
      const { passkeys } = await ann.call(securityApi.listPasskeys, {});
      expect(passkeys).toEqual([
        expect.objectContaining({ name: kind, used_at: expect.stringMatching(/^\d/) }),
      ]);
      await ann.call(securityApi.removePasskey, { body: { id: device.id, password: PASSWORD } });
      await expect(enter(app, device)).rejects.toMatchObject(DENIED);
    }
    const { sign_ins: history } = await ann.call(securityApi.listSignIns, {});
    expect(history.filter(({ way, outcome }) => way === 'passkey' && outcome === 'in')).toHaveLength(3);
  });

  test('an authenticator response for another site, challenge, page or user is rejected', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const device = authenticator();
    for (const [lie, wrong] of Object.entries({ ...LIES, 'no key in it': { flags: 0x05 } }))
      await expect(add(ann, device, wrong), lie).rejects.toMatchObject(DENIED);
    await expect(add(ann, device, { type: 'webauthn.get' })).rejects.toMatchObject(DENIED);
    await add(ann, device);
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const lies = { ...LIES, 'another key': { key: stranger }, 'a new key': { type: 'webauthn.create' } };
    for (const [lie, wrong] of Object.entries<Wrong>(lies))
      await expect(enter(app, device, wrong), lie).rejects.toMatchObject(DENIED);
    await enter(app, device);
  });

  test('a passkey challenge accepts one response, within minutes, from whoever requested it', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await app.signUp('ann');
    const bob = await app.signUp('bob');
    const device = authenticator();
    await add(ann, device);
    const { question, challenge } = await ask(app);
    const body = { question, ...device.sign(challenge) };
    const send = () => app.visitor.call(accountApi.passkeySignIn, { body });
    const racing = await Promise.allSettled([send(), send(), send()]);
    expect(racing.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(send()).rejects.toMatchObject({ id: 'token_expired' });

    const late = await ask(app);
    clock.advance(300_000);
    await expect(
      app.visitor.call(accountApi.passkeySignIn, {
        body: { question: late.question, ...device.sign(late.challenge) },
      }),
    ).rejects.toMatchObject({ id: 'token_expired' });

    const anns = await begin(ann);
    const other = authenticator();
    const adding = { question: anns.question, name: 'x', ...other.make(anns.challenge) };
    await expect(bob.call(securityApi.addPasskey, { body: adding })).rejects.toMatchObject({
      id: 'token_expired',
    });
    const entering = await ask(app);
    await expect(
      ann.call(securityApi.addPasskey, {
        body: { question: entering.question, name: 'x', ...other.make(entering.challenge) },
      }),
    ).rejects.toMatchObject({ id: 'token_expired' });
  });

  test('a passkey whose counter decreases is rejected as a copy; a passkey belongs to one member; a stranger can’t change it', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const bob = await app.signUp('bob');
    const device = authenticator();
    await add(ann, device, { counter: 7 });
    await enter(app, device, { counter: 9 });
    for (const counter of [0, 8, 9])
      await expect(enter(app, device, { counter })).rejects.toMatchObject(DENIED);
    await expect(add(bob, device)).rejects.toMatchObject({ id: 'already_exists' });
    const params = { id: device.id };
    await expect(
      bob.call(securityApi.removePasskey, { body: { ...params, password: PASSWORD } }),
    ).rejects.toMatchObject({ id: 'not_found' });
    await expect(
      bob.call(securityApi.renamePasskey, { params, body: { name: 'mine' } }),
    ).rejects.toMatchObject({ id: 'not_found' });
    const synced = authenticator();
    await add(bob, synced, { counter: 0 });
    await enter(app, synced, { counter: 0 });
    await enter(app, synced, { counter: 0 });
  });

  test('removing a passkey requires the owner’s password', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const device = authenticator();
    await add(ann, device);
    const remove = (password: string) =>
      ann.call(securityApi.removePasskey, { body: { id: device.id, password } });
    await expect(remove('a wrong one')).rejects.toMatchObject({ id: 'invalid_password' });
    expect((await ann.call(securityApi.listPasskeys, {})).passkeys).toHaveLength(1);
    await remove(PASSWORD);
    expect((await ann.call(securityApi.listPasskeys, {})).passkeys).toEqual([]);
  });

  test('creating a passkey requires the password, and a passkey opens neither a frozen nor an unknown account', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    await expect(
      ann.call(securityApi.beginPasskey, { body: { password: 'a wrong one' } }),
    ).rejects.toMatchObject({ id: 'invalid_password' });
    const device = authenticator();
    await add(ann, device);
    await app.accounts.freeze(ann.id, true);
    await expect(enter(app, device)).rejects.toMatchObject({ id: 'account_frozen' });
    await expect(enter(app, authenticator())).rejects.toMatchObject(DENIED);
    for (const nonsense of ['', '!', 'AAAA'])
      await expect(
        app.visitor.call(accountApi.passkeySignIn, {
          body: {
            question: (await ask(app)).question,
            id: device.id,
            client_data: nonsense,
            authenticator_data: nonsense,
            signature: nonsense,
          },
        }),
      ).rejects.toMatchObject(DENIED);
  });

  test('a passkey response of random bytes or of wrong types is rejected, and nothing is added', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const device = authenticator();
    await add(ann, device);
    const other = authenticator();
    const hostile = {
      'random bytes': text(randomBytes(3000)),
      'nested arrays in CBOR': text(Buffer.alloc(3000, 0x81)),
      'an array of 2^64 items in CBOR': text(Buffer.from('9bffffffffffffffff', 'hex')),
      'nested arrays in JSON': text(Buffer.alloc(3000, '[')),
      'no JSON object': text(Buffer.from('null')),
    };
    for (const [what, value] of Object.entries(hostile)) {
      for (const field of ['client_data', 'authenticator_data', 'public_key']) {
        const { question, challenge } = await begin(ann);
        const body = { question, name: 'x', ...other.make(challenge), [field]: value };
        await expect(ann.call(securityApi.addPasskey, { body }), what).rejects.toMatchObject(DENIED);
      }
      for (const field of ['client_data', 'authenticator_data', 'signature']) {
        const { question, challenge } = await ask(app);
        const body = { question, ...device.sign(challenge), [field]: value };
        await expect(app.visitor.call(accountApi.passkeySignIn, { body }), what).rejects.toMatchObject(
          DENIED,
        );
      }
    }
    const { question, challenge } = await ask(app);
    for (const wrong of [7, null, true, [], {}, ['a'], 'x'.repeat(9000)])
      for (const field of ['id', 'client_data', 'authenticator_data', 'signature']) {
        const body = { question, ...device.sign(challenge), [field]: wrong };
        const reply = await app.http.inject({ method: 'POST', url: '/v1/auth/passkey', payload: body });
        expect([400, 403], `${field}: ${JSON.stringify(wrong).slice(0, 20)}`).toContain(reply.statusCode);
      }
    expect((await ann.call(securityApi.listPasskeys, {})).passkeys).toHaveLength(1);
  });
});
