import type { AccountTables } from '../account-tables.ts';
import type { SessionRow } from './session.ts';
import type { Outcome, Way } from './sign-in-record.ts';

export interface SignInTables extends AccountTables {
  session: {
    id: string;
    account: string;
    kind: SessionRow['kind'];
    secret_hash: string | null;
    client_id: string;
    device_id: string;
    user_agent: string;
    address: string;
    created_at: number;
    seen_at: number;
    expires_at: number;
    revoked_at: number | null;
    scopes: string | null;
    pass: string | null;
    app: string | null;
  };
  refresh_token: {
    hash: string;
    session: string;
    created_at: number;
    expires_at: number;
    used_at: number | null;
  };
  signing_key: { kid: string; private: string; created_at: number };
  passkey: {
    id: string;
    account: string;
    name: string;
    public_key: string;
    counter: number;
    transports: string;
    created_at: number;
    used_at: number | null;
  };
  challenge: {
    id: string;
    purpose: string;
    account: string | null;
    value: string;
    expires_at: number;
  };
  sign_in: {
    id: string;
    account: string;
    way: Way;
    outcome: Outcome;
    address: string;
    user_agent: string;
    client_id: string;
    at: number;
  };
  known_device: { account: string; key: string; seen_at: number };
}
