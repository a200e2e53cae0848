import {
  FILE_CATEGORIES,
  recentApi,
  type ApiCall,
  type File,
  type FileCategory,
  type RecentEntry,
  type RecentKind,
} from '@bowerbird/contract';
import type { EntriesSource } from '#app/node/index.ts';
import { LISTINGS, NAME_ORDER, starredEntries } from '../drive-data.ts';

/** Chips for what happened, and the kinds of events that each stands for. */
export const HAPPENED = {
  added: ['added'],
  saved: ['saved', 'downloaded', 'extracted'],
  opened: ['opened'],
  played: ['played'],
  edited: ['edited'],
  shared: ['shared'],
} as const satisfies Record<string, readonly RecentKind[]>;
export type Happened = keyof typeof HAPPENED;

export interface RecentFilter {
  readonly kind: Happened | undefined;
  /** Kinds of files, at least one; undefined for all. */
  readonly types: readonly FileCategory[] | undefined;
}

const isHappened = (word: string | null): word is Happened => word !== null && Object.hasOwn(HAPPENED, word);

/** Reads the filter of an address; unknown words are ignored. */
export function filterOf(query: URLSearchParams): RecentFilter {
  const kind = query.get('kind');
  const words = query.get('type')?.split(',') ?? [];
  const types = FILE_CATEGORIES.filter((category) => words.includes(category));
  return { kind: isHappened(kind) ? kind : undefined, types: types.length > 0 ? types : undefined };
}

/** Latest event of a file in the listing. */
export type RecentFact = Pick<RecentEntry, 'event' | 'time' | 'play' | 'folder'>;
type RecentFile = File & { readonly recent: RecentFact };

/** Returns what happened to a file of Recent. */
export function factOf(file: File): RecentFact | undefined {
  return 'recent' in file ? (file as RecentFile).recent : undefined;
}

const fileOf = ({ file, event, time, play, folder }: RecentEntry): RecentFile => ({
  ...file,
  recent: { event, time, play, folder },
});

const PAGE = 100;
/** Rows after which the list ends: nobody scrolls further, and older events have their folders. */
const MOST = 2000;

/** Files of Recent, newest first. */
export function recentEntries(call: ApiCall, { kind, types }: RecentFilter): EntriesSource {
  return {
    key: [...LISTINGS, 'recent', kind ?? '', types?.join() ?? ''],
    async load(pageToken, signal) {
      // Tokens also count the rows before them.
      const [before = '0', token = ''] = pageToken === '' ? [] : pageToken.split(' ', 2);
      const { entries, next_page_token: next } = await call(
        recentApi.list,
        {
          query: {
            limit: PAGE,
            page_token: token,
            thumbnail_size: 'SIZE_SMALL',
            ...(kind ? { kinds: HAPPENED[kind].join(',') } : {}),
            ...(types ? { categories: types.join(',') } : {}),
          },
        },
        { signal },
      );
      const rows = Number(before) + entries.length;
      return {
        files: entries.map(fileOf),
        next_page_token: next === '' || rows >= MOST ? '' : `${rows} ${next}`,
      };
    },
  };
}

const CONTINUED = 12;

/** Videos and long recordings that can be resumed, the last one first. */
export function continueQuery(call: ApiCall) {
  return {
    queryKey: [...LISTINGS, 'continue'],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<readonly File[]> => {
      const query = {
        limit: CONTINUED,
        kinds: 'played',
        unfinished: 'true',
        thumbnail_size: 'SIZE_SMALL',
      } as const;
      const { entries } = await call(recentApi.list, { query }, { signal });
      return entries.map(fileOf);
    },
  };
}

const STARRED = 10;

/** First starred entries, for the home on phones. */
export function starredQuery(call: ApiCall) {
  return {
    queryKey: [...LISTINGS, 'starred', 'first'],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<readonly File[]> => {
      const { load } = starredEntries(call, { order: NAME_ORDER, pinFoldersTop: false });
      return (await load('', signal)).files.slice(0, STARRED);
    },
  };
}
