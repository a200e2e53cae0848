import type { File } from '@bowerbird/contract';
import { useQuery } from '@tanstack/react-query';
import type { Entries } from '../entries/entries.ts';
import { contentUrl } from '../file-facts.ts';

const FRESH_MS = 5 * 60_000;
/** Links with less time left are renewed before use. */
const TOO_SHORT_MS = 60_000;

function isUsable(file: File | undefined, now: number): boolean {
  if (!file || contentUrl(file) === undefined) return false;
  const expires = Date.parse(file.links['application/octet-stream']?.expire ?? '');
  return Number.isNaN(expires) || expires - now > TOO_SHORT_MS;
}

export interface OpenedFile {
  readonly file: File | undefined;
  readonly isMissing: boolean;
}

/** Opened file as in the listing; requested if the listing doesn't have it, or has no working link. */
export function useOpenedFile(
  id: string,
  entries: Entries | undefined,
  load: (id: string) => Promise<File>,
): OpenedFile {
  const listed = entries?.fileOf(id);
  const query = useQuery({
    queryKey: ['node', 'opened', id],
    queryFn: async () => {
      const found = entries?.fileOf(id);
      return isUsable(found, Date.now()) ? found! : load(id);
    },
    staleTime: FRESH_MS,
    refetchOnWindowFocus: false,
  });
  return {
    file: query.data ?? (listed && isUsable(listed, 0) ? listed : undefined),
    isMissing: query.isError,
  };
}
