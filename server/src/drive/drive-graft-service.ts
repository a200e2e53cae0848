import type { Tx } from '../foundation/database/index.ts';
import type { Conflict } from './drive.ts';

export interface Graft {
  /** Id of the task that this serves; at most one graft each. */
  readonly task: string;
  /** Nodes to copy with all that lies beneath, of whatever account; the caller has checked that they may be. */
  readonly roots: readonly string[];
  readonly account: string;
  /** Id of a live folder of `account`, or the account's own id for the root. */
  readonly parent: string;
  readonly conflict: Conflict;
  /** Ledger reason: `copy` or `restore`. */
  readonly reason: string;
  /** Leaves out what may not be copied, with all that lies beneath. */
  readonly visible?: (node: { id: string; kind: 0 | 1; size: number; blob: string | null; quarantined: boolean }) => boolean;
}

export interface Grafted {
  /** Ids of the roots copied → ids of their copies. */
  readonly made: ReadonlyMap<string, string>;
  readonly bytes: number;
  readonly nodes: number;
}

/**
 * Copies of subtrees by reference: no byte moves. Counted and reserved first, built out of sight, attached whole in one
 * transaction.
 */
export interface Grafts {
  /**
   * Does it all within the caller's transaction, where that is small (1000 nodes or fewer); undefined, and nothing
   * changed, where it isn't. Throws `file_space_not_enough`, `file_not_found`, `file_duplicated_name`.
   */
  small(tx: Tx, graft: Graft): Promise<Grafted | undefined>;
  /**
   * In slices, for background work. `attached` runs in the transaction that attaches: complete the task there. Clears
   * what a killed run left, so it is begun again from the start. Ends with {@link GraftCancelled} where the task was
   * cancelled, with the refusal where it is refused; nothing of it is left then. Aborting `signal` rejects at the next
   * slice and leaves everything for the next run.
   */
  run(graft: Graft, options: { signal: AbortSignal; attached: (tx: Tx, grafted: Grafted) => Promise<void>; progress?: (percent: number) => Promise<void> }): Promise<Grafted>;
  /** What a cancelled task gives back: to be called from `tasks.onCancel` of every task type that grafts. */
  cancelled(tx: Tx, task: string): Promise<void>;
}

/** The task was cancelled meanwhile; what was built of it is gone. */
export class GraftCancelled extends Error {
  override name = 'GraftCancelled';
}
