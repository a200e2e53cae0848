import {
  isApiFailure,
  orderName,
  shareApi,
  type ApiCall,
  type File,
  type PageServices,
  type ShareOpening,
} from '@bowerbird/contract';
import type { DisplayMode } from '#app/node/display/display-mode.ts';
import type { EntryPage } from '#app/node/entries/entry-book.ts';
import { isFolder } from '#app/node/file-facts.ts';
import { staleCookies, tokenCookie, TOKEN_COOKIE_OPTIONS } from './share-cookies.ts';

const FIRST_PAGE = 100;
const NEXT_PAGES = 1000;

export type ListingMode = Pick<DisplayMode, 'order' | 'pinFoldersTop'>;

/** Metadata of an opened share; everything except its listings. */
export type Opening = Omit<
  ShareOpening,
  'files' | 'next_page_token' | 'icon_link' | 'thumbnail_link' | 'params'
>;

/** Opened share, as its pages display it. */
export interface OpenShare {
  readonly id: string;
  readonly opening: Opening;
  /** Account that opened it; "" for a visitor. */
  readonly openedBy: string;
  /** Folder that the share consists of, and where its pages start; "" if it has several roots, or is a file. */
  readonly entrance: string;
  /** File that the share consists of. */
  readonly only: File | undefined;
  /** Number of top-level entries, if the first page reveals it, and total bytes; `undefined` if it has none. */
  readonly count: number | undefined;
  readonly bytes: number | undefined;
}

export interface ShareListing {
  /** Listed folder; "" if the share has several roots and these are listed. */
  readonly folderId: string;
  readonly first: EntryPage;
  /** Folders from the share's root down to the listed folder. */
  readonly ancestors: readonly { readonly id: string; readonly name: string }[];
}

/** Returns true if the response contained the contents. */
export function isOpen(opening: Pick<Opening, 'pass_code_token'>): boolean {
  return opening.pass_code_token !== '';
}

/** Query parameters of a listing, for its first page or a later one. */
export function pageQuery(mode: ListingMode, pageToken: string) {
  return {
    limit: pageToken === '' ? FIRST_PAGE : NEXT_PAGES,
    page_token: pageToken,
    thumbnail_size: 'SIZE_SMALL',
    order: orderName(mode.order),
    folders_first: String(mode.pinFoldersTop),
  };
}

/** Response to opening a share, with the first page of its roots if it opened. */
export interface Sight {
  readonly opening: Opening;
  readonly first: EntryPage;
}

/** Opens a share for the first paint, with the token of an earlier visit or the passcode in the link. */
export async function openShare(
  services: PageServices,
  shareId: string,
  passcode: string,
  mode: ListingMode,
): Promise<Sight> {
  const known = services.cookies[tokenCookie(shareId)];
  const {
    files,
    next_page_token,
    icon_link: _,
    thumbnail_link: __,
    params: ___,
    ...opening
  } = await services.call(shareApi.open, {
    query: {
      share_id: shareId,
      ...(passcode === '' ? {} : { pass_code: passcode }),
      ...(known === undefined ? {} : { pass_code_token: known }),
      ...pageQuery(mode, ''),
    },
  });
  const own = tokenCookie(shareId);
  const names = Object.keys(services.cookies);
  for (const name of staleCookies(isOpen(opening) ? [...names, own] : names, shareId))
    services.setCookie(name, '', { maxAge: 0 });
  if (isOpen(opening)) services.setCookie(own, opening.pass_code_token, TOKEN_COOKIE_OPTIONS);
  return { opening, first: { files, next_page_token } };
}

/** Returns the share and its first listing: a share of a single folder starts inside it. */
export async function enterShare(
  call: ApiCall,
  {
    id,
    opening,
    openedBy,
    first,
    mode,
    folderId,
  }: {
    id: string;
    opening: Opening;
    openedBy: string;
    first: EntryPage;
    mode: ListingMode;
    folderId: string;
  },
): Promise<{ share: OpenShare; listing: ShareListing } | undefined> {
  const root = opening.file_num === '1' ? first.files[0] : undefined;
  const entrance = root && isFolder(root) ? root.id : '';
  const listed = folderId || entrance;
  const listing =
    listed === ''
      ? { folderId: '', first, ancestors: [] }
      : await loadFolder(call, id, opening.pass_code_token, listed, mode);
  if (!listing) return undefined;
  const start = listed === entrance ? listing.first : entrance === '' ? first : undefined;
  return {
    share: {
      id,
      opening,
      openedBy,
      entrance,
      only: root && entrance === '' ? root : undefined,
      ...(entrance === '' ? { count: Number(opening.file_num) } : { count: start && wholeCount(start) }),
      bytes: Number(opening.file_size) || undefined,
    },
    listing,
  };
}

/** Loads a folder of a share; undefined if the share has no such folder, or was closed in the meantime. */
export async function loadFolder(
  call: ApiCall,
  shareId: string,
  token: string,
  folderId: string,
  mode: ListingMode,
): Promise<ShareListing | undefined> {
  try {
    const reply = await call(shareApi.detail, {
      query: {
        share_id: shareId,
        pass_code_token: token,
        parent_id: folderId,
        ...pageQuery(mode, ''),
      },
    });
    const { files, next_page_token, ancestors } = reply;
    const isGiven = reply.share_status === 'OK' || files.length > 0 || ancestors.length > 0;
    return isGiven ? { folderId, first: { files, next_page_token }, ancestors } : undefined;
  } catch (error) {
    if (isApiFailure(error) && error.status === 404) return undefined;
    throw error;
  }
}

export async function loadShareFile(
  call: ApiCall,
  shareId: string,
  token: string,
  fileId: string,
): Promise<File> {
  const { file_info: file } = await call(shareApi.fileInfo, {
    query: {
      share_id: shareId,
      pass_code_token: token,
      file_id: fileId,
      thumbnail_size: 'SIZE_LARGE',
    },
  });
  if (!file) throw new Error('the file is no longer in the share');
  return file;
}

const wholeCount = ({ files, next_page_token }: EntryPage): number | undefined =>
  next_page_token === '' ? files.length : undefined;
