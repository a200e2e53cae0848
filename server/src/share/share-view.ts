import type { File, Locale, OwnShare, ShareOpening, ShareStatus } from '@bowerbird/contract';
import { maskedName, type AccountRow } from '../account/index.ts';
import {
  fileView,
  FOLDER,
  type FileContext,
  type Links,
  type NodeRow,
  type ShownNode,
  type ThumbnailSize,
} from '../drive/index.ts';
import { message, timeText } from '../foundation/index.ts';
import type { Entered } from './share-entry-service.ts';
import { restoresLeft, timeLeft, type ShareRow } from './share.ts';

export function shareUrl(origin: string, share: ShareRow): string {
  return `${origin}/s/${share.id}`;
}

export function thumbnailSize(asked: string | undefined): ThumbnailSize {
  return asked === 'SIZE_SMALL' ? 'SIZE_SMALL' : 'SIZE_LARGE';
}

/** Status in the reader's language. A pause is shown as a prohibition. */
export function statusText(locale: Locale, status: ShareStatus, share?: ShareRow): string {
  return message(
    locale,
    status === 'PROHIBITED' && share?.paused && share.mark !== 'prohibited'
      ? 'share.status.paused'
      : `share.status.${status}`,
  );
}

function expiration(
  share: ShareRow,
  now: number,
): Pick<ShareOpening, 'expiration_left' | 'expiration_left_seconds' | 'expiration_at'> {
  const left = timeLeft(share.expiresAt, now);
  return {
    expiration_left: String(left.days),
    expiration_left_seconds: String(left.seconds),
    expiration_at: share.expiresAt === undefined ? '-1' : timeText(share.expiresAt),
  };
}

const NOBODY = { user_id: '', nickname: '', avatar: '', portrait_url: '' };

function maskedOwner({ name, picture }: AccountRow): ShareOpening['user_info'] {
  return { ...NOBODY, nickname: maskedName(name), avatar: picture, portrait_url: picture };
}

export interface SharedContext {
  readonly links: Links;
  readonly origin: string;
  readonly size: ThumbnailSize;
  readonly withLinks?: boolean;
  /** Value of ShareEntry.reference. */
  readonly reference: string;
}

/** Node as a visitor of the share sees it, without its owner's notes. */
export function sharedFileView(
  node: ShownNode,
  share: ShareRow,
  roots: ReadonlySet<string>,
  { links, origin, size, withLinks = false, reference }: SharedContext,
): File {
  const context: FileContext = {
    links,
    origin,
    rootId: share.account,
    share: reference,
    thumbnailSize: size,
    withLinks,
  };
  const hasNotes = node.starred_at !== null || node.origin !== null;
  const file = fileView(hasNotes ? { ...node, starred_at: null, origin: null } : node, context);
  if (roots.has(node.id)) file.parent_id = '';
  file.writable = false;
  return file;
}

/** Nodes as a visitor of the share sees them. */
export const sharedFilesView = (
  nodes: readonly ShownNode[],
  share: ShareRow,
  roots: ReadonlySet<string>,
  context: SharedContext,
): File[] => nodes.map((node) => sharedFileView(node, share, roots, context));

/** View for a visitor without access: the status, and at the gate the owner. */
function closedView({ status, share, owner, own }: Entered, locale: Locale): ShareOpening {
  const atGate = status === 'PASS_CODE_EMPTY' || status === 'PASS_CODE_ERROR';
  return {
    share_status: status,
    share_status_text: statusText(locale, status, share),
    title: '',
    file_num: '0',
    file_size: '0',
    expiration_left: '-1',
    expiration_left_seconds: '-1',
    expiration_at: '-1',
    restore_count_left: '-1',
    files: [],
    user_info: (atGate || own) && owner ? maskedOwner(owner) : NOBODY,
    pass_code_token: '',
    next_page_token: '',
    icon_link: '',
    thumbnail_link: '',
    params: {},
    own,
  };
}

const sums = new WeakMap<readonly NodeRow[], number>();

/** Bytes of the roots of a share, which are the same list as long as nothing changes. */
function bytesOf(roots: readonly NodeRow[]): number {
  const sum = sums.get(roots) ?? roots.reduce((size, node) => size + node.size, 0);
  sums.set(roots, sum);
  return sum;
}

export interface OpeningPage {
  readonly locale: Locale;
  readonly now: number;
  readonly files: File[];
  readonly nextPageToken: string;
  readonly token: string;
}

export function openingView(
  entered: Entered,
  { locale, now, files, nextPageToken, token }: OpeningPage,
): ShareOpening {
  const { open, share, owner, roots, status } = entered;
  const closed = closedView(entered, locale);
  if (!open || !share || !owner) return closed;
  return {
    ...closed,
    ...expiration(share, now),
    share_status: status,
    title: share.title,
    file_num: String(roots.length),
    file_size: String(bytesOf(roots)),
    restore_count_left: String(restoresLeft(share)),
    files,
    user_info: { ...maskedOwner(owner), user_id: owner.id },
    pass_code_token: token,
    next_page_token: nextPageToken,
    icon_link: files[0]?.icon_link ?? '',
    thumbnail_link: files[0]?.thumbnail_link ?? '',
  };
}

export interface OwnShareFacts {
  readonly status: ShareStatus;
  /** First live root. */
  readonly root: NodeRow | undefined;
  readonly owner: AccountRow;
  readonly passcode: string;
  readonly reference: string;
  readonly links: Links;
  readonly size: ThumbnailSize;
  readonly origin: string;
  readonly locale: Locale;
  readonly now: number;
}

/** Share as its owner sees it. */
export function ownShareView(
  share: ShareRow,
  { status, root, owner, passcode, reference, links, size, origin, locale, now }: OwnShareFacts,
): OwnShare {
  const file = root && sharedFileView(root, share, new Set([root.id]), { links, origin, size, reference });
  return {
    share_id: share.id,
    share_url: shareUrl(origin, share),
    share_status: status,
    share_status_text: statusText(locale, status, share),
    paused: share.paused,
    title: share.title,
    icon_link: file?.icon_link ?? '',
    thumbnail_link: file?.thumbnail_link ?? '',
    pass_code: passcode,
    file_num: String(share.rootCount),
    file_id: root?.id ?? '',
    file_kind: root === undefined ? '' : root.kind === FOLDER ? 'drive#folder' : 'drive#file',
    file_size: String(share.rootSize),
    restore_limit: String(share.restoreLimit),
    limit_count: String(share.restoreLimit),
    restore_count: String(share.restoreCount),
    view_count: String(share.viewCount),
    download_count: String(share.downloadCount),
    expiration_days: String(share.expirationDays),
    ...expiration(share, now),
    create_time: timeText(share.createdAt),
    user_info: {
      user_id: owner.id,
      nickname: owner.name,
      avatar: owner.picture,
      portrait_url: owner.picture,
    },
    share_to: share.shareTo,
    phrase: '',
    params: root === undefined ? {} : { name: root.name, mime_type: file?.mime_type ?? '' },
  };
}

/** Message for sharing: address, and passcode if there is one. */
export function shareText(locale: Locale, share: ShareRow, url: string, passcode: string): string {
  return passcode === ''
    ? message(locale, 'share.text', { title: share.title, url })
    : message(locale, 'share.text_with_passcode', { title: share.title, url, passcode });
}
