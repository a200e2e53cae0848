import { driveApi, isEmptySearch, parseSearch, type ApiCall } from '@bowerbird/contract';
import type { EntriesSource } from '#app/node/index.ts';
import { LISTINGS } from '../drive-data.ts';
import type { Search } from './search-address.ts';

/** Rows of each page; the server sends no more at once. */
const PAGE = 100;
/** Results below the field. */
const FIRST_FEW = 7;

type Place = 'drive' | 'trash';

/** True if an address contains something to search for. */
export const isAsked = ({ text }: Search): boolean => !isEmptySearch(parseSearch(text));

const parametersOf = ({ text, folder }: Search, place: Place, timeZone: string) => ({
  q: text,
  ...(folder === '' ? {} : { parent_id: folder }),
  place,
  thumbnail_size: 'SIZE_SMALL',
  time_zone: timeZone,
});

/** Results of a search, the best first. While the text changes, the rows of the previous one stay. */
export function searchEntries(
  call: ApiCall,
  search: Search,
  { place, timeZone }: { place: Place; timeZone: () => string },
): EntriesSource {
  return {
    key: [...LISTINGS, 'search', place, `${search.folder} ${search.text}`],
    load: async (pageToken, signal) =>
      isAsked(search)
        ? call(
            driveApi.search,
            { query: { ...parametersOf(search, place, timeZone()), page_token: pageToken, limit: PAGE } },
            { signal },
          )
        : { files: [], next_page_token: '' },
  };
}

/** The first few results of a search. */
export function firstResultsQuery(call: ApiCall, search: Search, timeZone: () => string) {
  return {
    queryKey: [...LISTINGS, 'search', 'first', search.folder, search.text],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      call(
        driveApi.search,
        { query: { ...parametersOf(search, 'drive', timeZone()), limit: FIRST_FEW } },
        { signal },
      ),
  };
}
