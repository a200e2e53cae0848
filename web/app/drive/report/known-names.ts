import type { QueryClient } from '@tanstack/react-query';
import type { EntryBook } from '#app/node/index.ts';
import { LISTINGS } from '../drive-data.ts';

/** Returns a function that finds the names of items in the lists that were loaded. */
export function knownNames(client: QueryClient): (ids: readonly string[]) => ReadonlyMap<string, string> {
  return (ids) => {
    const wanted = new Set(ids);
    const names = new Map<string, string>();
    for (const [, book] of client.getQueriesData<Partial<EntryBook>>({ queryKey: LISTINGS }))
      for (const page of book?.pages ?? [])
        for (const { id, name } of page.files ?? []) if (wanted.has(id)) names.set(id, name);
    return names;
  };
}
