import type { ConflictMode, EventType, Order, Static } from '@bowerbird/contract';

export const FOLDER = 0 as const;
export const FILE = 1 as const;

/**
 * A file or folder. `parent` of what lies in the root is the account's id, so that no index needs the account; the wire
 * shows it as "". `gcid`, `sha1`, `md5` and `quarantined_at` are those of the bytes.
 */
export interface NodeRow {
  readonly id: string;
  readonly account: string;
  readonly parent: string;
  readonly kind: 0 | 1;
  readonly name: string;
  /** NFC of the name: what is unique among the live children of a folder. */
  readonly name_fold: string;
  /** Natural order, compared byte by byte: see name-key.ts. */
  readonly name_key: string;
  readonly type_key: string;
  readonly size: number;
  /** Hash of the bytes; null for folders. */
  readonly blob: string | null;
  readonly created_at: number;
  /** The date of the content, or of a folder itself: no rename, move or visit to the trash changes it. */
  readonly modified_at: number;
  /** Set on the root of what was trashed only; what lies beneath is trashed with it. */
  readonly trashed_at: number | null;
  readonly starred_at: number | null;
  /** JSON of the string map that the wire shows as `params`. */
  readonly origin: string | null;
  /** Upper-case hex; null for folders. */
  readonly gcid: string | null;
  /** Lower-case hex; null for folders, and until it is known. */
  readonly sha1: string | null;
  readonly md5: string | null;
  readonly quarantined_at: number | null;
}

/** Immutable bytes, known by their content. */
export interface BlobRow {
  readonly hash: string;
  readonly size: number;
  readonly gcid: string;
  readonly cid: string;
  readonly store_key: string;
  readonly created_at: number;
  readonly quarantined_at: number | null;
  /** Lower-case hex, of the bytes as a whole; null until they are known. */
  readonly sha1: string | null;
  readonly md5: string | null;
}

/** One thing that happened lately to a file of an account. */
export interface EventRow {
  readonly id: string;
  readonly type: EventType;
  readonly node: string;
  readonly params: Readonly<Record<string, string>>;
  readonly progress: number;
  readonly createdAt: number;
  /** When it last happened. */
  readonly updatedAt: number;
}

/** What to do where a name is taken in the destination. */
export type Conflict = Static<typeof ConflictMode>;

export interface ListOrder extends Order {
  readonly foldersFirst: boolean;
}

/** Where a list's rows lie: the children of a folder, or what is anywhere in an account's trash or starred. */
export type Area =
  | { readonly folder: string }
  | { readonly trashOf: string }
  | { readonly starredOf: string };

export const THUMBNAIL_SIZES = ['SIZE_SMALL', 'SIZE_LARGE'] as const;
export type ThumbnailSize = (typeof THUMBNAIL_SIZES)[number];

/** A signed link as the wire shows it. `expire` is RFC 3339, and in unix seconds within the URL. */
export interface SignedLink {
  readonly url: string;
  readonly token: string;
  readonly expire: string;
  readonly type: string;
}

export interface LinkOptions {
  readonly disposition: 'inline' | 'attachment';
  /** `https://drive.example`, in front of the link's path; none where absent. */
  readonly origin?: string;
  /** Id of the share through which the file was reached: its links die with it. */
  readonly share?: string | undefined;
}

/** Makes links that need no session: signed, expiring, the same for about an hour so that browsers can keep what they got. */
export interface Links {
  download(node: NodeRow, options: LinkOptions): SignedLink;
  /** "" where the file has no picture to show. */
  thumbnail(node: NodeRow, size: ThumbnailSize, options?: Omit<LinkOptions, 'disposition'>): string;
}

/** How a node is shown. */
export interface FileContext {
  readonly links: Links;
  /** Whom the links are for. */
  readonly origin: string;
  /** The folder id that is shown as "": the account's, or what stands for the root of a share. */
  readonly rootId: string;
  /** Whether download links, `medias` and `web_content_link` are filled; thumbnails always are. */
  readonly withLinks?: boolean;
  readonly thumbnailSize?: ThumbnailSize;
  readonly share?: string | undefined;
  /** True where the node lies in the trash, itself or with a folder. */
  readonly trashed?: boolean;
}
