import type { LedgerEntry, TransferKind } from './membership.ts';

export interface MembershipTables {
  quota: {
    account: string;
    storage_limit: number;
    storage_used: number;
    storage_reserved: number;
    storage_trashed: number;
    /** Storage instead of the free plan's; null for the free plan's. */
    limit_own: number | null;
    /** Version of the plans from which the limit was computed; null if it never was. */
    limit_basis: string | null;
    limit_computed_at: number | null;
    /** When the limit changes without any action; null for never. */
    limit_changes_at: number | null;
  };
  ledger: {
    id: string;
    account: string;
    resource: LedgerEntry['resource'];
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
