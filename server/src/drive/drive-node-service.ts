import type { Place, Sql, Tx } from '../foundation/database/index.ts';
import type { Conflict, ListOrder, NodeRow } from './drive.ts';

export interface NewFile {
  /** The node's id where it was promised before (upload tickets); made otherwise. */
  readonly id?: string;
  readonly account: string;
  /** Id of a live folder, or the account's id for the root: see {@link Nodes.folder}. */
  readonly parent: string;
  readonly name: string;
  readonly blob: string;
  readonly size: number;
  /** `skip` gives the node that is there already. */
  readonly conflict: Conflict;
  readonly origin?: Readonly<Record<string, string>>;
  readonly userModifiedAt?: number | undefined;
}

/**
 * The tree. Every transaction that changes an account's tree holds its tree lock from its first look on (PostgreSQL;
 * SQLite has one writer), so what was checked stays true until the commit.
 */
export interface Nodes {
  /** Live nodes only: undefined for what is foreign, unknown, or trashed, itself or with a folder. */
  find(sql: Sql, account: string, id: string): Promise<NodeRow | undefined>;
  /** As {@link Nodes.find}, but also what lies in the trash. */
  findAnywhere(sql: Sql, account: string, id: string): Promise<{ node: NodeRow; trashed: boolean } | undefined>;
  /** The id to use as `parent`: the account's for "" (the root), else that of a live folder; `file_not_found`. */
  folder(sql: Sql, account: string, id: string | undefined): Promise<string>;
  /** From one of `roots` down to the live node, root first; undefined where it is no live descendant of any of them. */
  withinRoots(sql: Sql, id: string, roots: ReadonlySet<string>): Promise<NodeRow[] | undefined>;
  /** Those of the nodes that are live, in the order of `ids`. */
  findMany(sql: Sql, account: string, ids: readonly string[]): Promise<NodeRow[]>;
  /** A page of a folder's live children; `next` is the place where more follow. The cost is that of the page. */
  children(sql: Sql, folder: string, page: { order: ListOrder; limit: number; place: Place | undefined }): Promise<{ rows: NodeRow[]; next: Place | undefined }>;
  /** Holds the account's tree for this transaction. First thing, before any look that a change depends on. */
  lock(tx: Tx, account: string): Promise<void>;
  /**
   * Adds a file whose bytes have a blob row. Checks the folder and the name; takes the tree lock. Charging quota is the
   * caller's, after this call (the lock comes before the quota's row everywhere).
   */
  addFile(tx: Tx, file: NewFile): Promise<NodeRow>;
  /** Adds a folder; `skip` and `replace` give the folder that is there already. */
  addFolder(tx: Tx, folder: { account: string; parent: string; name: string; conflict: Conflict; origin?: Readonly<Record<string, string>> }): Promise<NodeRow>;
}
