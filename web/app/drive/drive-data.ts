import type { QueryClient, QueryKey } from '@tanstack/react-query';
import {
  driveApi,
  isApiFailure,
  orderName,
  type AccessRole,
  type ApiCall,
  type File,
  type Order,
} from '@bowerbird/contract';
import { entriesQuery, type DisplayMode, type EntriesSource, type EntryPage } from '#app/node/index.ts';

/** Rows of the first page, and of the pages loaded while scrolling. */
const FIRST_PAGE = 100;
const NEXT_PAGES = 1000;

/** Breadcrumbs of a folder from below the root, the folder itself last. */
export interface FolderPath {
  readonly ancestors: readonly { readonly id: string; readonly name: string }[];
  /** The member's role in a folder of someone else. */
  readonly shared?: { readonly owner_id: string; readonly role: AccessRole };
}

/** Role of the member in what is listed. */
export type ListingRole = 'owner' | AccessRole;

type ListingMode = Pick<DisplayMode, 'order' | 'pinFoldersTop'>;

const COMPLETE = { phase: { eq: 'PHASE_TYPE_COMPLETE' } };

function source(
  call: ApiCall,
  key: QueryKey,
  query: Record<string, string>,
  mode: ListingMode,
): EntriesSource {
  return {
    key,
    load: (pageToken, signal) =>
      call(
        driveApi.list,
        {
          query: {
            ...query,
            page_token: pageToken,
            limit: pageToken === '' ? FIRST_PAGE : NEXT_PAGES,
            thumbnail_size: 'SIZE_SMALL',
            with_total: 'true',
            order: orderName(mode.order),
            folders_first: String(mode.pinFoldersTop),
          },
        },
        { signal },
      ),
  };
}

/** Key prefix of all listings, so that one call refreshes them all. */
export const LISTINGS = ['files'] as const;
const modeKey = (mode: ListingMode): string => `${orderName(mode.order)} ${mode.pinFoldersTop}`;

export function folderEntries(call: ApiCall, folderId: string, mode: ListingMode): EntriesSource {
  return source(
    call,
    [...LISTINGS, 'folder', folderId, modeKey(mode)],
    { parent_id: folderId, filters: JSON.stringify({ ...COMPLETE, trashed: { eq: false } }) },
    mode,
  );
}

export function starredEntries(call: ApiCall, mode: ListingMode): EntriesSource {
  return source(
    call,
    [...LISTINGS, 'starred', modeKey(mode)],
    { parent_id: '*', filters: JSON.stringify({ trashed: { eq: false }, system_tag: { in: 'STAR' } }) },
    mode,
  );
}

export function trashEntries(call: ApiCall, mode: ListingMode): EntriesSource {
  return source(
    call,
    [...LISTINGS, 'trash', modeKey(mode)],
    {
      parent_id: '*',
      filters: JSON.stringify({ trashed: { eq: true } }),
      with_trashed_time: 'true',
    },
    mode,
  );
}

export function pathQuery(call: ApiCall, folderId: string) {
  return {
    queryKey: ['path', folderId],
    queryFn: (): Promise<FolderPath> =>
      folderId === ''
        ? Promise.resolve({ ancestors: [] })
        : call(driveApi.ancestors, { params: { id: folderId } }),
  };
}

/** True if a failed {@link pathQuery} says that there is no such folder any more. */
export const isNoFolder = (error: unknown): boolean => isApiFailure(error) && error.id === 'file_not_found';

const PATIENCE_MS = 250;

/**
 * Waits briefly for the data of a page; if it takes longer, the page shows its loading state and, if it fails,
 * its own error. Resolves with an error that occurred in time.
 */
export function soon(work: Promise<unknown>): Promise<unknown> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS));
  const done = work.then(
    () => undefined,
    (error: unknown) => error,
  );
  return Promise.race([done, late]);
}

/** Loads the data of a page into the cache before the page is shown. */
export async function prefetchEntries(client: QueryClient, entries: EntriesSource): Promise<void> {
  await client.ensureQueryData(entriesQuery(entries));
}

/** Loads the first page and the path of a folder, for the server's first paint. */
export async function loadFolder(
  call: ApiCall,
  folderId: string,
  mode: ListingMode,
): Promise<{ first: EntryPage; path: FolderPath }> {
  const [first, path] = await Promise.all([
    folderEntries(call, folderId, mode).load('', new AbortController().signal),
    pathQuery(call, folderId).queryFn(),
  ]);
  return { first, path };
}

export function folderHref(folderId: string): string {
  return folderId === '' ? '/drive/all' : `/drive/all/${folderId}`;
}

export function isStarred(file: File): boolean {
  return file.tags.some((tag) => tag.name === 'STAR');
}

export const NAME_ORDER: Order = { key: 'name', descending: false };
