import { useRef } from 'react';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { driveApi, isApiFailure, orderName, type ApiCall, type File } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { NAME_ORDER } from '../drive-data.ts';
import type { Level } from './tree-rows.ts';

/** Key prefix of the subfolders of folders. */
export const TREE = ['tree'] as const;
/** Subfolders that are loaded at first, and with each further page. */
const FIRST_PAGE = 200;
const NEXT_PAGES = 1000;
const FILTERS = JSON.stringify({ trashed: { eq: false }, kind: { eq: 'drive#folder' } });

async function subfolders(call: ApiCall, parent: string, pages: number, signal: AbortSignal): Promise<Level> {
  const folders: File[] = [];
  let token = '';
  for (let page = 0; page < pages; page++) {
    const query = {
      parent_id: parent,
      filters: FILTERS,
      order: orderName(NAME_ORDER),
      limit: page === 0 ? FIRST_PAGE : NEXT_PAGES,
      page_token: token,
    };
    const { files, next_page_token: next } = await call(driveApi.list, { query }, { signal });
    folders.push(...files);
    token = next;
    if (token === '') break;
  }
  return { folders, hasMore: token !== '' };
}

/** Loads the subfolders of folders, page by page. */
export function useLevels(parents: readonly string[]): {
  readonly levels: ReadonlyMap<string, Level>;
  /** Ids of folders that don't exist any more. */
  readonly gone: readonly string[];
  /** Folders whose subfolders couldn't be loaded. */
  readonly failed: readonly string[];
  readonly more: (parent: string) => Promise<void>;
} {
  const call = useCall();
  const client = useQueryClient();
  const pages = useRef(new Map<string, number>());
  const queries = useQueries({
    queries: parents.map((parent) => ({
      queryKey: [...TREE, parent],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        subfolders(call, parent, pages.current.get(parent) ?? 1, signal),
    })),
  });
  const failing = (isGone: boolean): string[] =>
    parents.filter((_, at) => {
      const error = queries[at]?.error;
      return error != null && (isApiFailure(error) && error.status === 404) === isGone;
    });
  return {
    levels: new Map(parents.flatMap((parent, at) => (queries[at]?.data ? [[parent, queries[at].data]] : []))),
    gone: failing(true),
    failed: failing(false),
    async more(parent) {
      pages.current.set(parent, (pages.current.get(parent) ?? 1) + 1);
      await client.invalidateQueries({ queryKey: [...TREE, parent], exact: true });
    },
  };
}
