import type { accountApi, ReplyOf, securityApi } from '@bowerbird/contract';

/** Passkeys as browsers have them; everything that travels is base64url. */

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, (letter) => letter.codePointAt(0)!);
}

function textOf(buffer: ArrayBuffer): string {
  const letters = Array.from(new Uint8Array(buffer), (byte) => String.fromCodePoint(byte)).join('');
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

const ES256 = -7;
const EDDSA = -8;
const RS256 = -257;
const NUMBERS_ONLY = /^[\d.]+$|:/;

/** Passkeys belong to names: a site that has a number alone, or no secure connection, can have none. */
export function canUsePasskeys(): boolean {
  return 'PublicKeyCredential' in window && isSecureContext && !NUMBERS_ONLY.test(location.hostname);
}

/** Whoever closes the browser's own dialog has not failed at anything. */
export function isDismissal(error: unknown): boolean {
  return error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError');
}

/** Asks the device for a new key. */
export async function makePasskey(asked: ReplyOf<typeof securityApi.beginPasskey>) {
  const credential = (await navigator.credentials.create({
    publicKey: {
      challenge: bytesOf(asked.challenge),
      rp: { id: asked.rp_id, name: 'Bowerbird' },
      user: { id: bytesOf(asked.user_id), name: asked.user_name, displayName: asked.display_name },
      pubKeyCredParams: [ES256, EDDSA, RS256].map((alg) => ({ type: 'public-key', alg })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: asked.known.map((id) => ({ type: 'public-key', id: bytesOf(id) })),
      attestation: 'none',
    },
  })) as PublicKeyCredential;
  const response = credential.response as AuthenticatorAttestationResponse;
  return {
    question: asked.question,
    id: textOf(credential.rawId),
    client_data: textOf(response.clientDataJSON),
    authenticator_data: textOf(response.getAuthenticatorData()),
    public_key: textOf(response.getPublicKey() ?? new ArrayBuffer(0)),
    transports: response.getTransports(),
  };
}

/** Lets whoever sits there choose one of the site's keys, and sign with it. */
export async function askPasskey(asked: ReplyOf<typeof accountApi.askPasskey>) {
  const credential = (await navigator.credentials.get({
    publicKey: {
      challenge: bytesOf(asked.challenge),
      rpId: asked.rp_id,
      userVerification: 'required',
    },
  })) as PublicKeyCredential;
  const response = credential.response as AuthenticatorAssertionResponse;
  return {
    question: asked.question,
    id: textOf(credential.rawId),
    client_data: textOf(response.clientDataJSON),
    authenticator_data: textOf(response.authenticatorData),
    signature: textOf(response.signature),
  };
}
