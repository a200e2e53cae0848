import type { TransferKind } from './membership.ts';

export interface MembershipTables {
  quota: {
    account: string;
    storage_limit: number;
    storage_used: number;
    storage_reserved: number;
    storage_trashed: number;
  };
  ledger: {
    id: string;
    account: string;
    resource: 'storage';
    amount: number;
    reason: string;
    reference: string;
    at: number;
  };
  transfer: {
    account: string;
    month: string;
    kind: TransferKind;
    bytes: number;
  };
  check_in: {
    account: string;
    /** 2026-11-28, in UTC. */
    day: string;
  };
  invite_code: {
    account: string;
    code: string;
  };
}
