import type { ReactNode } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { ApiCall } from '@bowerbird/contract';
import { useLocalePath } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { hitOf, type DisplayMode, type Entries, type EntriesSource } from '#app/node/index.ts';
import { trashEntries } from '../drive-data.ts';
import { FilterChips } from './filter-chips.tsx';
import { LiveSearch } from './live-search.tsx';
import { searchIn, type Search } from './search-address.ts';
import { isAsked, searchEntries } from './search-data.ts';
import { NothingFound } from './search-states.tsx';

/** Rows of the trash, or of a search in it. */
export const trashSource = (
  call: ApiCall,
  search: Search,
  mode: Pick<DisplayMode, 'order' | 'pinFoldersTop'>,
  timeZone: () => string,
): EntriesSource =>
  isAsked(search) ? searchEntries(call, search, { place: 'trash', timeZone }) : trashEntries(call, mode);

export interface TrashSearch {
  readonly search: Search;
  /** True while the list shows results. */
  readonly isOn: boolean;
  readonly field: (focusList: () => void) => ReactNode;
  readonly chips: ReactNode;
  readonly nothing: ReactNode;
}

/** Search in the trash, kept in the address of its page. */
export function useTrashSearch(): TrashSearch {
  const t = useT();
  const navigate = useNavigate();
  const path = useLocalePath();
  const [query] = useSearchParams();
  const search = { text: searchIn(query).text, folder: '' };
  const go = ({ text }: Search, replace: boolean): void =>
    void navigate(path(text === '' ? '/drive/trash' : `/drive/trash?q=${encodeURIComponent(text)}`), {
      replace,
      preventScrollReset: true,
    });
  const onSearch = (next: Search): void => go(next, false);
  return {
    search,
    isOn: isAsked(search),
    field: (focusList) => (
      <LiveSearch
        isFolded
        label={t('search.trash')}
        text={search.text}
        onText={(text) => go({ text, folder: '' }, true)}
        onLeave={focusList}
      />
    ),
    chips: <FilterChips isTrash search={search} onSearch={onSearch} />,
    nothing: <NothingFound search={search} onSearch={onSearch} />,
  };
}

/** Returns what has to be restored for these items: a trashed folder can only be restored as a whole. */
export const trashedRoots = (ids: readonly string[], entries: Entries): string[] => [
  ...new Set(
    ids.map((id) => {
      const file = entries.fileOf(id);
      return (file && hitOf(file)?.path[0]?.id) ?? id;
    }),
  ),
];
