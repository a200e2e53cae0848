import { ChevronLeft, ChevronRight } from 'lucide-react';
import { redirect } from 'react-router';
import { splitLocale } from '@bowerbird/contract';
import { pageServices } from '#app/api/page-services.ts';
import { LocaleLink, LocaleNavLink, withPrefix } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { PublicHead } from '#app/page/public-head.tsx';
import { cx } from '#app/ui/class-names.ts';
import type { Route } from './+types/help-article';
import { ArticleBody } from './article.tsx';
import { helpTree, type HelpArticle, type HelpCategory } from './help-tree.server.ts';
import { articleAt } from './render.server.ts';

/** Redirects from a folder of the help center to its first article. */
export const middleware: Route.MiddlewareFunction[] = [
  ({ url, params, context }, next) => {
    const slug = (params['*'] ?? '').replace(/\/$/, '');
    const folder = context.get(pageServices).library.contents.help.find(({ category }) => category === slug);
    if (!folder) return next();
    const { prefix } = splitLocale(url.pathname);
    throw redirect(withPrefix(prefix, `/help-center/${folder.category}/${folder.articles[0]}`));
  },
];

export function loader({ params, context, url }: Route.LoaderArgs) {
  const services = context.get(pageServices);
  const slug = params['*'] ?? '';
  return {
    path: `/help-center/${slug}`,
    article: articleAt(services, `help/${slug}`, url.pathname),
    tree: helpTree(services),
  };
}

export default function HelpArticlePage({ loaderData: { path, article, tree } }: Route.ComponentProps) {
  const t = useT();
  const all = tree.flatMap(({ articles }) => articles);
  const at = all.findIndex((one) => one.path === path);
  const category = tree.find(({ articles }) => articles.some((one) => one.path === path));
  return (
    <>
      <PublicHead path={path} title={article.title} description={article.description} type="article" />
      <div className="mx-auto grid max-w-300 gap-14 px-8 pt-8 pb-24 max-lg:gap-8 max-lg:px-5 max-md:pt-3 max-md:pb-14 md:grid-cols-[220px_minmax(0,1fr)] print:block print:p-0">
        <HelpTree tree={tree} path={path} />
        <article className="max-w-[44em] min-w-0 print:max-w-none">
          <nav aria-label={t('help.way')} className="text-13 text-ink-3">
            <LocaleLink to="/help-center" className="rounded-small hover:text-ink hover:underline">
              {t('help.title')}
            </LocaleLink>
            {category && ` / ${category.title}`}
          </nav>
          <h1 className="mt-2 text-28 font-[680] [overflow-wrap:anywhere]">{article.title}</h1>
          <ArticleBody html={article.html} locale={article.locale} className="mt-6" />
          <nav
            aria-label={t('help.further')}
            className="mt-14 grid gap-3 border-t border-line pt-6 sm:grid-cols-2 print:hidden"
          >
            <Neighbour article={all[at - 1]} label={t('help.previous')} />
            <Neighbour article={all[at + 1]} label={t('help.next')} isNext />
          </nav>
        </article>
      </div>
    </>
  );
}

/** Navigation of the help center: collapsed on phones, beside the article elsewhere, hidden in print. */
function HelpTree({ tree, path }: { tree: readonly HelpCategory[]; path: string }) {
  const t = useT();
  const list = (
    <ul className="grid gap-6 max-md:mt-4">
      {tree.map(({ id, title, articles }) => (
        <li key={id}>
          <h2 className="text-13 font-semibold">{title}</h2>
          <ul className="mt-1.5">
            {articles.map((article) => (
              <li key={article.path}>
                <LocaleNavLink
                  to={article.path}
                  end
                  className={({ isActive }) =>
                    cx(
                      '-ms-3 block rounded-control px-3 py-1.5 text-13',
                      isActive
                        ? 'bg-blue-wash font-medium text-blue-strong'
                        : 'text-ink-2 hover:bg-hover hover:text-ink',
                    )
                  }
                >
                  {article.title}
                </LocaleNavLink>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
  return (
    <>
      <nav aria-label={t('help.articles')} className="max-md:hidden print:hidden">
        {list}
      </nav>
      <details
        key={path}
        className="rounded-card border border-line bg-card px-4 py-3 md:hidden print:hidden"
      >
        <summary className="font-medium">{t('help.articles')}</summary>
        <nav aria-label={t('help.articles')}>{list}</nav>
      </details>
    </>
  );
}

function Neighbour({
  article,
  label,
  isNext = false,
}: {
  article: HelpArticle | undefined;
  label: string;
  isNext?: boolean;
}) {
  if (!article) return <span className="max-sm:hidden" />;
  return (
    <LocaleLink
      to={article.path}
      className={cx(
        'flex items-center gap-3 rounded-card border border-line px-4 py-3 hover:bg-hover',
        isNext && 'sm:justify-end sm:text-end',
      )}
    >
      {!isNext && <ChevronLeft aria-hidden="true" className="shrink-0 text-ink-3" />}
      <span className="min-w-0">
        <span className="block text-12 text-ink-3">{label}</span>
        <span className="block font-medium">{article.title}</span>
      </span>
      {isNext && <ChevronRight aria-hidden="true" className="shrink-0 text-ink-3 max-sm:ms-auto" />}
    </LocaleLink>
  );
}
