import { useCallback, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { shareApi, type ApiCall, type SearchHit } from '@bowerbird/contract';
import { useT } from '#app/i18n/t.ts';
import { browserTimeZone } from '#app/i18n/format.ts';
import { useHitColumns, type EntriesSource } from '#app/node/index.ts';
import { isComposing, SearchBox } from '#app/ui/form/search-box.tsx';
import { useTypedText } from '#app/ui/form/use-typed-text.ts';
import type { OpenShare } from './share-data.ts';

const PARAMETER = 'q';
const PAGE = 100;

/** Search in a share, kept in the address. */
export interface ShareSearch {
  /** "" while nothing is searched for. */
  readonly text: string;
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly close: () => void;
  readonly ask: (text: string) => void;
}

export function useShareSearch(): ShareSearch {
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const [isOpen, setOpen] = useState(false);
  const text = (query.get(PARAMETER) ?? '').trim();
  const ask = (next: string): void => {
    const changed = new URLSearchParams(query);
    if (next === '') changed.delete(PARAMETER);
    else changed.set(PARAMETER, next);
    void navigate({ search: changed.toString() }, { replace: true, preventScrollReset: true });
  };
  return {
    text,
    isOpen: isOpen || text !== '',
    open: () => setOpen(true),
    close() {
      setOpen(false);
      if (text !== '') ask('');
    },
    ask,
  };
}

/** Field in place of the path. */
export function ShareSearchField({ search }: { search: ShareSearch }) {
  const t = useT();
  const { text, type, settle } = useTypedText(search.text, search.ask);
  return (
    <search className="flex max-w-110 flex-1">
      <SearchBox
        label={t('share.search')}
        text={text}
        onText={type}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- opened by a button to type in
        autoFocus={search.text === ''}
        onKeyDown={(event) => {
          if (isComposing(event)) return;
          if (event.key === 'Enter') settle();
          else if (event.key === 'Escape') search.close();
        }}
        className="flex-1"
      />
    </search>
  );
}

/** Results of a search in the whole share. While its text changes, the previous rows stay. */
export function searchSource(
  call: ApiCall,
  { id, opening: { pass_code_token: token } }: OpenShare,
  text: string,
): EntriesSource {
  return {
    key: ['share', id, 'search', text],
    load: (pageToken, signal) =>
      call(
        shareApi.search,
        {
          query: {
            share_id: id,
            pass_code_token: token,
            q: text,
            page_token: pageToken,
            limit: PAGE,
            thumbnail_size: 'SIZE_SMALL',
            time_zone: browserTimeZone(),
          },
        },
        { signal },
      ),
  };
}

/** Address of the folder that contains a result, or of the result if it is a folder. */
export function hitPath(
  { id, entrance }: Pick<OpenShare, 'id' | 'entrance'>,
  hit: Pick<SearchHit, 'id' | 'path'>,
  isInside: boolean,
): string {
  const folders = hit.path.map((folder) => folder.id).filter((folder) => folder !== entrance);
  return [`/s/${id}`, ...folders, ...(isInside && hit.id !== entrance ? [hit.id] : [])].join('/');
}

/** Columns of the results, see {@link useHitColumns}. */
export function useShareHitColumns(share: OpenShare) {
  const placeOf = useCallback(
    (hit: SearchHit) => ({
      href: hitPath(share, hit, false),
      path: hit.path.filter(({ id }) => id !== share.entrance),
    }),
    [share],
  );
  return useHitColumns(share.opening.title, placeOf);
}
