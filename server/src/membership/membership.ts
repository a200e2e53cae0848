/** What a member may keep and keeps, in bytes. Used and reserved together never pass the limit by anything that grows. */
export interface QuotaState {
  readonly limit: number;
  readonly used: number;
  readonly reserved: number;
  /** Part of `used` that lies in the trash, as last measured. */
  readonly trashed: number;
}

/** One change of what a member uses; the sum of all is what the counter says. */
export interface LedgerEntry {
  readonly id: string;
  readonly account: string;
  readonly resource: 'storage';
  readonly amount: number;
  readonly reason: string;
  readonly reference: string;
  readonly at: number;
}

/** Why the storage of a member changed, and by what: reason `upload`, `copy`, `restore`, `delete`, `repair`; id of the task, node or upload. */
export interface LedgerNote {
  readonly reason: string;
  readonly reference: string;
}
