import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  type KeyObject,
} from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkNewKey, checkSigned, siteOf } from './webauthn.ts';

const SITE = siteOf('https://drive.example');
const CHALLENGE = randomBytes(32).toString('base64url');
const text = (data: Uint8Array): string => Buffer.from(data).toString('base64url');
const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();
const clientData = (type: string, more: object = {}): string =>
  text(Buffer.from(JSON.stringify({ type, challenge: CHALLENGE, origin: SITE.origin, ...more })));
const head = (flags: number, counter = 1): Buffer => {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([sha256(SITE.id), Buffer.from([flags]), count]);
};
const spki = (key: KeyObject): string => text(key.export({ format: 'der', type: 'spki' }));

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ID = randomBytes(16);

/** New key in the form of an authenticator, with a key in COSE and extensions as given. */
function newKey({ cose = Buffer.from('a0', 'hex'), idLength = ID.length, publicKey = spki(pair.publicKey) }) {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(idLength);
  return {
    id: text(ID),
    clientData: clientData('webauthn.create'),
    authenticatorData: text(Buffer.concat([head(0x45), Buffer.alloc(16), length, ID, cose])),
    publicKey,
  };
}

function signed(client = clientData('webauthn.get'), data = head(0x05)) {
  const message = Buffer.concat([data, sha256(Buffer.from(client, 'base64url'))]);
  const key = createPrivateKey(pair.privateKey.export({ format: 'pem', type: 'pkcs8' }));
  return {
    clientData: client,
    authenticatorData: text(data),
    signature: text(sign('sha256', message, key)),
  };
}
const known = { publicKey: spki(pair.publicKey), counter: 0 };

test('random bytes in any field are rejected', () => {
  const right = newKey({});
  const answer = signed();
  expect(checkNewKey(right, CHALLENGE, SITE)).toBe(1);
  expect(checkSigned(answer, CHALLENGE, SITE, known)).toBe(1);
  const anything = fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map(text),
    fc.string({ unit: 'binary', maxLength: 100 }),
    fc.json({ maxDepth: 3 }).map((json) => text(Buffer.from(json))),
  );
  fc.assert(
    fc.property(
      fc.constantFrom('id', 'clientData', 'authenticatorData', 'publicKey', 'signature'),
      anything,
      (field, value) => {
        if (field !== 'signature')
          expect(checkNewKey({ ...right, [field]: value }, CHALLENGE, SITE)).toBeUndefined();
        if (field === 'publicKey')
          expect(checkSigned(answer, CHALLENGE, SITE, { ...known, publicKey: value })).toBeUndefined();
        else if (field !== 'id')
          expect(checkSigned({ ...answer, [field]: value }, CHALLENGE, SITE, known)).toBeUndefined();
      },
    ),
  );
});

test('a signed response with any changed bit is rejected', () => {
  const answer = signed();
  for (const field of ['clientData', 'authenticatorData', 'signature'] as const) {
    const bytes = Buffer.from(answer[field], 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      const response = { ...answer, [field]: text(changed) };
      expect(checkSigned(response, CHALLENGE, SITE, known), `${field}, bit ${bit}`).toBeUndefined();
    }
  }
});

test('client data that is no object, or of a page inside another site’s page, is rejected', () => {
  const deep = '['.repeat(6000);
  for (const json of ['null', '1', '""', '[]', '{}', deep, '{"type":', `{"__proto__":${deep}`]) {
    const client = text(Buffer.from(json));
    expect(checkNewKey({ ...newKey({}), clientData: client }, CHALLENGE, SITE)).toBeUndefined();
    expect(checkSigned(signed(client), CHALLENGE, SITE, known)).toBeUndefined();
  }
  for (const more of [{ crossOrigin: true }, { challenge: [CHALLENGE] }, { origin: { toString: 1 } }]) {
    const create = clientData('webauthn.create', more);
    expect(checkNewKey({ ...newKey({}), clientData: create }, CHALLENGE, SITE)).toBeUndefined();
    expect(checkSigned(signed(clientData('webauthn.get', more)), CHALLENGE, SITE, known)).toBeUndefined();
  }
});

test('authenticator data is read up to the id of the key only, whatever follows', () => {
  const following = {
    nothing: '',
    'an array of 2^64 items': '9bffffffffffffffff',
    'bytes without end': '5bffffffffffffffff',
    'nested arrays': '81'.repeat(5000),
    'nested tags': 'c6'.repeat(5000),
    'an indefinite map': 'bf',
  };
  for (const [what, cose] of Object.entries(following)) {
    const key = newKey({ cose: Buffer.from(cose, 'hex') });
    expect(checkNewKey(key, CHALLENGE, SITE), what).toBe(1);
    const answer = signed(clientData('webauthn.get'), Buffer.concat([head(0x85), Buffer.from(cose, 'hex')]));
    expect(checkSigned(answer, CHALLENGE, SITE, known), what).toBe(1);
  }
  for (const idLength of [0, ID.length - 1, ID.length + 1, 0xffff])
    expect(checkNewKey(newKey({ idLength }), CHALLENGE, SITE)).toBeUndefined();
  for (let length = 0; length < 55 + ID.length; length++) {
    const key = newKey({});
    const cut = text(Buffer.from(key.authenticatorData, 'base64url').subarray(0, length));
    expect(checkNewKey({ ...key, authenticatorData: cut }, CHALLENGE, SITE)).toBeUndefined();
  }
});

test('a key of a kind that the page does not request is rejected', () => {
  const others = [
    generateKeyPairSync('ec', { namedCurve: 'P-384' }),
    generateKeyPairSync('ec', { namedCurve: 'secp256k1' }),
    generateKeyPairSync('rsa', { modulusLength: 1024 }),
    generateKeyPairSync('ed448'),
    generateKeyPairSync('x25519'),
  ];
  for (const { publicKey } of others) {
    const key = spki(publicKey);
    expect(checkNewKey(newKey({ publicKey: key }), CHALLENGE, SITE)).toBeUndefined();
    expect(checkSigned(signed(), CHALLENGE, SITE, { ...known, publicKey: key })).toBeUndefined();
  }
});
