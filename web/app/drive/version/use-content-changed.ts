import { useQueryClient } from '@tanstack/react-query';
import { ABOUT } from '#app/membership/index.ts';
import { LISTINGS } from '../drive-data.ts';

/** Key prefix of the versions of files in the cache. */
export const VERSIONS = 'versions';

/** Returns a function that refreshes what shows a file after its content or its versions were changed. */
export function useContentChanged(): (id: string) => void {
  const client = useQueryClient();
  return (id) => {
    for (const queryKey of [[VERSIONS, id], ['file', id], ['node', 'opened', id], LISTINGS, ABOUT])
      void client.invalidateQueries({ queryKey });
  };
}
