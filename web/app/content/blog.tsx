import { Rss } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { pageNotFound } from '#app/api/page-not-found.ts';
import { pageServices } from '#app/api/page-services.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { LocaleLink, useLocalePath } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { PublicHead } from '#app/page/public-head.tsx';
import { cx } from '#app/ui/class-names.ts';
import type { Route } from './+types/blog';
import { cardAt } from './render.server.ts';

export function loader({ context, url }: Route.LoaderArgs) {
  const services = context.get(pageServices);
  if (services.library.contents.blog.length === 0) throw pageNotFound(url.pathname);
  return services.library.contents.blog.map((post) => ({
    ...post,
    ...cardAt(services, `blog/${post.slug}`),
  }));
}

export default function Blog({ loaderData: posts }: Route.ComponentProps) {
  const t = useT();
  const path = useLocalePath();
  const [query] = useSearchParams();
  const tag = query.get('tag') ?? '';
  const tags = [...new Set(posts.flatMap((post) => post.tags))];
  const shown = tags.includes(tag) ? posts.filter((post) => post.tags.includes(tag)) : posts;
  return (
    <>
      <PublicHead path="/blog" title={t('blog.title')} description={t('blog.lead')} />
      <link
        rel="alternate"
        type="application/rss+xml"
        title={t('blog.title')}
        href={path('/blog/feed.xml')}
      />
      <section className="mx-auto max-w-190 px-8 pt-12 pb-24 max-lg:px-5 max-md:pt-6 max-md:pb-14">
        <div className="flex items-start justify-between gap-4">
          <h1 className="text-40 font-[680]">{t('blog.title')}</h1>
          <a
            href={path('/blog/feed.xml')}
            className="mt-2 flex h-10 items-center gap-2 rounded-control px-3 font-medium text-ink-2 hover:bg-hover hover:text-ink"
          >
            <Rss aria-hidden="true" />
            {t('blog.feed')}
          </a>
        </div>
        <p className="mt-4 max-w-[38em] text-16 text-ink-2">{t('blog.lead')}</p>
        <nav aria-label={t('blog.tags')} className="mt-8 flex flex-wrap gap-2">
          {['', ...tags].map((one) => (
            <LocaleLink
              key={one}
              to={one === '' ? '/blog' : `/blog?tag=${one}`}
              preventScrollReset
              aria-current={one === (tags.includes(tag) ? tag : '') ? 'true' : undefined}
              className={cx(
                'flex h-9 items-center rounded-full border border-line px-4 text-13 font-medium text-ink-2 hover:text-ink',
                'aria-[current]:border-blue aria-[current]:bg-blue-wash aria-[current]:text-blue-strong',
              )}
            >
              {one === '' ? t('blog.all') : (t.find(`blog.tag.${one}`) ?? one)}
            </LocaleLink>
          ))}
        </nav>
        <ol className="mt-8">
          {shown.map(({ slug, date, title, description }) => (
            <li key={slug} className="border-t border-line py-7">
              <article>
                <p className="text-13 text-ink-3 tabular-nums">
                  <DateTime at={date} as="date" />
                </p>
                <h2 className="mt-1 text-20 font-[650]">
                  <LocaleLink to={`/blog/${slug}`} className="rounded-small hover:text-blue-strong">
                    {title}
                  </LocaleLink>
                </h2>
                <p className="mt-1.5 text-ink-2">{description}</p>
              </article>
            </li>
          ))}
        </ol>
      </section>
    </>
  );
}
