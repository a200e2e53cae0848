export interface VerificationTables {
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
