import { createHMAC, createSHA256, sha256 } from 'hash-wasm';
import type { UploadTicket } from '@bowerbird/contract';

/** S3 signature version 4, in plain WebAssembly: pages on a local network have no crypto.subtle. */
export interface SignedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

const REGION = 'us-east-1';
const UNSIGNED = 'UNSIGNED-PAYLOAD';

async function hmac(key: Uint8Array | string, text: string): Promise<Uint8Array> {
  const digest = await createHMAC(createSHA256(), key);
  return digest.init().update(text).digest('binary');
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The signing key of a day is the same for all parts of an upload. */
const signingKeys = new Map<string, Promise<Uint8Array>>();

function signingKey(secret: string, day: string): Promise<Uint8Array> {
  const id = `${day}/${secret}`;
  let key = signingKeys.get(id);
  if (!key) {
    key = hmac(`AWS4${secret}`, day)
      .then((at) => hmac(at, REGION))
      .then((at) => hmac(at, 's3'))
      .then((at) => hmac(at, 'aws4_request'));
    signingKeys.set(id, key);
  }
  return key;
}

/**
 * Signs a request for the ticket's object. `host` is the Host header that the browser will send; the object is
 * addressed by path on the page's own origin.
 */
export async function signRequest(
  ticket: UploadTicket['params'],
  method: string,
  query: Readonly<Record<string, string>>,
  { origin, host, now }: { origin: string; host: string; now: Date },
): Promise<SignedRequest> {
  const path = `/${encode(ticket.bucket)}/${encode(ticket.key)}`;
  const search = Object.entries(query)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&');
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const signed = {
    host,
    'x-amz-content-sha256': UNSIGNED,
    'x-amz-date': time,
    'x-amz-security-token': ticket.security_token,
  };
  const names = Object.keys(signed).join(';');
  const canonical = [
    method,
    path,
    search,
    ...Object.entries(signed).map(([name, value]) => `${name}:${value}`),
    '',
    names,
    UNSIGNED,
  ].join('\n');
  const scope = `${day}/${REGION}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, await sha256(canonical)].join('\n');
  const signature = hex(await hmac(await signingKey(ticket.access_key_secret, day), text));
  const { host: _, ...headers } = signed;
  return {
    url: `${origin}${path}${search && `?${search}`}`,
    headers: {
      ...headers,
      authorization: `AWS4-HMAC-SHA256 Credential=${ticket.access_key_id}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
    },
  };
}
