import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Form, useNavigation, useSubmit } from 'react-router';
import { pageNotFound } from '#app/api/page-not-found.ts';
import { pageServices } from '#app/api/page-services.ts';
import { LocaleLink, useLocalePath } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { PublicHead } from '#app/page/public-head.tsx';
import type { Route } from './+types/help-center';
import type { Excerpt } from './excerpt.ts';
import { searchHelp, type FoundArticle } from './help-search.server.ts';
import { helpTree, type HelpCategory } from './help-tree.server.ts';
import { SearchBox, SearchResult } from './search-box.tsx';

export function loader({ context, url }: Route.LoaderArgs) {
  const services = context.get(pageServices);
  if (services.library.contents.help.length === 0) throw pageNotFound(url.pathname);
  const query = url.searchParams.get(QUERY) ?? '';
  return query.trim() === ''
    ? { query, tree: helpTree(services), found: [] }
    : { query, tree: [], found: searchHelp(services, query) };
}

/** Query parameter of the search. */
const QUERY = 'q';

/** All help articles by category; during a search, the articles that match. */
export default function HelpCenter({ loaderData: { query: asked, tree, found } }: Route.ComponentProps) {
  const t = useT();
  const path = useLocalePath();
  const [query, ask] = useSearch(asked);
  return (
    <>
      <PublicHead path="/help-center" title={t('help.title')} description={t('help.lead')} />
      <section className="mx-auto max-w-300 px-8 pt-12 pb-24 max-lg:px-5 max-md:pt-6 max-md:pb-14">
        <h1 className="text-40 font-[680] [overflow-wrap:anywhere] hyphens-auto">{t('help.title')}</h1>
        <p className="mt-4 max-w-[38em] text-16 text-ink-2">{t('help.lead')}</p>
        <Form method="get" action={path('/help-center')} role="search" replace preventScrollReset>
          <SearchBox label={t('help.search')} name={QUERY} query={query} onQuery={ask} />
        </Form>
        <SearchResult
          query={asked}
          count={found.length}
          found={t('help.found', { count: found.length })}
          nothing={t('help.nothing', { query: asked.trim() })}
        />
        {found.length > 0 ? (
          <ol className="mt-8 max-w-190">
            {found.map((article) => (
              <Found key={article.path} article={article} />
            ))}
          </ol>
        ) : (
          <div className="mt-10 grid gap-x-12 gap-y-12 md:grid-cols-2 lg:grid-cols-3">
            {tree.map((category) => (
              <Category key={category.id} category={category} />
            ))}
          </div>
        )}
      </section>
    </>
  );
}

/** Longer than the time between two letters of an unhurried typist. */
const PAUSE_MS = 200;

/**
 * Returns the content of the search field, and its setter: the page and its address follow when typing
 * pauses.
 */
function useSearch(asked: string): [query: string, ask: (query: string) => void] {
  const submit = useSubmit();
  const path = useLocalePath();
  const isIdle = useNavigation().state === 'idle';
  const [query, setQuery] = useState(asked);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Going back, or opening the help center again, changes the query without typing.
  const follow = useEffectEvent(() => {
    if (isIdle && pause.current === undefined) setQuery(asked);
  });
  useEffect(() => follow(), [asked, isIdle]);
  useEffect(() => () => clearTimeout(pause.current), []);
  const ask = (next: string): void => {
    setQuery(next);
    clearTimeout(pause.current);
    pause.current = setTimeout(() => {
      pause.current = undefined;
      const form = next === '' ? {} : { [QUERY]: next };
      void submit(form, { action: path('/help-center'), replace: true, preventScrollReset: true });
    }, PAUSE_MS);
  };
  return [query, ask];
}

function Found({ article: { path, title, description, category, excerpt } }: { article: FoundArticle }) {
  return (
    <li className="border-t border-line py-5">
      <p className="text-13 text-ink-3">{category}</p>
      <h2 className="mt-0.5 text-16 font-semibold">
        <LocaleLink to={path} className="rounded-small hover:text-blue-strong">
          {title}
        </LocaleLink>
      </h2>
      <p className="mt-1 text-ink-2">{excerpt ? <Quoted excerpt={excerpt} /> : description}</p>
    </li>
  );
}

function Quoted({ excerpt: { isBegun, parts, isCut } }: { excerpt: Excerpt }) {
  return (
    <>
      {isBegun && '… '}
      {parts.map(({ text, isFound }, at) =>
        isFound ? (
          // oxlint-disable-next-line react/no-array-index-key -- parts of one text, which never change places
          <mark key={at} className="bg-transparent font-semibold text-ink">
            {text}
          </mark>
        ) : (
          text
        ),
      )}
      {isCut && ' …'}
    </>
  );
}

function Category({ category: { id, title, description, articles } }: { category: HelpCategory }) {
  return (
    <section aria-labelledby={`category-${id}`}>
      <h2 id={`category-${id}`} className="text-20 font-[650]">
        {title}
      </h2>
      <p className="mt-1 text-ink-2">{description}</p>
      <ul className="mt-4 border-t border-line">
        {articles.map((article) => (
          <li key={article.path} className="border-b border-line">
            <LocaleLink
              to={article.path}
              className="block rounded-small py-3 font-medium text-ink hover:text-blue-strong"
            >
              {article.title}
            </LocaleLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
