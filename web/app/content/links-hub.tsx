import { useState } from 'react';
import { ExternalLink, Link2, Search } from 'lucide-react';
import { readLinkCategories, siteApi, textIn } from '@bowerbird/contract';
import { pageServices } from '#app/api/page-services.ts';
import { useT } from '#app/i18n/t.ts';
import { PublicHead } from '#app/page/public-head.tsx';
import { Button } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import type { Route } from './+types/links-hub';
import { SearchBox, SearchResult } from './search-box.tsx';

export const handle = { layout: 'basic' };

interface Category {
  readonly title: string;
  readonly links: readonly { readonly title: string; readonly url: string; readonly description: string }[];
}

export async function loader({ context }: Route.LoaderArgs): Promise<{ categories: Category[] }> {
  const { call, locale } = context.get(pageServices);
  const { values } = await call(siteApi.resources, { body: {} });
  const categories = readLinkCategories(values).map(({ title, links }) => ({
    title: textIn(title, locale),
    links: links.map((link) => ({
      title: textIn(link.title, locale),
      url: link.url,
      description: link.description === undefined ? '' : textIn(link.description, locale),
    })),
  }));
  return { categories: categories.filter(({ links }) => links.length > 0) };
}

/** Links that the operator recommends, by category; each can be opened in the link checker. */
export default function LinksHub({ loaderData: { categories } }: Route.ComponentProps) {
  const t = useT();
  const [query, setQuery] = useState('');
  const found = matching(categories, query);
  const count = found.reduce((sum, { links }) => sum + links.length, 0);
  return (
    <>
      <PublicHead path="/favorite-links-hub" title={t('hub.title')} description={t('hub.lead')} />
      <section className="mx-auto max-w-300 px-8 pt-12 pb-24 max-lg:px-5 max-md:pt-6 max-md:pb-14">
        <h1 className="text-40 font-[680] [overflow-wrap:anywhere] hyphens-auto">{t('hub.title')}</h1>
        <p className="mt-4 max-w-[38em] text-16 text-ink-2">{t('hub.lead')}</p>
        {categories.length === 0 ? (
          <EmptyState
            className="py-20"
            mark={<Link2 className="size-12" />}
            title={t('hub.empty')}
            text={t('hub.emptyText')}
            actions={
              <>
                <Button href="/contact-us?topic=question">{t('hub.suggest')}</Button>
                <Button href="/url-checker">{t('site.nav.urlChecker')}</Button>
              </>
            }
          />
        ) : (
          <>
            <SearchBox label={t('hub.search')} query={query} onQuery={setQuery} />
            <nav aria-label={t('hub.categories')} className="mt-5 flex flex-wrap gap-2">
              {found.map(({ title }) => (
                <a
                  key={title}
                  href={`#${anchorOf(title)}`}
                  className="flex h-9 items-center rounded-full border border-line px-4 text-13 font-medium text-ink-2 hover:text-ink"
                >
                  {title}
                </a>
              ))}
            </nav>
            <SearchResult
              query={query}
              count={count}
              found={t('hub.found', { count })}
              nothing={t('hub.nothing', { query: query.trim() })}
            />
            {found.map((category) => (
              <Links key={category.title} category={category} />
            ))}
          </>
        )}
      </section>
    </>
  );
}

function Links({ category: { title, links } }: { category: Category }) {
  const t = useT();
  const id = anchorOf(title);
  return (
    <section aria-labelledby={id} className="mt-12">
      <h2 id={id} className="scroll-mt-6 text-20 font-[650]">
        {title}
      </h2>
      <ul className="mt-4 grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {links.map(({ title: name, url, description }) => (
          <li
            key={url}
            className="flex items-start gap-2 rounded-card border border-line bg-card p-4 hover:border-line-strong"
          >
            <a href={url} target="_blank" rel="noopener" className="group min-w-0 flex-1 rounded-small">
              <span className="flex items-center gap-1.5 font-semibold group-hover:text-blue-strong">
                <span className="min-w-0 [overflow-wrap:anywhere]">{name}</span>
                <ExternalLink aria-hidden="true" className="size-3.5 shrink-0 text-ink-3" />
              </span>
              <span className="mt-0.5 block truncate text-13 text-ink-3">{new URL(url).host}</span>
              {description !== '' && <span className="mt-2 block text-ink-2">{description}</span>}
            </a>
            <IconButton
              label={t('hub.check', { title: name })}
              icon={<Search />}
              href={`/url-checker?url=${encodeURIComponent(url)}`}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

const anchorOf = (title: string): string => title.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-');

/** Returns the links that contain every typed word; categories without matches are left out. */
function matching(categories: readonly Category[], query: string): readonly Category[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return categories;
  return categories
    .map((category) => ({
      ...category,
      links: category.links.filter(({ title, url, description }) => {
        const text = `${category.title} ${title} ${url} ${description}`.toLowerCase();
        return words.every((word) => text.includes(word));
      }),
    }))
    .filter(({ links }) => links.length > 0);
}
