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
}
