import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto';

/**
 * Subset of WebAuthn that passkeys need: no attestation, hence no CBOR. A challenge is sent to an authenticator;
 * the response is signed with a key that never leaves it, for one site only, after the authenticator has verified
 * its user.
 */

/** Name under which authenticators know this site, and the origin of its pages. */
export interface Site {
  readonly id: string;
  readonly origin: string;
}

export interface Answer {
  /** All fields are base64url, as browsers send them. */
  readonly clientData: string;
  readonly authenticatorData: string;
}

export interface NewKey extends Answer {
  readonly id: string;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: string;
}

export interface Signed extends Answer {
  readonly signature: string;
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HOLDS_KEY = 0x40;
const HEAD = 37;
const KEY_ID_AT = 55;

export const siteOf = (origin: string): Site => ({ id: new URL(origin).hostname, origin });

const bytes = (text: string): Buffer => Buffer.from(text, 'base64url');
const sha256 = (data: Uint8Array): Buffer => createHash('sha256').update(data).digest();

/** Returns true if the browser answered our challenge, on our own page. */
function isOurs(clientData: string, type: string, challenge: string, { origin }: Site): boolean {
  try {
    const said = JSON.parse(bytes(clientData).toString('utf8')) as Record<string, unknown>;
    return (
      said['type'] === type &&
      said['challenge'] === challenge &&
      said['origin'] === origin &&
      said['crossOrigin'] !== true
    );
  } catch {
    return false;
  }
}

/** Returns the counter of a response for this site from a verified user; otherwise undefined. */
function counterOf(data: Buffer, { id }: Site): number | undefined {
  if (data.length < HEAD || !data.subarray(0, 32).equals(sha256(Buffer.from(id)))) return undefined;
  const flags = data[32]!;
  return flags & PRESENT && flags & VERIFIED ? data.readUInt32BE(33) : undefined;
}

/** Converts the key for verifying signatures; undefined for kinds that browsers don't create for us. */
function keyOf(publicKey: string): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: bytes(publicKey), format: 'der', type: 'spki' });
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
    const isFit =
      (type === 'ec' && details?.namedCurve === 'prime256v1') ||
      (type === 'rsa' && (details?.modulusLength ?? 0) >= 2048) ||
      type === 'ed25519';
    return isFit ? key : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the counter of a new key that answers the challenge; undefined if anything about it is wrong. */
export function checkNewKey(key: NewKey, challenge: string, site: Site): number | undefined {
  const data = bytes(key.authenticatorData);
  const counter = counterOf(data, site);
  if (counter === undefined || !isOurs(key.clientData, 'webauthn.create', challenge, site)) return undefined;
  if (!(data[32]! & HOLDS_KEY) || data.length < KEY_ID_AT) return undefined;
  const id = data.subarray(KEY_ID_AT, KEY_ID_AT + data.readUInt16BE(KEY_ID_AT - 2));
  return id.length > 0 && id.equals(bytes(key.id)) && keyOf(key.publicKey) ? counter : undefined;
}

/**
 * Returns the counter of a response signed by this key; undefined if anything about it is wrong. If the key
 * has a counter, it must have increased: otherwise two copies exist.
 */
export function checkSigned(
  signed: Signed,
  challenge: string,
  site: Site,
  known: { publicKey: string; counter: number },
): number | undefined {
  const data = bytes(signed.authenticatorData);
  const counter = counterOf(data, site);
  if (counter === undefined || !isOurs(signed.clientData, 'webauthn.get', challenge, site)) return undefined;
  if ((counter > 0 || known.counter > 0) && counter <= known.counter) return undefined;
  const key = keyOf(known.publicKey);
  if (!key) return undefined;
  const message = Buffer.concat([data, sha256(bytes(signed.clientData))]);
  const algorithm = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  return verify(algorithm, message, key, bytes(signed.signature)) ? counter : undefined;
}
