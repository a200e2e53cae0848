import type { PassKind } from '@bowerbird/contract';
import type { AccountTables } from '../account-tables.ts';

export interface CredentialTables extends AccountTables {
  pass: {
    id: string;
    account: string;
    kind: PassKind;
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
}
