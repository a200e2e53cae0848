import { pageServices } from '#app/api/page-services.ts';
import { pageNotFound } from '#app/api/page-not-found.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { PublicHead } from '#app/page/public-head.tsx';
import type { Route } from './+types/blog-post';
import { ArticleBody } from './article.tsx';
import { articleAt } from './render.server.ts';

export function loader({ context, params, url }: Route.LoaderArgs) {
  const services = context.get(pageServices);
  const post = services.library.contents.blog.find(({ slug }) => slug === params.slug);
  if (!post) throw pageNotFound(url.pathname);
  return { ...post, article: articleAt(services, `blog/${post.slug}`, url.pathname) };
}

export default function BlogPost({ loaderData: { slug, date, tags, article } }: Route.ComponentProps) {
  const t = useT();
  return (
    <article className="mx-auto max-w-190 px-8 pt-12 pb-24 max-lg:px-5 max-md:pt-6 max-md:pb-14">
      <PublicHead
        path={`/blog/${slug}`}
        title={article.title}
        description={article.description}
        type="article"
      />
      <meta property="article:published_time" content={date} />
      <p className="text-13 text-ink-3 tabular-nums">
        <DateTime at={date} as="date" />
        {tags.map((tag) => (
          <span key={tag}>
            {' · '}
            <LocaleLink to={`/blog?tag=${tag}`} className="rounded-small hover:text-ink hover:underline">
              {t.find(`blog.tag.${tag}`) ?? tag}
            </LocaleLink>
          </span>
        ))}
      </p>
      <h1 className="mt-2 text-40 font-[680] [overflow-wrap:anywhere] hyphens-auto max-md:text-28">
        {article.title}
      </h1>
      <p className="mt-4 text-16 text-ink-2">{article.description}</p>
      <ArticleBody html={article.html} locale={article.locale} className="mt-8 text-16" />
      <p className="mt-14 border-t border-line pt-6 print:hidden">
        <LocaleLink to="/blog" className="text-blue-strong underline underline-offset-3">
          {t('blog.back')}
        </LocaleLink>
      </p>
    </article>
  );
}
