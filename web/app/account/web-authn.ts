import type { accountApi, ReplyOf, securityApi } from '@bowerbird/contract';

/** Adapters for the browser's passkey API; all transferred values are base64url. */

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

/**
 * Passkeys are bound to domain names: a site with only an IP address, or without a secure connection, can't
 * have any.
 */
export function canUsePasskeys(): boolean {
  return 'PublicKeyCredential' in window && isSecureContext && !NUMBERS_ONLY.test(location.hostname);
}

/** Returns true if the user closed the browser's own dialog, which is not a failure. */
export function isDismissal(error: unknown): boolean {
  return error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError');
}

/** Creates a new passkey on the device. */
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

/** Asks the user to choose one of the site's passkeys, and signs the challenge with it. */
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
