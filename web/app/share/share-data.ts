import type { QueryClient } from '@tanstack/react-query';
import { orderName, shareApi, type ApiCall, type File, type PageServices, type ShareOpening } from '@bowerbird/contract';
import type { DisplayMode, EntriesSource, EntryPage } from '#app/node/index.ts';
import { staleCookies, tokenCookie, TOKEN_COOKIE_OPTIONS } from './share-cookies.ts';

const FIRST_PAGE = 100;
const NEXT_PAGES = 1000;

type ListingMode = Pick<DisplayMode, 'order' | 'pinFoldersTop'>;

/** What is known of a share that was opened; everything but its listings. */
export type Opening = Omit<ShareOpening, 'files' | 'next_page_token' | 'icon_link' | 'thumbnail_link' | 'params'>;

export interface ShareListing {
  readonly first: EntryPage;
  readonly ancestors: readonly { readonly id: string; readonly name: string }[];
}

export const openingKey = (shareId: string) => ['share', shareId, 'opening'] as const;
const modeKey = (mode: ListingMode): string => `${orderName(mode.order)} ${mode.pinFoldersTop}`;

/** Whether the contents came with the opening. */
export function isOpen(opening: Pick<Opening, 'share_status' | 'pass_code_token'>): boolean {
  return opening.pass_code_token !== '';
}

function query(mode: ListingMode, pageToken: string) {
  return {
    limit: pageToken === '' ? FIRST_PAGE : NEXT_PAGES, page_token: pageToken, thumbnail_size: 'SIZE_SMALL', order: orderName(mode.order), folders_first: String(mode.pinFoldersTop),
  };
}

/** A folder of a share; "" is the share's root. */
export function shareEntries(call: ApiCall, shareId: string, token: string, folderId: string, mode: ListingMode): EntriesSource {
  return {
    key: ['share', shareId, 'folder', folderId, modeKey(mode)],
    load: (pageToken, signal) =>
      call(shareApi.detail, { query: { share_id: shareId, pass_code_token: token, parent_id: folderId, ...query(mode, pageToken) } }, { signal }).then((reply) => {
        // A share that closed while it was looked at has no more rows; the page itself says why at the next step.
        if (reply.share_status !== 'OK' && reply.files.length === 0) return { files: [], next_page_token: '' };
        return reply;
      }),
  };
}

export function loadShareFile(call: ApiCall, shareId: string, token: string, fileId: string): Promise<File> {
  return call(shareApi.fileInfo, { query: { share_id: shareId, pass_code_token: token, file_id: fileId, thumbnail_size: 'SIZE_LARGE' } }).then(({ file_info: file }) => {
    if (!file) throw new Error('the file is not in the share any more');
    return file;
  });
}

/** Opens a share for the first paint, with the token of an earlier visit or the passcode that came with the link. */
export async function openShare(services: PageServices, shareId: string, passcode: string, mode: ListingMode): Promise<{ opening: Opening; first: EntryPage }> {
  const known = services.cookies[tokenCookie(shareId)];
  const { files, next_page_token, icon_link: _, thumbnail_link: __, params: ___, ...opening } = await services.call(shareApi.open, {
    query: { share_id: shareId, ...(passcode === '' ? {} : { pass_code: passcode }), ...(known === undefined ? {} : { pass_code_token: known }), ...query(mode, '') },
  });
  for (const name of staleCookies(Object.keys(services.cookies), shareId)) services.setCookie(name, '', { maxAge: 0 });
  if (opening.pass_code_token !== '') services.setCookie(tokenCookie(shareId), opening.pass_code_token, TOKEN_COOKIE_OPTIONS);
  return { opening, first: { files, next_page_token } };
}

export async function loadFolderOf(call: ApiCall, shareId: string, token: string, folderId: string, mode: ListingMode): Promise<ShareListing> {
  const { files, next_page_token, ancestors } = await call(shareApi.detail, { query: { share_id: shareId, pass_code_token: token, parent_id: folderId, ...query(mode, '') } });
  return { first: { files, next_page_token }, ancestors };
}

export function rememberOpening(client: QueryClient, shareId: string, opening: Opening): void {
  client.setQueryData(openingKey(shareId), opening);
}
