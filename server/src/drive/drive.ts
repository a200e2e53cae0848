import type { Color, ConflictMode, EventType, Order, Static } from '@bowerbird/contract';

export const FOLDER = 0 as const;
export const FILE = 1 as const;

/**
 * File or folder. `parent` of nodes in the root is the account's id, so that no index needs the account; the API
 * shows it as "". `gcid`, `sha1`, `md5` and `quarantined_at` are those of the bytes.
 */
export interface NodeRow {
  readonly id: string;
  readonly account: string;
  readonly parent: string;
  readonly kind: 0 | 1;
  readonly name: string;
  /** NFC of the name: unique among the live children of a folder. */
  readonly name_fold: string;
  /** Natural order, compared byte by byte: see name-key.ts. */
  readonly name_key: string;
  readonly type_key: string;
  /** Bytes of a file, or of all files below a folder, without what was trashed by itself: see folder-size/. */
  readonly size: number;
  /** Numbers of files and folders below a folder; 0 for files. */
  readonly file_count: number;
  readonly folder_count: number;
  /** Hash of the bytes; null for folders. */
  readonly blob: string | null;
  readonly created_at: number;
  /** Date of the content, or of a folder itself: renaming, moving, trashing and restoring don't change it. */
  readonly modified_at: number;
  /** Set only on the root of a trashed subtree; its descendants are trashed with it. */
  readonly trashed_at: number | null;
  readonly starred_at: number | null;
  /** JSON of the string map that the API shows as `params`. */
  readonly origin: string | null;
  /** Upper-case hex; null for folders. */
  readonly gcid: string | null;
  /** Lower-case hex; null for folders, and until it is known. */
  readonly sha1: string | null;
  readonly md5: string | null;
  readonly quarantined_at: number | null;
}

/** The columns of a node that the API shows; only folders have numbers of files and folders. */
export type ShownNode = Omit<
  NodeRow,
  'name_fold' | 'name_key' | 'type_key' | 'blob' | 'sha1' | 'file_count' | 'folder_count'
> &
  Partial<Pick<NodeRow, 'file_count' | 'folder_count'>>;

/** Immutable bytes, identified by their content. */
export interface BlobRow {
  readonly hash: string;
  readonly size: number;
  readonly gcid: string;
  readonly cid: string;
  readonly store_key: string;
  readonly created_at: number;
  readonly quarantined_at: number | null;
  /** Lower-case hex digest of the whole content; null until it is known. */
  readonly sha1: string | null;
  readonly md5: string | null;
}

/** Kinds of events that the protocol doesn't have; stored beside its events. */
export const NOTED_KINDS = ['extracted', 'opened', 'edited', 'shared'] as const;
export type NotedKind = (typeof NOTED_KINDS)[number];

/** Recent event of a file of an account. */
export interface EventRow {
  readonly id: string;
  readonly type: EventType;
  readonly node: string;
  readonly params: Readonly<Record<string, string>>;
  readonly progress: number;
  readonly createdAt: number;
  /** Time of its last occurrence. */
  readonly updatedAt: number;
}

/** A member's own notes about a node. Others never see them: they aren't part of shares. */
export interface Annotation {
  /** Ids of its tags. */
  readonly tags: readonly string[];
  /** Color of a folder; '' for none. */
  readonly color: Color | '';
  readonly emoji: string;
  readonly hasNote: boolean;
}

/** Annotations by the ids of their nodes. */
export type Annotations = ReadonlyMap<string, Annotation>;

/** Handling of a name that is taken in the destination. */
export type Conflict = Static<typeof ConflictMode>;

export interface ListOrder extends Order {
  readonly foldersFirst: boolean;
}

/** Scope of a list: the children of a folder, or everything in an account's trash or starred. */
export type Area =
  | { readonly folder: string }
  | { readonly trashOf: string }
  | { readonly starredOf: string };

export const THUMBNAIL_SIZES = ['SIZE_SMALL', 'SIZE_LARGE'] as const;
export type ThumbnailSize = (typeof THUMBNAIL_SIZES)[number];

/** Signed link as the API shows it. `expire` is in RFC 3339, and in unix seconds within the URL. */
export interface SignedLink {
  readonly url: string;
  readonly token: string;
  readonly expire: string;
  readonly type: string;
}

export interface LinkOptions {
  readonly disposition: 'inline' | 'attachment';
  /** `https://drive.example`, before the link's path; omitted if absent. */
  readonly origin?: string;
  /** Id of the share through which the file is accessed: its links expire with it. */
  readonly share?: string | undefined;
  /** Id of the earlier version that the link is for; the node has its size and gcid then. */
  readonly version?: string | undefined;
  /** True for a link that is passed on by hand, and works for some minutes only. */
  readonly isBrief?: boolean;
}

/**
 * Creates links that need no session: signed, expiring, identical for about an hour so that browsers can cache
 * their content.
 */
export interface Links {
  /** Number of the period during which thumbnail links stay the same. */
  period(): number;
  download(node: ShownNode, options: LinkOptions): SignedLink;
  /** Returns "" if the file has no thumbnail. */
  thumbnail(node: ShownNode, size: ThumbnailSize, options?: Omit<LinkOptions, 'disposition'>): string;
}

/** Options for viewing a node. */
export interface FileContext {
  readonly links: Links;
  /** Origin of the links. */
  readonly origin: string;
  /** Folder id that is shown as "": the account's, or the one that represents the root of a share. */
  readonly rootId: string;
  /** True to include download links, `medias` and `web_content_link`; thumbnails always are. */
  readonly withLinks?: boolean;
  readonly thumbnailSize?: ThumbnailSize;
  readonly share?: string | undefined;
  /** True if the node is trashed, itself or with a folder. */
  readonly trashed?: boolean;
  /** Days for which something stays in the trash, by the time of its deletion; the usual ones if absent. */
  readonly trashDays?: (trashedAt: number) => number;
  /** True to include the time of deletion in the parameters. */
  readonly withTrashedTime?: boolean;
  /** The owner's notes about nodes, by id; only for lists of the owner. */
  readonly annotations?: Annotations;
}
