import { createECDH, createPrivateKey, sign } from 'node:crypto';
import type { Clock, Keys } from '../foundation/index.ts';

/** Identity of this installation at push services (RFC 8292). */
export interface PushIdentity {
  /** Uncompressed point, in base64url. */
  readonly publicKey: string;
  /** Value of the `authorization` header for a push service, by its origin. */
  authorization(origin: string): string;
}

const LIFE_S = 12 * 3600;

/**
 * The key follows from the installation's secret, like all others: there is nothing to store, and all processes have
 * the same. `subject` is how a push service can reach the administrator: a `mailto:` or `https:` address.
 */
export function createPushIdentity({
  keys,
  clock,
  subject,
}: {
  keys: Keys;
  clock: Clock;
  subject: string;
}): PushIdentity {
  const ecdh = createECDH('prime256v1');
  const secret = Buffer.from(keys.of('web-push'));
  // One in four billion hashes is no number below the order of the curve.
  secret[0]! &= 0x7f;
  ecdh.setPrivateKey(secret);
  const point = ecdh.getPublicKey();
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      d: secret.toString('base64url'),
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
  const publicKey = point.toString('base64url');
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return {
    publicKey,
    authorization(origin) {
      const exp = Math.floor(clock.now() / 1000) + LIFE_S;
      const text = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode({ aud: origin, exp, sub: subject })}`;
      const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
      return `vapid t=${text}.${signature.toString('base64url')}, k=${publicKey}`;
    },
  };
}
