import type { AccessRole, Color, EventType, VersionCause } from '@bowerbird/contract';
import type { Generated } from 'kysely';
import type { NotedKind } from './drive.ts';

export interface DriveTables {
  node: {
    id: string;
    account: string;
    parent: string;
    kind: 0 | 1;
    name: string;
    name_fold: string;
    name_key: string;
    type_key: string;
    /** Bytes of a file, or of all files below a folder. */
    size: number;
    /** Numbers of files and folders below a folder; 0 for files. */
    file_count: Generated<number>;
    folder_count: Generated<number>;
    /** Id of the blob's row. */
    blob: number | null;
    created_at: number;
    modified_at: number;
    trashed_at: number | null;
    starred_at: number | null;
    origin: string | null;
  };
  /** Number of changes to an account's tree, and to what lists show of its files. */
  tree_version: {
    account: string;
    version: number;
  };
  blob: {
    id: Generated<number>;
    hash: string;
    size: number;
    gcid: string;
    cid: string;
    store_key: string;
    created_at: number;
    quarantined_at: number | null;
    sha1: string | null;
    md5: string | null;
  };
  /** Tags of members, and the nodes that have them. */
  tag: {
    id: string;
    account: string;
    name: string;
    /** Name as it is searched: unique for each account. */
    name_fold: string;
    color: Color;
    created_at: number;
  };
  tagged: {
    account: string;
    tag: string;
    node: string;
  };
  /** Notes about nodes, and looks of folders; texts are empty if there is none. */
  annotation: {
    node: string;
    account: string;
    color: Generated<Color | ''>;
    emoji: Generated<string>;
    note: Generated<string>;
    /** Note as it is searched. */
    note_fold: Generated<string>;
    noted_at: Generated<number>;
  };
  /** Pinned folders, in the order of their places. */
  pin: {
    node: string;
    account: string;
    name: string;
    place: number;
  };
  /** Earlier contents of files, which `blob` refers to as in `node`. */
  version: {
    id: string;
    account: string;
    node: string;
    blob: number;
    size: number;
    /** Date of the content. */
    modified_at: number;
    replaced_at: number;
    how: VersionCause;
    label: string;
    kept: 0 | 1;
  };
  /** Bytes that nodes released: collected after a grace period unless they are referenced again. */
  blob_release: {
    store_key: string;
    hash: string;
    released_at: number;
  };
  /** Added and played files, in display order. */
  event: {
    id: string;
    account: string;
    played: 0 | 1;
    type: EventType;
    node: string;
    params: string;
    progress: number;
    created_at: number;
    updated_at: number;
  };
  /** Access of a member, `account`, to a node of another one, `owner`. */
  access_grant: {
    id: string;
    node: string;
    owner: string;
    account: string;
    role: AccessRole;
    muted: 0 | 1;
    granted_by: string;
    created_at: number;
    accepted_at: number | null;
    updated_at: number;
  };
  /** Changes by a member, `actor`, in the tree of another one, `account`. */
  act: {
    id: string;
    account: string;
    actor: string;
    node: string;
    /** Folder of the node at that time. */
    folder: string;
    verb: string;
    name: string;
    created_at: number;
  };
  /** Names of an account's nodes, for searching: see name-index/name-block.ts. */
  name_block: {
    account: string;
    id: string;
    entries: number;
    /** Highest id of its nodes. */
    newest: string;
    /** Null until the block is merged with others. */
    filter: Uint8Array | null;
    data: Uint8Array;
  };
  /** Number of entries whose nodes are gone or have other names. */
  name_stale: {
    account: string;
    entries: number;
  };
  /** Progress of indexing the nodes that existed before the index did: one row. */
  name_filling: {
    version: number;
    cursor: string;
    done: number;
  };
  /** Events that the protocol doesn't have: one row for each file and kind. */
  recent: {
    id: string;
    account: string;
    kind: NotedKind;
    node: string;
    at: number;
  };
  /** Entries that were removed from Recent; `entries` is the JSON of their rows. */
  recent_removal: {
    id: string;
    account: string;
    at: number;
    entries: string;
  };
  /** Running copies, with the storage reserved for them. */
  graft: {
    task: string;
    account: string;
    reserved: number;
    created_at: number;
  };
}
