import {
  GRANT_SCOPES,
  GRANT_TYPES,
  type AskingApp,
  type ConnectedApp,
  type Consent,
  type ExternalIdentity,
  type GrantScope,
  type Profile,
} from '@bowerbird/contract';
import { maskedEmail, SIGNING_ALGORITHM, type AccountRow } from '../account/index.ts';
import { maybeTimeText, timeText } from '../foundation/index.ts';
import { isOnTheWeb, type Client, type ConsentRow, type ExternalRow } from './oauth.ts';

export const appView = ({ id, name, uri, standing }: Client): AskingApp => ({
  client_id: id,
  name,
  uri,
  standing,
});

/** Questions to the member. */
export function consentView(
  client: Client,
  scopes: readonly GrantScope[],
  { name, email }: AccountRow,
  redirectUri: string,
): Consent {
  const url = URL.parse(redirectUri);
  const isWeb = isOnTheWeb(redirectUri) || url?.protocol === 'http:';
  return {
    app: appView(client),
    scopes: [...scopes],
    account: { name, email: maskedEmail(email) },
    destination: url === null ? '' : isWeb ? url.host : url.protocol,
  };
}

export const connectedAppView = ({
  consent,
  client,
}: {
  consent: ConsentRow;
  client: Client;
}): ConnectedApp => ({
  id: consent.id,
  app: appView(client),
  scopes: [...consent.scopes],
  created_at: timeText(consent.createdAt),
  used_at: maybeTimeText(consent.usedAt),
});

export const externalView = (row: ExternalRow, label: string): ExternalIdentity => ({
  id: row.id,
  label,
  email: maskedEmail(row.email),
  created_at: timeText(row.createdAt),
  used_at: maybeTimeText(row.usedAt),
});

/** External account of a member, as shown in the profile. */
export const providerView = ({ issuer, subject, email }: ExternalRow): Profile['providers'][number] => ({
  id: new URL(issuer).host,
  provider_user_id: subject,
  name: maskedEmail(email),
});

/** Response to a client that registered itself. */
export const clientView = (
  client: Client,
  secret: string | undefined,
  at: number,
): Record<string, unknown> => ({
  client_id: client.id,
  client_id_issued_at: Math.floor(at / 1000),
  ...(secret === undefined ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
  client_name: client.name,
  ...(client.uri === '' ? {} : { client_uri: client.uri }),
  redirect_uris: client.redirectUris,
  grant_types: client.grantTypes,
  response_types: ['code'],
  token_endpoint_auth_method: secret === undefined ? 'none' : 'client_secret_basic',
  scope: client.scopes.join(' '),
});

/** Discovery document. */
export const metadataView = (origin: string, isOpen: boolean): Record<string, unknown> => ({
  issuer: origin,
  authorization_endpoint: `${origin}/drive/auth-center`,
  token_endpoint: `${origin}/v1/auth/token`,
  userinfo_endpoint: `${origin}/v1/auth/userinfo`,
  jwks_uri: `${origin}/v1/auth/jwks`,
  revocation_endpoint: `${origin}/v1/auth/revoke`,
  device_authorization_endpoint: `${origin}/v1/auth/device/code`,
  ...(isOpen ? { registration_endpoint: `${origin}/v1/clients-registrations/openid-connect` } : {}),
  scopes_supported: GRANT_SCOPES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: GRANT_TYPES,
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: [SIGNING_ALGORITHM],
  token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
  revocation_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
  code_challenge_methods_supported: ['S256'],
  prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
  claims_supported: [
    'sub',
    'name',
    'picture',
    'locale',
    'email',
    'email_verified',
    'auth_time',
    'nonce',
    'at_hash',
  ],
  authorization_response_iss_parameter_supported: true,
  request_parameter_supported: false,
  request_uri_parameter_supported: false,
  claims_parameter_supported: false,
});
