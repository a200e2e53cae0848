import type { VersionCause } from '@bowerbird/contract';

/** Earlier content of a file. */
export interface VersionRow {
  readonly id: string;
  readonly account: string;
  readonly node: string;
  /** Number of the blob's row. */
  readonly blob: number;
  readonly hash: string;
  readonly gcid: string;
  readonly size: number;
  /** Date of the content. */
  readonly modified_at: number;
  readonly replaced_at: number;
  /** Way in which it was replaced. */
  readonly how: VersionCause;
  readonly label: string;
  readonly kept: 0 | 1;
  readonly quarantined_at: number | null;
}

export type NewVersion = Omit<VersionRow, 'blob' | 'gcid' | 'label' | 'kept' | 'quarantined_at'>;

/** The columns of a version that removing it needs. */
export type RemovedVersion = Pick<VersionRow, 'id' | 'account' | 'node' | 'blob' | 'size'>;

/** Returns true if neither age nor number remove the version: it has a label, or is kept forever. */
export const isPinned = ({ kept, label }: Pick<VersionRow, 'kept' | 'label'>): boolean =>
  kept === 1 || label !== '';
