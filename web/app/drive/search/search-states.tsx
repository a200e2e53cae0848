import { useState } from 'react';
import { CircleQuestionMark, History, SearchX, Search as SearchIcon, X } from 'lucide-react';
import { formatSearch, parseSearch } from '@bowerbird/contract';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { Button } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { forgetSearch, forgetSearches, useRecentSearches } from './recent-searches.ts';
import { searchHref, type Search } from './search-address.ts';
import { SearchTips } from './search-tips.tsx';

/** Page of a search that was not typed yet: the last ones, and what can be typed. */
export function SearchStart({ user }: { user: string }) {
  const t = useT();
  const recent = useRecentSearches(user);
  return (
    <div className="pb-16">
      <EmptyState
        mark={<SearchIcon aria-hidden="true" className="size-12! stroke-[1.25]!" />}
        title={t('search.drive')}
        text={t('search.tips.lead')}
        actions={<TipsButton />}
        className="pb-6!"
      />
      {recent.length > 0 && (
        <section className="mx-auto max-w-110 px-6">
          <div className="flex items-center justify-between">
            <h2 className="text-13 font-medium text-ink-2">{t('search.recent')}</h2>
            <Button size="s" variant="plain" onClick={() => forgetSearches(user)}>
              {t('search.recent.clear')}
            </Button>
          </div>
          <ul>
            {recent.map((text) => (
              <li key={text} className="flex min-h-11 items-center rounded-control hover:bg-hover">
                <LocaleLink
                  to={searchHref({ text, folder: '' })}
                  className="flex min-w-0 flex-1 items-center gap-3 rounded-control px-2 py-2"
                >
                  <History aria-hidden="true" className="text-ink-3" />
                  <bdi className="truncate">{shownName(text)}</bdi>
                </LocaleLink>
                <IconButton
                  size="s"
                  label={t('search.recent.remove', { text })}
                  icon={<X className="size-4!" />}
                  onClick={() => forgetSearch(user, text)}
                />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** Nothing matches: repeats what was searched for, and offers to search with fewer filters. */
export function NothingFound({ search, onSearch }: { search: Search; onSearch: (search: Search) => void }) {
  const t = useT();
  const query = parseSearch(search.text);
  const plain = formatSearch({ words: query.words, filters: {} });
  const isFiltered = plain !== '' && (Object.keys(query.filters).length > 0 || search.folder !== '');
  return (
    <EmptyState
      mark={<SearchX aria-hidden="true" className="size-12! stroke-[1.25]!" />}
      title={<bdi>{t('search.none.title', { query: shownName(search.text) })}</bdi>}
      text={t('search.none.text')}
      actions={
        <>
          {isFiltered && (
            <Button variant="primary" onClick={() => onSearch({ text: plain, folder: '' })}>
              {t('search.filter.clear')}
            </Button>
          )}
          <TipsButton />
        </>
      }
    />
  );
}

function TipsButton() {
  const t = useT();
  const [isShown, setShown] = useState(false);
  return (
    <>
      <Button icon={<CircleQuestionMark />} onClick={() => setShown(true)}>
        {t('search.tips')}
      </Button>
      {isShown && <SearchTips onClose={() => setShown(false)} />}
    </>
  );
}
