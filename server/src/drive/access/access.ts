import type { AccessRole } from '@bowerbird/contract';

/** Access of a member to a node of another one, and to everything below it. */
export interface GrantRow {
  readonly id: string;
  readonly node: string;
  /** Account of the node. */
  readonly owner: string;
  /** Member who has the access. */
  readonly account: string;
  readonly role: AccessRole;
  readonly muted: 0 | 1;
  readonly granted_by: string;
  readonly created_at: number;
  /** Null until the member accepts: until then they have no access. */
  readonly accepted_at: number | null;
  readonly updated_at: number;
}

/** Permission that a call needs for the nodes that it names. */
export type Need = 'view' | 'edit';

/** The tree on which a call runs, and what its caller may do there. */
export interface Access {
  /** Account that owns the tree: its lock, storage and versions. */
  readonly account: string;
  /** Member who makes the call. */
  readonly member: string;
  readonly role: 'owner' | AccessRole;
  /** Parent that is shown as "": the root of the drive, or the folder above what is shared. */
  readonly rootId: string;
  /** Nodes through which a member has access; empty for owners. */
  readonly roots: ReadonlySet<string>;
  /** Names everything that the access depends on, for entity tags. */
  readonly tag: string;
}

export const ownAccess = (account: string): Access => ({
  account,
  member: account,
  role: 'owner',
  rootId: account,
  roots: new Set(),
  tag: '',
});

const MARK = '@';

/**
 * Reference of a member in links to files of others, in place of the reference of a share: the links end with the
 * member's access.
 */
export const memberReference = (account: string): string => MARK + account;

/** Returns the member of a {@link memberReference}; undefined if it is the reference of a share. */
export const memberOfReference = (reference: string | undefined): string | undefined =>
  reference?.startsWith(MARK) ? reference.slice(MARK.length) : undefined;
