import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** Keys for all purposes, derived from the installation's one secret. */
export interface Keys {
  /** 32 bytes that only this purpose uses. */
  of(purpose: string): Uint8Array;
  /** Base64url HMAC-SHA256 of `text` under the purpose's key. */
  sign(purpose: string, text: string): string;
  verify(purpose: string, text: string, signature: string): boolean;
  /**
   * Returns an opaque, signed text that carries `value`; `open` returns the value, or undefined if the
   * signature is not ours.
   */
  seal(purpose: string, value: unknown): string;
  open(purpose: string, sealed: string): unknown;
  /** Authenticated encryption, for values that their owner may read again (passcodes). */
  encrypt(purpose: string, text: string): string;
  decrypt(purpose: string, text: string): string | undefined;
}

export function createKeys(secret: Uint8Array): Keys {
  const derived = new Map<string, Uint8Array>();
  const of = (purpose: string): Uint8Array => {
    const known =
      derived.get(purpose) ?? new Uint8Array(hkdfSync('sha256', secret, 'bowerbird', purpose, 32));
    derived.set(purpose, known);
    return known;
  };
  const sign = (purpose: string, text: string): string =>
    createHmac('sha256', of(purpose)).update(text).digest('base64url');
  const verify = (purpose: string, text: string, signature: string): boolean => {
    const expected = Buffer.from(sign(purpose, text));
    const given = Buffer.from(signature);
    return expected.length === given.length && timingSafeEqual(expected, given);
  };

  return {
    of,
    sign,
    verify,
    seal(purpose, value) {
      const body = Buffer.from(JSON.stringify(value)).toString('base64url');
      return `${body}.${sign(purpose, body)}`;
    },
    open(purpose, sealed) {
      const dot = sealed.lastIndexOf('.');
      const body = sealed.slice(0, dot);
      if (dot < 1 || !verify(purpose, body, sealed.slice(dot + 1))) return undefined;
      return JSON.parse(Buffer.from(body, 'base64url').toString()) as unknown;
    },
    encrypt(purpose, text) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', of(purpose), nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
    },
    decrypt(purpose, text) {
      const bytes = Buffer.from(text, 'base64url');
      if (bytes.length < 28) return undefined;
      const decipher = createDecipheriv('aes-256-gcm', of(purpose), bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(12, 28));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}
