import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Document, open } from './fields.ts';

/** Information for programs and pages before anyone signs in. */
export const discoveryApi = {
  openidConfiguration: endpoint({
    ...open,
    name: 'oauth.openidConfiguration',
    method: 'GET',
    path: '/.well-known/openid-configuration',
    anyOrigin: true,
    summary: 'Get the OpenID Connect configuration',
    description: 'Describes how programs let members sign in (OpenID Connect Discovery).',
    reply: Document,
  }),
  serverMetadata: endpoint({
    ...open,
    name: 'oauth.serverMetadata',
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    anyOrigin: true,
    summary: 'Get the OAuth 2.0 server metadata',
    description: 'The same information for OAuth 2.0 (RFC 8414).',
    reply: Document,
  }),
  keys: endpoint({
    ...open,
    name: 'oauth.keys',
    method: 'GET',
    path: '/v1/auth/jwks',
    anyOrigin: true,
    summary: 'Get the public keys for verifying tokens',
    description: 'Returns a JSON Web Key Set (RFC 7517).',
    reply: Type.Object({ keys: Type.Array(Document) }),
  }),
  doors: endpoint({
    ...open,
    name: 'oauth.doors',
    method: 'GET',
    path: '/v1/auth/doors',
    summary: 'Get the optional sign-in methods',
    description: "Methods that are always available aren't included.",
    reply: Type.Object({
      /** Name of the external service whose accounts can sign in here, or "". */
      external: Type.String(),
      /** IDs of the browser extensions that may pass on a code. */
      extensions: Type.Array(Type.String()),
      /** True if a code sent by email is enough to sign in, without a password. */
      mail_code: Type.Boolean(),
      /** True if a code sent as a text message is enough. */
      phone_code: Type.Boolean(),
    }),
  }),
};
