import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Empty, MaybeTime, Time } from '../wire.ts';
import { Password } from '../account/fields.ts';
import { own } from './own.ts';

/** A passkey on one of the member's devices. */
export const Passkey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  created_at: Time,
  used_at: MaybeTime,
});
export type Passkey = Static<typeof Passkey>;

const Base64url = (most: number) => Type.String({ maxLength: most, pattern: '^[\\w-]*$' });
const KeyId = Type.String({ maxLength: 1400 });

export const passkeyApi = {
  listPasskeys: endpoint({
    ...own,
    name: 'security.listPasskeys',
    method: 'GET',
    path: '/v1/user/passkeys',
    summary: 'List your passkeys',
    reply: Type.Object({ passkeys: Type.Array(Passkey) }),
  }),
  beginPasskey: endpoint({
    ...own,
    name: 'security.beginPasskey',
    method: 'POST',
    path: '/v1/user/passkeys:begin',
    secretReply: true,
    summary: 'Start adding a passkey',
    description:
      'Returns the request for an authenticator to create a passkey (WebAuthn, in base64url). Each request accepts one response, within five minutes.',
    body: Type.Object({ password: Password }),
    reply: Type.Object({
      question: Type.String(),
      challenge: Type.String(),
      rp_id: Type.String(),
      user_id: Type.String(),
      user_name: Type.String(),
      display_name: Type.String(),
      /** IDs of the account's existing keys. */
      known: Type.Array(Type.String()),
    }),
    errors: ['invalid_password', 'account_locked_retry', 'account_locked'],
  }),
  addPasskey: endpoint({
    ...own,
    name: 'security.addPasskey',
    method: 'POST',
    path: '/v1/user/passkeys',
    summary: 'Add a passkey',
    description: 'Saves the passkey that the authenticator created.',
    body: Type.Object({
      question: Type.String({ maxLength: 64 }),
      name: Type.String({ maxLength: 256 }),
      id: Base64url(1400),
      client_data: Base64url(8192),
      authenticator_data: Base64url(8192),
      /** SubjectPublicKeyInfo, as returned by AuthenticatorAttestationResponse.getPublicKey. */
      public_key: Base64url(4096),
      transports: Type.Optional(Type.Array(Type.String({ pattern: '^[a-z-]{1,20}$' }), { maxItems: 8 })),
    }),
    reply: Passkey,
    errors: ['access_denied', 'token_expired', 'already_exists', 'account_limit'],
  }),
  renamePasskey: endpoint({
    ...own,
    name: 'security.renamePasskey',
    method: 'PATCH',
    path: '/v1/user/passkeys/{id}',
    summary: 'Rename a passkey',
    params: Type.Object({ id: KeyId }),
    body: Type.Object({ name: Type.String({ maxLength: 256 }) }),
    reply: Empty,
    errors: ['not_found'],
  }),
  removePasskey: endpoint({
    ...own,
    name: 'security.removePasskey',
    method: 'POST',
    path: '/v1/user/passkeys:remove',
    summary: 'Delete a passkey',
    description: 'The passkey can no longer be used to sign in.',
    body: Type.Object({ id: KeyId, password: Password }),
    reply: Empty,
    errors: ['not_found', 'invalid_password', 'account_locked_retry', 'account_locked'],
  }),
};
