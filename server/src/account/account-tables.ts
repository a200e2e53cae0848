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
  };
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
