import type { Generated } from 'kysely';

export interface AccountTables {
  account: {
    id: string;
    email: string | null;
    email_key: string | null;
    phone: string | null;
    name: string;
    picture: string;
    password_hash: string | null;
    role: string;
    status: string;
    locale: string | null;
    created_at: number;
    password_updated_at: number | null;
    new_device_mail: Generated<number>;
    closes_at: number | null;
    closing_reminded: Generated<number>;
  };
  session: {
    id: string;
    account: string;
    kind: string;
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
  signing_key: { kid: string; private: string; created_at: number };
  pass: {
    id: string;
    account: string;
    kind: string;
    name: string;
    secret_hash: string;
    scopes: string;
    created_at: number;
    expires_at: number | null;
    used_at: number | null;
    used_from: string;
  };
  second_factor: {
    account: string;
    secret: string;
    last_step: number;
    created_at: number;
    confirmed_at: number | null;
  };
  recovery_code: { account: string; hash: string; used_at: number | null };
  trusted_device: {
    id: string;
    account: string;
    secret_hash: string;
    user_agent: string;
    created_at: number;
    expires_at: number;
  };
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
    way: string;
    outcome: string;
    address: string;
    user_agent: string;
    client_id: string;
    at: number;
  };
  known_device: { account: string; key: string; seen_at: number };
  refresh_token: {
    hash: string;
    session: string;
    created_at: number;
    expires_at: number;
    used_at: number | null;
  };
  verification: {
    id: string;
    target: string;
    usage: string;
    code_hash: string;
    token_hash: string | null;
    attempts: number;
    created_at: number;
    expires_at: number;
    verified_at: number | null;
    used_at: number | null;
  };
}
