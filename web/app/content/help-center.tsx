import { useState } from 'react';
import { pageNotFound } from '#app/api/page-not-found.ts';
import { pageServices } from '#app/api/page-services.ts';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { PublicHead } from '#app/ui/public-head.tsx';
import { helpTree, type HelpArticle, type HelpCategory } from './help-tree.server.ts';
import { SearchBox, SearchResult } from './search-box.tsx';
import type { Route } from './+types/help-center';

export function loader({ context, url }: Route.LoaderArgs) {
  const tree = helpTree(context.get(pageServices));
  if (tree.length === 0) throw pageNotFound(url.pathname);
  return { tree };
}

/** All that the help center knows, by subject; what is typed leaves only what matches. */
export default function HelpCenter({ loaderData: { tree } }: Route.ComponentProps) {
  const t = useT();
  const [query, setQuery] = useState('');
  const found = matching(tree, query);
  const count = found.reduce((sum, { articles }) => sum + articles.length, 0);
  return (
    <>
      <PublicHead path="/help-center" title={t('help.title')} description={t('help.lead')} />
      <section className="mx-auto max-w-300 px-8 pt-12 pb-24 max-lg:px-5 max-md:pt-6 max-md:pb-14">
        <h1 className="text-40 font-[680] [overflow-wrap:anywhere] hyphens-auto">{t('help.title')}</h1>
        <p className="mt-4 max-w-[38em] text-16 text-ink-2">{t('help.lead')}</p>
        <SearchBox label={t('help.search')} query={query} onQuery={setQuery} />
        <SearchResult
          query={query}
          count={count}
          found={t('help.found', { count })}
          nothing={t('help.nothing', { query: query.trim() })}
        />
        <div className="mt-10 grid gap-x-12 gap-y-12 md:grid-cols-2 lg:grid-cols-3">
          {found.map((category) => (
            <Category key={category.id} category={category} />
          ))}
        </div>
      </section>
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

/** Articles that contain every typed word in their title or description; categories without any are left out. */
function matching(tree: readonly HelpCategory[], query: string): readonly HelpCategory[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return tree;
  const has = ({ title, description }: HelpArticle): boolean => {
    const text = `${title} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return tree
    .map((category) => ({ ...category, articles: category.articles.filter(has) }))
    .filter(({ articles }) => articles.length > 0);
}
