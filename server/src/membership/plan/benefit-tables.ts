import type { Cause } from './benefit.ts';

export interface BenefitTables {
  benefit: {
    id: string;
    account: string;
    kind: 'plan' | 'storage';
    plan: string;
    bytes: number;
    length: number | null;
    cause: Cause;
    reference: string;
    granted_at: number;
    revoked_at: number | null;
    starts_at: number;
    ends_at: number | null;
  };
}
