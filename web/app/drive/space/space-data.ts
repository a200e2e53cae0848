import { driveApi, type ApiCall, type ReplyOf, type UsageList } from '@bowerbird/contract';
import type { EntriesSource } from '#app/node/index.ts';
import { folderEntries, LISTINGS } from '../drive-data.ts';

/** Ways to look at what uses the space. */
export const VIEWS = [
  'folders',
  'largest',
  'duplicates',
  'oldest',
  'empty_folders',
] as const satisfies readonly ('folders' | UsageList)[];
export type SpaceView = (typeof VIEWS)[number];

/** View that an address names, and the folder that is open in "folders". */
export interface Shown {
  readonly view: SpaceView;
  readonly folderId: string;
}

export function shownIn(url: URL): Shown {
  const view = VIEWS.find((one) => one === url.searchParams.get('show')) ?? 'folders';
  return { view, folderId: view === 'folders' ? (url.searchParams.get('folder') ?? '') : '' };
}

export function spaceHref({ view, folderId }: Shown): string {
  const query = new URLSearchParams({
    ...(view === 'folders' ? {} : { show: view }),
    ...(folderId === '' ? {} : { folder: folderId }),
  }).toString();
  return query === '' ? '/drive/space' : `/drive/space?${query}`;
}

/** Files and folders together, the largest first. */
const BY_SIZE = { order: { key: 'size', descending: true }, pinFoldersTop: false } as const;
const FIRST_PAGE = 100;

/** Sums of a list that its pages repeat. */
export type Sums = Pick<ReplyOf<typeof driveApi.usage>, 'groups' | 'gain'>;
export const sumsKey = (view: SpaceView) => [...LISTINGS, 'space', view, 'sums'] as const;

export function spaceEntries(
  call: ApiCall,
  { view, folderId }: Shown,
  tell: (sums: Sums) => void = () => undefined,
): EntriesSource {
  if (view === 'folders') return folderEntries(call, folderId, BY_SIZE);
  return {
    key: [...LISTINGS, 'space', view],
    async load(pageToken, signal) {
      const { groups, gain, ...page } = await call(
        driveApi.usage,
        {
          query: {
            list: view,
            page_token: pageToken,
            thumbnail_size: 'SIZE_SMALL',
            ...(view === 'duplicates' ? {} : { limit: FIRST_PAGE }),
          },
        },
        { signal },
      );
      tell({ groups, gain });
      return page;
    },
  };
}
