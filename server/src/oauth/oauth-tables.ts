import type { DeviceRow } from './oauth.ts';

export interface OauthTables {
  oauth_client: {
    id: string;
    secret_hash: string | null;
    name: string;
    uri: string;
    redirect_uris: string;
    grant_types: string;
    scopes: string;
    created_at: number;
    used_at: number | null;
  };
  oauth_consent: {
    id: string;
    account: string;
    client: string;
    scopes: string;
    created_at: number;
    used_at: number | null;
  };
  oauth_code: {
    hash: string;
    account: string;
    client: string;
    consent: string | null;
    redirect_uri: string;
    challenge: string | null;
    nonce: string | null;
    scopes: string;
    authenticated_at: number;
    created_at: number;
    expires_at: number;
    used_at: number | null;
    session: string | null;
  };
  oauth_device: {
    hash: string;
    user_code: string;
    client: string;
    scopes: string;
    state: DeviceRow['state'];
    account: string | null;
    consent: string | null;
    authenticated_at: number | null;
    decided_at: number | null;
    interval_ms: number;
    polled_at: number | null;
    created_at: number;
    expires_at: number;
  };
  external_identity: {
    id: string;
    issuer: string;
    subject: string;
    account: string;
    email: string;
    created_at: number;
    used_at: number | null;
  };
}
